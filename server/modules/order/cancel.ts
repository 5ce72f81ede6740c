import { and, eq } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { orders } from "../../db/schema/order.ts";
import { ApiError } from "../../lib/errors.ts";
import { reconcile } from "./reconcile.ts";
import { returnStock } from "./stock.ts";

/**
 * Closes a member's unpaid order and releases its stock in the same transaction, so that stock and limit are free at once. Queries the provider before:
 * an order that is paid there stays. A payment that arrives later is treated like one for an expired order. Returns without a change for an order that was
 * cancelled before. Throws 40002 for a paid order, 40001 for one closed otherwise, 10503 when the provider does not respond.
 */
export async function cancelOrder(context: Context, orderSn: string): Promise<void> {
  const result = (await isPending(context.db, orderSn)) ? await reconcile(context, orderSn) : null;
  if (result === "no response") throw new ApiError(codes.unavailable, null, 503);
  await inTransaction(context.db, async (tx) => {
    const at = context.now();
    if (await context.orders.markCancelled(tx, orderSn, at)) return returnStock(tx, orderSn, "cancellation", at);
    const [order] = await tx.select().from(orders).where(eq(orders.orderSn, orderSn));
    if (!order?.cancelledAt) throw new ApiError(order?.status === "closed" ? codes.orderClosed : codes.orderPaid);
  });
}

async function isPending(db: Database, orderSn: string): Promise<boolean> {
  return (await db.select({ orderSn: orders.orderSn }).from(orders).where(pendingCondition(orderSn))).length > 0;
}

export async function markCancelled(tx: Database, orderSn: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(orders)
    // `queriedAt: null` makes the scheduler query the provider for a payment that came meanwhile, and close the order there.
    .set({ status: "closed", closeReason: "expired", closedAt: at, cancelledAt: at, stockReturnedAt: at, queriedAt: null })
    .where(pendingCondition(orderSn))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
}

const pendingCondition = (orderSn: string) => and(eq(orders.orderSn, orderSn), eq(orders.status, "pending"));
