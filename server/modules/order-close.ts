import { and, asc, eq, lte } from "drizzle-orm";
import { type Database, inTransaction } from "../db/database.ts";
import { orderLines, orders } from "../db/schema/order.ts";
import type { World } from "../lib/world.ts";
import { giveBack } from "./order-stock.ts";

/**
 * Closes an order whose time to pay is over, and gives its stock back in the same transaction. True for the one caller, of any number in any number of
 * processes, that closed it.
 */
export async function closeOverdue(world: World, orderSn: string): Promise<boolean> {
  return inTransaction(world.db, async (tx) => {
    const at = world.now();
    const pending = world.seams.unguarded.has("close-pending") ? undefined : eq(orders.status, "pending");
    const closed = await tx
      .update(orders)
      .set({ status: "closed", closeReason: "expired", closedAt: at, stockReturnedAt: at })
      .where(and(eq(orders.orderSn, orderSn), pending, lte(orders.payExpireAt, at)))
      .returning({ orderSn: orders.orderSn });
    if (closed.length === 0) return false;
    await giveBackLines(tx, orderSn);
    return true;
  });
}

export async function giveBackLines(tx: Database, orderSn: string): Promise<void> {
  for (const line of await linesOf(tx, orderSn)) await giveBack(tx, line);
}

export function linesOf(tx: Database, orderSn: string) {
  return tx.select().from(orderLines).where(eq(orderLines.orderSn, orderSn)).orderBy(asc(orderLines.line));
}

/** Unpaid orders whose time is over, oldest first; of one member, or of all. */
export async function overdueOrders(world: World, most: number, memberId?: string) {
  const overdue = and(eq(orders.status, "pending"), lte(orders.payExpireAt, world.now()));
  return world.db
    .select({ orderSn: orders.orderSn, payExpireAt: orders.payExpireAt, askedAt: orders.askedAt })
    .from(orders)
    .where(memberId === undefined ? overdue : and(overdue, eq(orders.memberId, memberId)))
    .orderBy(asc(orders.payExpireAt))
    .limit(most);
}
