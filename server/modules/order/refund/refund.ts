import { and, asc, eq, inArray, lte, or } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments, refunds } from "#server/db/schema/payment.ts";
import { getReason, OperatorError } from "#server/lib/errors.ts";
import { RefundRejectedError, type RefundRequest, toOrderSn, UnverifiedResponseError } from "#server/lib/payment-provider.ts";
import { createStateError, lockOrder } from "../fulfillment.ts";
import {
  findOpenRefund,
  findRefunds,
  firstQueryAfter,
  getTradeNo,
  isAccepted,
  isRefundable,
  type Refund,
  type RefundOutcome,
  recordRefund,
  sumAmounts,
} from "./record.ts";

/** `unclear`: the provider's response cannot be verified. Like a `requested` refund it is queried later. */
export type SentRefund = Refund["status"] | "unclear";

/**
 * Refunds what an order has not been refunded yet and returns the refund's status: `succeeded`, `processing`, `requested` when the provider did not respond, or `unclear`.
 * Each attempt is stored before it is sent. One that was interrupted or rejected is sent again under its number, as WeChat Pay requires; the provider pays a
 * number back once. Only after one that the provider has closed does the next one have a new number. Throws OperatorError.
 */
export async function refundOrder(context: Context, orderSn: string): Promise<{ refundNo: string; status: SentRefund }> {
  const resolved = await queryAbnormalRefund(context, orderSn);
  if (resolved) return resolved;
  const request = await insertRefund(context, orderSn);
  const { refundNo } = request;
  const status = await sendRefund(context, request);
  if (status !== "failed") return { refundNo, status };
  const [{ failure } = { failure: null }] = await context.db
    .select({ failure: refunds.failure })
    .from(refunds)
    .where(eq(refunds.refundNo, refundNo));
  throw new OperatorError(`The money was not refunded: the provider rejected ${refundNo} (${failure}).`);
}

/** Queries whether an abnormal refund has been resolved at the provider since; returns it then. */
async function queryAbnormalRefund(context: Context, orderSn: string): Promise<Pick<Refund, "refundNo" | "status"> | null> {
  const abnormal = (await findRefunds(context.db, orderSn)).find(({ failure }) => failure === "ABNORMAL");
  if (!abnormal) return null;
  await query(context, abnormal);
  const refund = (await findRefunds(context.db, orderSn)).find(({ refundNo }) => refundNo === abnormal.refundNo);
  return refund?.status === "succeeded" ? refund : null;
}

async function insertRefund(context: Context, orderSn: string): Promise<RefundRequest> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderSn);
    const open = await findOpenRefund(tx, orderSn);
    if (open?.status === "processing") throw new OperatorError(`The refund ${open.refundNo} is on its way.`);
    if (!open && !isRefundable(order)) throw createStateError(order, "only what was paid can be refunded");
    const conflict = await findProviderConflict(context, tx, orderSn);
    if (conflict) throw new OperatorError(`${conflict}: nothing was refunded.`);
    if (open) return { ...open, totalFen: order.payFen };
    const all = await findRefunds(tx, orderSn);
    const advice = all.map(getAdvice).find((text) => text !== null);
    if (advice) throw new OperatorError(advice);
    const elsewhere = all.filter((refund) => refund.isExternal && isAccepted(refund));
    const amountFen = order.payFen - sumAmounts(elsewhere);
    if (amountFen <= 0) throw new OperatorError(`The refund ${elsewhere.at(-1)?.refundNo} is on its way.`);
    const at = context.now();
    const own = all.filter(({ isExternal }) => !isExternal).at(-1);
    const isRejected = own?.status === "failed" && own.providerRefundId === null;
    const attempt = isRejected ? own.attempt : (all.at(-1)?.attempt ?? 0) + 1;
    const tradeNo = await getTradeNo(tx, orderSn);
    const refund = { refundNo: `${tradeNo}R${attempt}`, tradeNo, orderSn, attempt, amountFen };
    const nextQueryAt = new Date(at.getTime() + firstQueryAfter);
    const requested = { amountFen, status: "requested", createdAt: at, nextQueryAt } as const;
    await tx
      .insert(refunds)
      .values({ ...refund, ...requested })
      .onConflictDoUpdate({ target: refunds.refundNo, set: { ...requested, failure: null, endedAt: null, queryCount: 0 } });
    return { ...refund, totalFen: order.payFen };
  });
}

