import { eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { orders } from "../../db/schema/order.ts";
import { OperatorError } from "../../lib/errors.ts";
import { findOpenRefund } from "./refund/record.ts";

type Order = typeof orders.$inferSelect;

/** Marks paid goods as shipped. Throws OperatorError for an unknown order, and for one that cannot be shipped. */
export async function shipOrder(context: Context, orderSn: string, carrier: string, tracking: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(context, tx, orderSn);
    if (order.kind !== "goods" || order.status !== "paid") {
      throw createStateError(order, "only goods that are paid can be shipped");
    }
    await requireNoRefund(tx, order);
    const shipped = { status: "shipped", shippedAt: context.now(), carrier, tracking } as const;
    await tx.update(orders).set(shipped).where(eq(orders.orderSn, orderSn));
  });
}

/** Completes a shipped order before the scheduler does, or a paid order of a package, which is never shipped. Throws OperatorError. */
export async function completeOrder(context: Context, orderSn: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(context, tx, orderSn);
    const isReceived = order.status === "shipped" || (order.status === "paid" && order.kind === "package");
    if (!isReceived) throw createStateError(order, "only what is shipped, or a package that is paid, can be completed");
    await requireNoRefund(tx, order);
    await tx.update(orders).set({ status: "completed", completedAt: context.now() }).where(eq(orders.orderSn, orderSn));
  });
}

/** Locks the order's member and row for a change by the operator, so that no refund begins meanwhile. Throws OperatorError for an unknown order. */
export async function lockOrder(context: Context, tx: Database, orderSn: string): Promise<Order> {
  const byOrderSn = eq(orders.orderSn, orderSn);
  const [owner] = await tx.select({ memberId: orders.memberId }).from(orders).where(byOrderSn);
  if (!owner) throw new OperatorError("There is no order of that number.");
  await context.locks.member(tx, owner.memberId);
  const [order] = await tx.select().from(orders).where(byOrderSn).for("update");
  if (!order) throw new OperatorError("There is no order of that number.");
  return order;
}

/** Creates the error for a change that the order's state does not allow. */
export function createStateError({ orderSn, status, closeReason }: Order, rule: string): OperatorError {
  return new OperatorError(`${orderSn} is ${closeReason ? `${status} (${closeReason})` : status}: ${rule}.`);
}

async function requireNoRefund(tx: Database, { orderSn }: Order): Promise<void> {
  const refund = await findOpenRefund(tx, orderSn);
  if (refund) throw new OperatorError(`${orderSn} is being refunded (${refund.refundNo}).`);
}
