import { and, eq } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { goods, packages } from "#server/db/schema/catalogue.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments, prepays } from "#server/db/schema/payment.ts";
import { type ReportedPayment, toOrderSn } from "#server/lib/payment-provider.ts";
import { lockMember } from "#server/modules/member/member.ts";
import {
  calculateExpiry,
  countRunningPieces,
  findRunningMembership,
  getTerms,
  grantMembership,
} from "#server/modules/package/membership.ts";
import { countOrderedPieces } from "./queries.ts";
import { flagRefund } from "./refund/record.ts";
import { requestReturn } from "./refund/return.ts";
import { recordPaidForShipping } from "./shipping/record.ts";
import { countSold, findItems, reserveStock, returnStock } from "./stock.ts";
import { recordUnmatched } from "./unmatched.ts";

type Order = typeof orders.$inferSelect;
type Item = Awaited<ReturnType<typeof findItems>>[number];

type Deliver = () => Promise<void>;

/**
 * Returns what delivers an order once it is paid: its goods count as sold, or the membership is extended. Null where a higher membership is running, or
 * the member has ended. Must be called before the order counts as paid, as its own days would else be carried over to it.
 */
async function prepareDelivery(tx: Database, { kind, memberId }: Order, item: Item, at: Date): Promise<Deliver | null> {
  const { uid, quantity } = item;
  if (memberId === null) return null;
  if (kind === "goods") return () => countSold(tx, uid, quantity);
  const [present] = await tx.select().from(packages).where(eq(packages.uid, uid));
  if (!present) return null;
  const current = await findRunningMembership(tx, memberId, at);
  const expiresAt = calculateExpiry(at, current, getTerms(item, present), quantity);
  return expiresAt && (() => grantMembership(tx, memberId, uid, at, expiresAt));
}

interface LatePayment {
  order: Order;
  item: Item;
  /** Null where the item cannot be delivered any more. */
  deliver: Deliver | null;
  at: Date;
}

/** Records a payment that arrives after the order expired: reopens the order where stock and limit allow it, else the operator owes a refund. `duplicate`: the order was paid before. */
async function payLate(
  tx: Database,
  { order, item, deliver, at }: LatePayment,
): Promise<"revived" | "refund_due" | "duplicate"> {
  const byOrderSn = eq(orders.orderSn, order.orderSn);
  // Read again under a lock: the order may have been closed or paid since.
  const [current] = await tx.select().from(orders).where(byOrderSn).for("update");
  if (current?.status !== "closed" || current.closeReason !== "expired") return "duplicate";
  // The member may have ended since the order was read.
  const { memberId } = current;
  if (deliver && memberId !== null && (await reserveAgain(tx, { ...order, memberId }, item, at))) {
    await tx
      .update(orders)
      .set({ status: "paid", paidAt: at, closeReason: null, closedAt: null, cancelledAt: null, stockReturnedAt: null })
      .where(byOrderSn);
    await deliver();
    return "revived";
  }
  await tx.update(orders).set({ closeReason: "refund_due", paidAt: at }).where(byOrderSn);
  return "refund_due";
}

/** Reserves the item within the member's limit; false when limit or stock do not allow it. */
async function reserveAgain(
  tx: Database,
  { memberId, kind, orderSn }: Order & { memberId: string },
  item: Item,
  at: Date,
): Promise<boolean> {
  const limit = await getLimit(tx, kind, item.uid);
  if (limit !== null) {
    const ordered = await countOrderedPieces(tx, memberId, { kind, uid: item.uid });
    const current = kind === "package" ? await findRunningMembership(tx, memberId, at) : null;
    if (ordered + countRunningPieces(current, item.uid) + item.quantity > limit) return false;
  }
  return reserveStock(tx, item, { cause: "late_payment", orderSn, at });
}

/** Returns the limit per member of a product; null: unlimited. */
async function getLimit(tx: Database, kind: Order["kind"], uid: string): Promise<number | null> {
  const [row] =
    kind === "goods"
      ? await tx.select({ limit: goods.limitPerMember }).from(goods).where(eq(goods.uid, uid))
      : await tx.select({ limit: packages.limit }).from(packages).where(eq(packages.uid, uid));
  return row ? row.limit : 0;
}