/** Returns what the operator has to do about a refund whose money the provider has taken and not paid to the member; null for all others. */
function getAdvice({ tradeNo, refundNo, failure }: Refund): string | null {
  const record = `npm run orders -- refund ${toOrderSn(tradeNo)} --done outside --why <reason>`;
  if (failure === "ABNORMAL")
    return `${refundNo} is abnormal: the member's account does not take the money, which waits at WeChat Pay. Resolve it there (pay.weixin.qq.com, 交易中心), by a bank card of the member's or back to the shop; the server sees the result within a day, or when you enter this again. If you have paid the member by other means: ${record}`;
  if (failure === "RETURNED")
    return `WeChat Pay has paid the money of ${refundNo} to the shop's own account. Pay the member by other means, then record it: ${record}`;
  return null;
}

/**
 * Returns why this process cannot refund an order: another provider has the money, and this one would report a refund that never was, or know nothing of the
 * payment. Null when it can, and for an order without a recorded payment.
 */
async function findProviderConflict({ payment }: Context, db: Database, orderSn: string): Promise<string | null> {
  const [paid] = await db.select({ provider: payments.provider }).from(payments).where(eq(payments.orderSn, orderSn));
  if (!paid || paid.provider === payment.name) return null;
  return `${orderSn} was paid with PAYMENT=${paid.provider}, and here PAYMENT is ${payment.name}`;
}

/** Sends a refund to the provider and records the response. Returns `requested` or `unclear` without a usable one: the scheduler queries it later. */
export async function sendRefund(context: Context, request: RefundRequest): Promise<SentRefund> {
  const outcome = await send(context, request);
  return typeof outcome === "string" ? outcome : recordRefund(context, request.refundNo, outcome);
}

async function send({ payment }: Context, request: RefundRequest): Promise<RefundOutcome | "requested" | "unclear"> {
  if (!payment.refund) return { status: "succeeded", refundId: request.refundNo };
  try {
    return await payment.refund(request);
  } catch (error) {
    if (error instanceof RefundRejectedError) return { status: "rejected", failure: error.message };
    console.error(`Sending a refund failed: ${getReason(error)}`);
    return error instanceof UnverifiedResponseError ? "unclear" : "requested";
  }
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** When a refund is queried, in ms after its creation; then daily. */
const queryTimes = [minute, 5 * minute, 10 * minute, 30 * minute];

/** Queries the state of all refunds that are due. Any number of processes may run this at once. Refunds of another provider are logged and left as they are. */
export async function updateRefunds(context: Context): Promise<void> {
  const { db, now } = context;
  const due = await db
    .select({ refundNo: refunds.refundNo })
    .from(refunds)
    .where(lte(refunds.nextQueryAt, now()))
    .orderBy(asc(refunds.nextQueryAt))
    .limit(50);
  for (const { refundNo } of due) if (!(await updateRefund(context, refundNo))) return;
}

/** Returns false when the provider did not respond: the refund is queried again in a minute, and the run ends. */
async function updateRefund(context: Context, refundNo: string): Promise<boolean> {
  const { db, now } = context;
  const at = now();
  const byRefundNo = eq(refunds.refundNo, refundNo);
  const [refund] = await db
    .update(refunds)
    .set({ nextQueryAt: new Date(at.getTime() + minute) })
    .where(and(byRefundNo, lte(refunds.nextQueryAt, at)))
    .returning();
  if (!refund) return true;
  if (!(await query(context, refund))) return false;
  // A refund that has ended meanwhile has no next query.
  const unfinishedCondition = or(inArray(refunds.status, ["requested", "processing"]), eq(refunds.failure, "ABNORMAL"));
  const next = queryTimes[refund.queryCount + 1];
  await db
    .update(refunds)
    .set({
      queryCount: refund.queryCount + 1,
      nextQueryAt: new Date(next === undefined ? at.getTime() + day : refund.createdAt.getTime() + next),
    })
    .where(and(byRefundNo, unfinishedCondition, lte(refunds.nextQueryAt, new Date(at.getTime() + day))));
  return true;
}

/** Returns false when the provider did not respond. */
async function query(context: Context, refund: Refund): Promise<boolean> {
  const { payment, db } = context;
  const { refundNo, tradeNo } = refund;
  const orderSn = toOrderSn(tradeNo);
  const conflict = await findProviderConflict(context, db, orderSn);
  if (conflict) {
    console.error(`The refund ${refundNo} is not queried: ${conflict}`);
    return true;
  }
  const [order] = await db.select({ payFen: orders.payFen }).from(orders).where(eq(orders.orderSn, orderSn));
  const request = { ...refund, totalFen: order?.payFen ?? refund.amountFen };
  const state = await payment.findRefund?.(request).catch((error: unknown) => {
    console.error(`Querying a refund failed: ${getReason(error)}`);
    return "no response" as const;
  });
  if (state === "no response") return false;
  if (state) await recordRefund(context, refundNo, state);
  // The process ended before the refund was sent.
  else if (refund.status === "requested" && !refund.isExternal) await sendRefund(context, request);
  else console.error(`The provider has no refund ${refundNo} any more`);
  return true;
}
