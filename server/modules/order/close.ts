import { and, asc, eq, exists, lte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { orderLines, orders } from "../../db/schema/order.ts";
import type { Product } from "./limit.ts";
import { releaseStock } from "./stock.ts";

/**
 * Closes an order whose time to pay is over, and gives its stock back in the same transaction. True for the one caller, of any number in any number of
 * processes, that closed it.
 */
export async function closeOverdue(context: Context, orderSn: string): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const at = context.now();
    if (!(await context.orders.markExpired(tx, orderSn, at))) return false;
    await returnStock(tx, orderSn);
    return true;
  });
}

export async function markExpired(tx: Database, orderSn: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(orders)
    // `askedAt: null` makes the next run query the provider at once for a payment that came too late.
    .set({ status: "closed", closeReason: "expired", closedAt: at, stockReturnedAt: at, askedAt: null })
    .where(and(eq(orders.orderSn, orderSn), isOverdue(at)))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
}

export async function returnStock(tx: Database, orderSn: string): Promise<void> {
  for (const line of await findItems(tx, orderSn)) await releaseStock(tx, line);
}

export function findItems(tx: Database, orderSn: string) {
  return tx.select().from(orderLines).where(eq(orderLines.orderSn, orderSn)).orderBy(asc(orderLines.line));
}

/** Numbers of unpaid orders whose time is over, those first that were not asked about for longest. */
export async function overdueOrders({ db, now }: Context, most: number): Promise<string[]> {
  const found = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(isOverdue(now()))
    .orderBy(sql`${orders.askedAt} asc nulls first`, asc(orders.payExpireAt))
    .limit(most);
  return found.map(({ orderSn }) => orderSn);
}

/** Numbers of a member's orders of one thing whose time is over, oldest first. */
export async function ownOverdueOrders({ db, now }: Context, memberId: string, { kind, uid }: Product): Promise<string[]> {
  const line = db
    .select({ orderSn: orderLines.orderSn })
    .from(orderLines)
    .where(and(eq(orderLines.orderSn, orders.orderSn), eq(orderLines.uid, uid)));
  const found = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.memberId, memberId), eq(orders.kind, kind), isOverdue(now()), exists(line)))
    .orderBy(asc(orders.payExpireAt))
    .limit(100);
  return found.map(({ orderSn }) => orderSn);
}

const isOverdue = (at: Date) => and(eq(orders.status, "pending"), lte(orders.payExpireAt, at));
