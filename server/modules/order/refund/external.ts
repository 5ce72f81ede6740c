import { and, eq } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments, refunds } from "#server/db/schema/payment.ts";
import { getReason, OperatorError } from "#server/lib/errors.ts";
import { type ReportedRefund, toOrderSn } from "#server/lib/payment-provider.ts";
import { type Operator, recordAct } from "#server/modules/audit/audit.ts";
import { createStateError, lockOrder } from "../fulfillment.ts";
import { recordPayment } from "../pay.ts";
import { reconcileNow } from "../reconcile.ts";
import {
  applyOutcome,
  findOpenRefund,
  findRefunds,
  firstQueryAfter,
  getTradeNo,
  isRefundable,
  isRefundOf,
  recordConsequences,
  recordRefund,
  sumAmounts,
} from "./record.ts";

/**
 * `recorded`: with its consequences once the whole sum is refunded. `other refund`: there is one of the same number with another order or sum. `unknown payment`:
 * of a payment that is not recorded. `no response`: the order's payment is not recorded, and the provider did not respond to a query.
 */
export type ReportOutcome = "recorded" | "other refund" | "unknown payment" | "no response";

/** Records a refund as the provider reports it, whoever has requested it. A repeated report changes nothing. */
export async function recordReportedRefund(context: Context, refund: ReportedRefund): Promise<ReportOutcome> {
  const { db } = context;
  const { refundNo, state } = refund;
  const orderSn = toOrderSn(refund.tradeNo);
  if (await isRefundOf(db, refund)) {
    await recordRefund(context, refundNo, state);
    return "recorded";
  }
  const [other] = await db.select({ refundNo: refunds.refundNo }).from(refunds).where(eq(refunds.refundNo, refundNo));
  if (other) return "other refund";
  const isOrder = async (from: typeof orders | typeof payments) =>
    (await db.select({ orderSn: from.orderSn }).from(from).where(eq(from.orderSn, orderSn))).length > 0;
  // The notice of the payment may have been lost.
  if (!(await isOrder(payments)) && (await isOrder(orders))) {
    if (["no response", "unclear"].includes(await reconcileNow(context, orderSn))) return "no response";
  }
  return inTransaction(db, (tx) => insertExternalRefund(context, tx, refund));
}

async function insertExternalRefund(context: Context, tx: Database, refund: ReportedRefund): Promise<ReportOutcome> {
  const { refundNo, tradeNo, transactionId, amountFen, state } = refund;
  const orderSn = toOrderSn(tradeNo);
  const paymentCondition = and(eq(payments.tradeNo, tradeNo), eq(payments.transactionId, transactionId));
  if ((await tx.select({ orderSn: payments.orderSn }).from(payments).where(paymentCondition)).length === 0)
    return "unknown payment";
  const order = await lockOrder(tx, orderSn);
  const at = context.now();
  const nextQueryAt = new Date(at.getTime() + firstQueryAfter);
  const row = { refundNo, tradeNo, orderSn, attempt: await getNextAttempt(tx, orderSn), amountFen, isExternal: true };
  await tx
    .insert(refunds)
    .values({ ...row, status: "requested", createdAt: at, nextQueryAt })
    .onConflictDoNothing();
  await applyOutcome(tx, order, refundNo, { outcome: state, at });
  return "recorded";
}

async function getNextAttempt(tx: Database, orderSn: string): Promise<number> {
  return ((await findRefunds(tx, orderSn)).at(-1)?.attempt ?? 0) + 1;
}

const formatYuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`;

/** Records that the operator has given the money back by other means, of a part or, where `amountFen` is null, all that is left, and its consequences. Returns the sum, and whether all is refunded. Throws OperatorError. */
export async function recordHandRefund(
  context: Context,
  orderSn: string,
  amountFen: number | null,
  operator: Operator,
): Promise<{ amountFen: number; isWhole: boolean }> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderSn);
    const open = await findOpenRefund(tx, orderSn);
    if (open) throw new OperatorError(`${orderSn} is being refunded (${open.refundNo}): nothing was recorded.`);
    if (!isRefundable(order)) throw createStateError(order, "only what was paid can be refunded");
    const succeeded = (await findRefunds(tx, orderSn)).filter(({ status }) => status === "succeeded");
    const left = order.payFen - sumAmounts(succeeded);
    const sum = amountFen ?? left;
    if (sum > left) throw new OperatorError(`${orderSn}: only ${formatYuan(left)} are left to refund: nothing was recorded.`);
    const [at, attempt] = [context.now(), await getNextAttempt(tx, orderSn)];
    const tradeNo = await getTradeNo(tx, orderSn);
    const row = { refundNo: `${tradeNo}R${attempt}`, tradeNo, orderSn, attempt, amountFen: sum, isExternal: true };
    await tx.insert(refunds).values({ ...row, status: "succeeded", createdAt: at, endedAt: at });
    await recordConsequences(tx, order, at);
    const { memberId } = order;
    await recordAct(tx, operator, { at, act: "orders refund", subject: orderSn, memberId, after: formatYuan(sum) });
    return { amountFen: sum, isWhole: sum === left };
  });
}

/**
 * Queries the provider, before goods are shipped, for refunds that were made elsewhere: they put the order on the operator's list, and it is not shipped. Returns
 * false when that cannot be known: the provider does not respond, or this process has another one.
 */
export async function checkForRefund(context: Context, orderSn: string): Promise<boolean> {
  const { db, payment } = context;
  const toShip = and(eq(orders.orderSn, orderSn), eq(orders.kind, "goods"), eq(orders.status, "paid"));
  const [paid] = await db
    .select({ provider: payments.provider, tradeNo: payments.tradeNo })
    .from(orders)
    .innerJoin(payments, eq(payments.orderSn, orders.orderSn))
    .where(toShip);
  if (!paid || paid.provider === "sandbox") return true;
  if (!payment.find || paid.provider !== payment.name) return false;
  const found = await payment.find(paid.tradeNo).catch((error: unknown) => {
    console.error(`Querying a payment failed: ${getReason(error)}`);
    return "no response" as const;
  });
  if (found === "no response") return false;
  if (found?.isRefunded) await recordPayment(context, found);
  return true;
}
