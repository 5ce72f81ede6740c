import { and, eq, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { orders } from "#server/db/schema/order.ts";
import { getReason } from "#server/lib/errors.ts";
import { UnverifiedResponseError } from "#server/lib/payment-provider.ts";
import { type PaymentOutcome, recordPayment } from "./pay.ts";
import { findTradeNos } from "./prepay.ts";

/** Shortest time between two queries about one order, in ms, across all processes. */
const minInterval = 10_000;

/**
 * `paid`: a payment was found and recorded. `no response`: the query failed. `unclear`: the response could not be verified. `too soon`: another query was sent
 * within 10 s.
 */
export type Reconciliation = "paid" | "unpaid" | "no response" | "unclear" | "too soon";

/**
 * Queries the provider for a payment whose notice may have been lost, unless another query was sent within 10 s. Of a closed order the scheduler sends the first
 * one, as it closes the order at the provider too: until then it is too soon.
 */
export async function reconcile(context: Context, orderSn: string): Promise<Reconciliation> {
  const firstCondition = and(isNull(orders.queriedAt), ne(orders.status, "closed"));
  return query(context, orderSn, or(firstCondition, intervalCondition(context)));
}

/** Queries the provider for the scheduler, also for the first time since the order closed. */
export async function reconcileClosed(context: Context, orderSn: string): Promise<Reconciliation> {
  return query(context, orderSn, or(isNull(orders.queriedAt), intervalCondition(context)));
}

const intervalCondition = ({ now }: Context) => lte(orders.queriedAt, new Date(now().getTime() - minInterval));

/**
 * Queries the provider at once, for a change that depends on the response: an earlier query may have failed, be under way in any process, or have been sent
 * before the payment. Pages then wait 10 s for theirs.
 */
export async function reconcileNow(context: Context, orderSn: string): Promise<Reconciliation> {
  return query(context, orderSn, undefined);
}

async function query(context: Context, orderSn: string, dueCondition: SQL | undefined): Promise<Reconciliation> {
  const { payment, db, now } = context;
  if (!payment.find) return "unpaid";
  const at = now();
  const [order] = await db
    .update(orders)
    .set({ queriedAt: at })
    .where(and(eq(orders.orderSn, orderSn), dueCondition))
    .returning({ queryFailures: orders.queryFailures, unclearSince: orders.unclearSince });
  if (!order) return "too soon";
  const tradeNos = await findTradeNos(db, orderSn);
  const results = await Promise.all(tradeNos.map((tradeNo) => find(context, tradeNo, order.unclearSince !== null)));
  const outcomes: PaymentOutcome[] = [];
  for (const result of results) if (result && typeof result === "object") outcomes.push(await recordPayment(context, result));
  const failure = results.includes("unclear") ? "unclear" : results.includes("no response") ? "no response" : null;
  // A payment of another amount is stored as unmatched: the order remains unpaid.
  const isPaid = outcomes.some((outcome) => outcome !== "unmatched");
  if (failure && !isPaid) {
    if (failure === "unclear") await markUnclear(context, orderSn, at);
    await countFailure(context, orderSn, at);
    return failure;
  }
  if (order.queryFailures > 0 || order.unclearSince) await resetFailures(context, orderSn);
  return isPaid ? "paid" : "unpaid";
}

async function find({ payment }: Context, tradeNo: string, isUnclear: boolean) {
  try {
    return (await payment.find?.(tradeNo, isUnclear)) ?? null;
  } catch (error) {
    console.error(`Querying a payment failed: ${getReason(error)}`);
    return error instanceof UnverifiedResponseError ? "unclear" : "no response";
  }
}

/** Keeps an unpaid order open until a response is verified: it may be paid. */
async function markUnclear({ db }: Context, orderSn: string, at: Date): Promise<void> {
  const unmarkedCondition = and(eq(orders.orderSn, orderSn), eq(orders.status, "pending"), isNull(orders.unclearSince));
  await db.update(orders).set({ unclearSince: at }).where(unmarkedCondition);
}

/** Counts failures from the end of the time to pay on: before it nothing depends on the response. */
async function countFailure({ db }: Context, orderSn: string, at: Date): Promise<void> {
  await db
    .update(orders)
    .set({
      queryFailures: sql`${orders.queryFailures} + 1`,
      queryFailedSince: sql`coalesce(${orders.queryFailedSince}, ${at.toISOString()}::timestamptz)`,
    })
    .where(and(eq(orders.orderSn, orderSn), lte(orders.payExpireAt, at)));
}

async function resetFailures({ db }: Context, orderSn: string): Promise<void> {
  await db
    .update(orders)
    .set({ queryFailures: 0, queryFailedSince: null, unclearSince: null })
    .where(eq(orders.orderSn, orderSn));
}