/**
 * The result of recording a payment. `paid`: in time. `revived`: late, with stock left. `refund_due`: the order stays closed and the operator owes a refund.
 * `duplicate`: recorded before. `unmatched`: it matches no order and is stored for the operator.
 */
export type PaymentOutcome = "paid" | "revived" | "refund_due" | "duplicate" | "unmatched";

/** Records a payment and its consequences in one transaction. A repeated report changes nothing. */
export async function recordPayment(context: Context, payment: ReportedPayment): Promise<PaymentOutcome> {
  return inTransaction(context.db, async (tx) => {
    const orderSn = toOrderSn(payment.tradeNo);
    const [order] = await tx.select().from(orders).where(eq(orders.orderSn, orderSn));
    if (!order) return recordUnmatched(context, tx, payment, "unknown_order");
    if (order.payFen !== payment.payFen) return recordUnmatched(context, tx, payment, "other_sum");
    await lockMember(tx, order.memberId);
    const [item] = await findItems(tx, orderSn);
    if (!item) throw new Error("the order has no item");
    const at = context.now();
    const deliver = await prepareDelivery(tx, order, item, at);
    const result = deliver ? await payPending(tx, order, deliver, at) : await closePending(tx, order, at);
    // What has been refunded since is not delivered late.
    const late = { order, item, deliver: payment.isRefunded ? null : deliver, at };
    const outcome = result ?? (await payLate(tx, late));
    const { isRefunded, ...received } = payment;
    if (outcome === "duplicate" && !(await isRecorded(tx, payment))) return recordSecond(context, tx, payment);
    if (outcome !== "duplicate") await recordFirst(tx, orderSn, received, at);
    if (outcome === "paid" || outcome === "revived") await recordPaidForShipping(tx, order, item, at);
    if (isRefunded) await flagRefund(tx, orderSn, at);
    return outcome;
  });
}

async function recordFirst(tx: Database, orderSn: string, received: Omit<ReportedPayment, "isRefunded">, at: Date) {
  await tx.insert(payments).values({ orderSn, ...received });
  await tx.update(prepays).set({ endedAt: at }).where(eq(prepays.tradeNo, received.tradeNo));
}

async function isRecorded(tx: Database, { tradeNo, transactionId }: ReportedPayment): Promise<boolean> {
  const samePaymentCondition = and(eq(payments.tradeNo, tradeNo), eq(payments.transactionId, transactionId));
  return (await tx.select({ orderSn: payments.orderSn }).from(payments).where(samePaymentCondition)).length > 0;
}

/** Stores the payment of another payer of a paid order, and gives it back: the scheduler sends the refund. */
async function recordSecond(context: Context, tx: Database, payment: ReportedPayment): Promise<"unmatched"> {
  const { tradeNo, payFen, isRefunded } = payment;
  const result = await recordUnmatched(context, tx, payment, "paid_before");
  // The provider refunds a number, and that of the order's own payment is not to be given back. What is refunded there already leaves the rest to the operator.
  const [first] = await tx.select({ orderSn: payments.orderSn }).from(payments).where(eq(payments.tradeNo, tradeNo));
  if (!first && !isRefunded) await requestReturn(tx, tradeNo, payFen, context.now());
  await tx.update(prepays).set({ endedAt: context.now() }).where(eq(prepays.tradeNo, tradeNo));
  return result;
}

async function payPending(tx: Database, { orderSn }: Order, deliver: Deliver, at: Date): Promise<PaymentOutcome | null> {
  const paid = await tx
    .update(orders)
    .set({ status: "paid", paidAt: at })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.status, "pending")))
    .returning({ orderSn: orders.orderSn });
  if (paid.length === 0) return null;
  await deliver();
  return "paid";
}

/** Closes a paid order of a package that a higher membership has overtaken: nothing is delivered, and the stock is released. */
async function closePending(tx: Database, { orderSn }: Order, at: Date): Promise<PaymentOutcome | null> {
  const closed = await tx
    .update(orders)
    .set({ status: "closed", closeReason: "refund_due", paidAt: at, closedAt: at, stockReturnedAt: at })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.status, "pending")))
    .returning({ orderSn: orders.orderSn });
  if (closed.length === 0) return null;
  await returnStock(tx, orderSn, "refund", at);
  return "refund_due";
}
