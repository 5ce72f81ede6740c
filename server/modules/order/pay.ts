import { and, eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { orders } from "../../db/schema/order.ts";
import { payments } from "../../db/schema/payment.ts";
import type { ReportedPayment } from "../../lib/payment-provider.ts";
import { deliver, getNewExpiry, type Item, type Order } from "./deliver.ts";
import { payLate } from "./late-payment.ts";
import { findItems, returnStock } from "./stock.ts";
import { recordUnmatched } from "./unmatched-payment.ts";

/**
 * The result of recording a payment. `paid`: in time. `revived`: late, with stock left. `refund_due`: the order stays closed and the operator owes a refund.
 * `duplicate`: recorded before. `unmatched`: it matches no order and is stored for the operator.
 */
export type PaymentOutcome = "paid" | "revived" | "refund_due" | "duplicate" | "unmatched";

/** Records a payment and its consequences in one transaction. A repeated report changes nothing. */
export async function recordPayment(context: Context, payment: ReportedPayment): Promise<PaymentOutcome> {
  return inTransaction(context.db, async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.orderSn, payment.orderSn));
    const [item] = await findItems(tx, payment.orderSn);
    if (!order || !item) return recordUnmatched(context, tx, payment, "unknown_order");
    if (order.payFen !== payment.payFen) return recordUnmatched(context, tx, payment, "other_sum");
    await context.locks.member(tx, order.memberId);
    const at = context.now();
    const isDeliverable = order.kind === "goods" || (await getNewExpiry(tx, order, item, at)) !== null;
    const result = isDeliverable ? await payPending(context, tx, order, item, at) : await closePending(tx, order, at);
    const outcome = result ?? (await payLate(context, tx, { order, item, isDeliverable, at }));
    if (outcome !== "duplicate") await insertPayment(tx, payment);
    else if (!(await isRecorded(tx, payment))) return recordUnmatched(context, tx, payment, "paid_before");
    return outcome;
  });
}

async function insertPayment(
  tx: Database,
  { orderSn, provider, transactionId, payFen, paidAt }: ReportedPayment,
): Promise<void> {
  await tx.insert(payments).values({ orderSn, provider, transactionId, payFen, paidAt });
}

async function isRecorded(tx: Database, { orderSn, transactionId }: ReportedPayment): Promise<boolean> {
  const samePaymentCondition = and(eq(payments.orderSn, orderSn), eq(payments.transactionId, transactionId));
  return (await tx.select({ orderSn: payments.orderSn }).from(payments).where(samePaymentCondition)).length > 0;
}

async function payPending(context: Context, tx: Database, order: Order, item: Item, at: Date): Promise<PaymentOutcome | null> {
  if (!(await context.orders.markPaid(tx, order.orderSn, at))) return null;
  await deliver(tx, order, item, at);
  return "paid";
}

export async function markPaid(tx: Database, orderSn: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(orders)
    .set({ status: "paid", paidAt: at })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.status, "pending")))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
}

/** Closes a paid order of a package that a higher membership has overtaken: nothing is delivered, and the stock is released. */
async function closePending(tx: Database, { orderSn }: Order, at: Date): Promise<PaymentOutcome | null> {
  const closed = await tx
    .update(orders)
    .set({ status: "closed", closeReason: "refund_due", paidAt: at, closedAt: at, stockReturnedAt: at })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.status, "pending")))
    .returning({ orderSn: orders.orderSn });
  if (closed.length === 0) return null;
  await returnStock(tx, orderSn);
  return "refund_due";
}
