import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments, refunds, unmatchedPayments } from "#server/db/schema/payment.ts";
import type { RefundNumber, RefundState } from "#server/lib/payment-provider.ts";
import { lockMember } from "#server/modules/member/member.ts";
import { revokeDays } from "#server/modules/package/membership.ts";
import { voidReports } from "../shipping/record.ts";
import { countSold, findItems, returnStock } from "../stock.ts";

export type Refund = typeof refunds.$inferSelect;
type Order = typeof orders.$inferSelect;

/** The provider's state of a refund, or its error code for rejecting it. */
export type RefundOutcome = RefundState | { status: "rejected"; failure: string };

const day = 24 * 3600_000;
/** How long after it was sent or reported a refund is queried for the first time, in ms. */
export const firstQueryAfter = 60_000;
/** How long an abnormal refund is queried: it may be paid out by hand at the provider. */
const abnormalLifetime = 30 * day;

/** Finds the refund that this server has requested of an order and that has not ended yet; there is at most one. */
export async function findOpenRefund(db: Database, orderSn: string): Promise<Refund | undefined> {
  const [refund] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderSn, orderSn), openCondition));
  return refund;
}

/** Returns the condition for refunds that this server has requested and that have not ended yet. */
const openCondition = and(inArray(refunds.status, ["requested", "processing"]), eq(refunds.isExternal, false));

/** Finds all refunds of an order, the first attempt first. */
export function findRefunds(db: Database, orderSn: string): Promise<Refund[]> {
  return db.select().from(refunds).where(eq(refunds.orderSn, orderSn)).orderBy(asc(refunds.attempt));
}

/** Returns the number of an order's payment at the provider; that of its first payer for an order without a recorded one. */
export async function getTradeNo(db: Database, orderSn: string): Promise<string> {
  const [paid] = await db.select({ tradeNo: payments.tradeNo }).from(payments).where(eq(payments.orderSn, orderSn));
  return paid?.tradeNo ?? orderSn;
}

export const sumAmounts = (some: Refund[]) => some.reduce((sum, { amountFen }) => sum + amountFen, 0);

/** Returns whether the provider has taken the refund's money from the shop's account. */
export const isAccepted = ({ status, failure, isExternal, providerRefundId }: Refund) =>
  status === "succeeded" || (providerRefundId !== null && !(isExternal && failure === "CLOSED"));

/** Returns whether a refund can be recorded of an order: it was paid, and not all of it is refunded. */
export const isRefundable = ({ status, closeReason }: Order) =>
  status === "closed" ? closeReason === "refund_due" : status !== "pending";

/** Returns whether a refund of this number, payment and amount exists. */
export async function isRefundOf(db: Database, { refundNo, tradeNo, amountFen }: RefundNumber): Promise<boolean> {
  const sameRefundCondition = and(
    eq(refunds.refundNo, refundNo),
    eq(refunds.tradeNo, tradeNo),
    eq(refunds.amountFen, amountFen),
  );
  return (await db.select({ refundNo: refunds.refundNo }).from(refunds).where(sameRefundCondition)).length > 0;
}

/** Records the provider's state of a refund and its consequences in one transaction; a repeated state changes nothing. A rejected refund leaves the order unchanged. */
export async function recordRefund(context: Context, refundNo: string, outcome: RefundOutcome): Promise<Refund["status"]> {
  return inTransaction(context.db, async (tx) => {
    const [refund] = await tx
      .select({ orderSn: refunds.orderSn, memberId: orders.memberId })
      .from(refunds)
      .leftJoin(orders, eq(orders.orderSn, refunds.orderSn))
      .where(eq(refunds.refundNo, refundNo));
    if (!refund) throw new Error("no refund has this number");
    const { orderSn, memberId } = refund;
    if (orderSn === null) return recordReturn(tx, refundNo, { outcome, at: context.now() });
    await lockMember(tx, memberId);
    const [order] = await tx.select().from(orders).where(eq(orders.orderSn, orderSn)).for("update");
    if (!order) throw new Error("the refund's order does not exist");
    return applyOutcome(tx, order, refundNo, { outcome, at: context.now() });
  });
}

interface TimedOutcome {
  outcome: RefundOutcome;
  at: Date;
}

/** Records the provider's state of a refund whose order the transaction has locked. */
export async function applyOutcome(
  tx: Database,
  order: Order,
  refundNo: string,
  timed: TimedOutcome,
): Promise<Refund["status"]> {
  const { status, isChanged } = await updateRefundRow(tx, refundNo, timed);
  if (isChanged && timed.outcome.status !== "rejected") await recordConsequences(tx, order, timed.at);
  return status;
}

/** Records the provider's state of the refund of a second payment, which is handled once the money has arrived. */
async function recordReturn(tx: Database, refundNo: string, timed: TimedOutcome): Promise<Refund["status"]> {
  const { status, tradeNo } = await updateRefundRow(tx, refundNo, timed);
  const openPayment = and(eq(unmatchedPayments.tradeNo, tradeNo), isNull(unmatchedPayments.handledAt));
  if (status === "succeeded") await tx.update(unmatchedPayments).set({ handledAt: timed.at }).where(openPayment);
  return status;
}

