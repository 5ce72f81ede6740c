import { eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { orders } from "../../db/schema/order.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { openRefund } from "./refund-record.ts";

type Order = typeof orders.$inferSelect;

/** Sends paid goods on their way. Throws OperatorError for an order that is not there, or not to be sent. */
export async function shipOrder(context: Context, orderSn: string, carrier: string, tracking: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(context, tx, orderSn);
    if (order.kind !== "goods" || order.status !== "paid") throw refusal(order, "only goods that are paid can be shipped");
    await mustNotBeRefunded(tx, order);
    const shipped = { status: "shipped", shippedAt: context.now(), carrier, tracking } as const;
    await tx.update(orders).set(shipped).where(eq(orders.orderSn, orderSn));
  });
}

/** What the sweeper does fourteen days after a shipment, done now; of a package, which is never shipped, once it is paid. Throws OperatorError. */
export async function completeOrder(context: Context, orderSn: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(context, tx, orderSn);
    const isReceived = order.status === "shipped" || (order.status === "paid" && order.kind === "package");
    if (!isReceived) throw refusal(order, "only what is shipped, or a package that is paid, can be completed");
    await mustNotBeRefunded(tx, order);
    await tx.update(orders).set({ status: "completed", completedAt: context.now() }).where(eq(orders.orderSn, orderSn));
  });
}

/** The order for an operator's change, with its member and its row locked: no refund of it begins meanwhile. Throws OperatorError. */
export async function lockOrder(context: Context, tx: Database, orderSn: string): Promise<Order> {
  const own = eq(orders.orderSn, orderSn);
  const [found] = await tx.select({ memberId: orders.memberId }).from(orders).where(own);
  if (!found) throw new OperatorError("There is no order of that number.");
  await context.locks.member(tx, found.memberId);
  const [order] = await tx.select().from(orders).where(own).for("update");
  if (!order) throw new OperatorError("There is no order of that number.");
  return order;
}

/** What is to be told of an order that a rule forbids to be changed. */
export function refusal({ orderSn, status, closeReason }: Order, rule: string): OperatorError {
  return new OperatorError(`${orderSn} is ${closeReason ? `${status} (${closeReason})` : status}: ${rule}.`);
}

async function mustNotBeRefunded(tx: Database, { orderSn }: Order): Promise<void> {
  const refund = await openRefund(tx, orderSn);
  if (refund) throw new OperatorError(`${orderSn} is being refunded (${refund.refundNo}).`);
}