async function updateRefundRow(tx: Database, refundNo: string, { outcome, at }: TimedOutcome) {
  const byRefundNo = eq(refunds.refundNo, refundNo);
  const [refund] = await tx.select().from(refunds).where(byRefundNo).for("update");
  if (!refund) throw new Error("no refund has this number");
  const change = getChange(refund, outcome, at);
  if (change) await tx.update(refunds).set(change).where(byRefundNo);
  return { tradeNo: refund.tradeNo, status: change?.status ?? refund.status, isChanged: change !== null };
}

/**
 * Records the consequences of an order's refunds. Once the provider has accepted refunds of the whole sum, the order closes as `refund_due`, unshipped stock is
 * released and unused days of a membership are revoked. Once all of the money has arrived, the order is `refunded`. A refund that fails after it was accepted
 * leaves the order at `refund_due`.
 */
export async function recordConsequences(tx: Database, order: Order, at: Date): Promise<void> {
  const { orderSn, status, closeReason, payFen } = order;
  const all = await findRefunds(tx, orderSn);
  // Now the sum is recorded.
  await tx.update(orders).set({ refundReportedAt: null }).where(eq(orders.orderSn, orderSn));
  if (status !== "closed" && sumAmounts(all.filter(isAccepted)) >= payFen) await undoPayment(tx, order, at);
  const succeeded = all.filter((refund) => refund.status === "succeeded");
  if (closeReason !== "refunded" && sumAmounts(succeeded) >= payFen) await markRefunded(tx, order, at);
}

/** Puts a paid order on the operator's list which the provider reports as refunded, unless a refund of it is recorded: the sum is not reported. */
export async function flagRefund(tx: Database, orderSn: string, at: Date): Promise<void> {
  const [order] = await tx.select().from(orders).where(eq(orders.orderSn, orderSn)).for("update");
  if (!order || order.closeReason === "refunded" || order.refundReportedAt) return;
  if ((await findRefunds(tx, orderSn)).some(isAccepted)) return;
  await tx.update(orders).set({ refundReportedAt: at }).where(eq(orders.orderSn, orderSn));
  console.error(`${orderSn} is refunded at the provider, by an unknown sum: npm run orders -- list --state refund-reported`);
}

type Change = Pick<Refund, "status" | "failure" | "endedAt" | "nextQueryAt"> & Partial<Refund>;

/** Returns null when the outcome changes nothing: a success is final, and a failure can only become a success. */
function getChange(refund: Refund, outcome: RefundOutcome, at: Date): Change | null {
  if (refund.status === "succeeded") return null;
  const endedAt = refund.endedAt ?? at;
  if (outcome.status === "rejected") {
    const { failure } = outcome;
    return refund.status === "requested" ? { status: "failed", failure, endedAt, nextQueryAt: null } : null;
  }
  const providerRefundId = outcome.refundId;
  switch (outcome.status) {
    case "succeeded":
      return { status: "succeeded", failure: null, endedAt: at, nextQueryAt: null, providerRefundId };
    case "processing":
      if (refund.status === "failed") return null;
      return { status: "processing", failure: null, endedAt: null, nextQueryAt: refund.nextQueryAt, providerRefundId };
    case "returned":
      return { status: "failed", failure: "RETURNED", endedAt, nextQueryAt: null, providerRefundId };
    case "closed":
      return { status: "failed", failure: "CLOSED", endedAt, nextQueryAt: null, providerRefundId };
    case "abnormal": {
      const isTooOld = at.getTime() - refund.createdAt.getTime() > abnormalLifetime;
      const nextQueryAt = isTooOld ? null : (refund.nextQueryAt ?? new Date(at.getTime() + day));
      return { status: "failed", failure: "ABNORMAL", endedAt, nextQueryAt, providerRefundId };
    }
  }
}

/** Undoes what paying has done: an order whose refund is processing is neither shipped nor used. */
async function undoPayment(tx: Database, order: Order, at: Date): Promise<void> {
  const { orderSn, memberId, kind } = order;
  const items = await findItems(tx, orderSn);
  // Before the order is closed, as a closed order contributes no days.
  if (kind === "package") await revokeDays(tx, memberId, orderSn, at);
  else for (const { uid, quantity } of items) await countSold(tx, uid, -quantity);
  const isUnshipped = order.shippedAt === null;
  await tx
    .update(orders)
    .set({ status: "closed", closeReason: "refund_due", closedAt: at, stockReturnedAt: isUnshipped ? at : null })
    .where(eq(orders.orderSn, orderSn));
  if (isUnshipped) await returnStock(tx, orderSn, "refund", at);
  await voidReports(tx, orderSn, at);
}

async function markRefunded(tx: Database, { orderSn }: Order, at: Date): Promise<void> {
  await tx.update(orders).set({ closeReason: "refunded" }).where(eq(orders.orderSn, orderSn));
  await tx.update(payments).set({ refundedAt: at }).where(eq(payments.orderSn, orderSn));
}
