import { setTimeout as wait } from "node:timers/promises";
import { and, asc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { isDatabaseUnavailable, unwrapDatabaseError } from "#server/db/database.ts";
import { orderRequests, orders } from "#server/db/schema/order.ts";
import { payCodes } from "#server/db/schema/payment.ts";
import { deleteExpired } from "#server/modules/session/token.ts";
import { queryClosedFor } from "#src/api/order-rules.ts";
import { expire, findOverdueOrders } from "./close.ts";
import { compareDueBill } from "./compare.ts";
import { requestLifetime } from "./create.ts";
import { closePrepay, closeUnneededPrepays, findTradeNos } from "./prepay.ts";
import { type Reconciliation, reconcileClosed } from "./reconcile.ts";
import { updateRefunds } from "./refund/refund.ts";
import { sendDueReports } from "./shipping/report.ts";

const day = 24 * 3600_000;
/** How long after its shipment an order is completed, in ms. */
const completeAfter = 14 * day;
/** How often the provider is queried for payments of a closed order, in ms. */
const queryInterval = 30 * 60_000;
/** The interval after a failed query, and until an order is closed at the provider. */
const retryInterval = 60_000;

/**
 * Closes overdue orders, completes shipped ones, updates refunds, deletes expired request ids and pay codes, compares the bill of a day, and tells WeChat what was
 * sent. Any number of processes may run this at once: each step is one conditional statement, or one per order, day or report.
 */
export async function runDueTasks(context: Context): Promise<void> {
  const { db, now } = context;
  await forEachUntilFailure(await findOverdueOrders(context, 200), (orderSn) => expire(context, orderSn));
  if (context.payment.find) await reconcileClosedOrders(context);
  await closeUnneededPrepays(context);
  await updateRefunds(context);
  const at = now();
  const before = (ms: number) => new Date(at.getTime() - ms);
  await db
    .update(orders)
    .set({ status: "completed", completedAt: at })
    .where(and(eq(orders.status, "shipped"), lte(orders.shippedAt, before(completeAfter))));
  await db.delete(orderRequests).where(lte(orderRequests.createdAt, before(requestLifetime)));
  await db.delete(payCodes).where(lte(payCodes.expiresAt, before(7 * day)));
  await compareDueBill(context);
  await sendDueReports(context);
}

/** Calls `query` for ten orders at a time, as each may wait for the provider. Stops after a failure until the next run. */
async function forEachUntilFailure(orderSns: string[], query: (orderSn: string) => Promise<Reconciliation>): Promise<void> {
  const batchSize = 10;
  for (let start = 0; start < orderSns.length; start += batchSize) {
    const results = await Promise.all(orderSns.slice(start, start + batchSize).map(query));
    if (results.includes("no response")) return;
  }
}

/**
 * Queries the provider for payments of orders that expired in the last hours, whose notice may have been lost. Unpaid orders are closed at the provider too,
 * which then accepts no payment for them.
 */
async function reconcileClosedOrders(context: Context): Promise<void> {
  const at = context.now().getTime();
  const recentCondition = gt(orders.closedAt, new Date(at - queryClosedFor));
  // Failed queries of an order that was cancelled are not counted before its time to pay is over.
  const retryCondition = or(gt(orders.queryFailures, 0), context.payment.close && isNull(orders.providerClosedAt));
  const retryDueCondition = and(retryCondition, lte(orders.queriedAt, new Date(at - retryInterval)));
  const dueCondition = or(isNull(orders.queriedAt), lte(orders.queriedAt, new Date(at - queryInterval)), retryDueCondition);
  const closed = await context.db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.closeReason, "expired"), recentCondition, dueCondition))
    .orderBy(sql`${orders.queriedAt} asc nulls first`, asc(orders.closedAt))
    .limit(50);
  await forEachUntilFailure(
    closed.map(({ orderSn }) => orderSn),
    async (orderSn) => {
      const result = await reconcileClosed(context, orderSn);
      return result === "unpaid" ? closeAtProvider(context, orderSn) : result;
    },
  );
}

/** Closes all numbers of an unpaid order at the provider, or records a payment that came after the query. Failures are logged and retried with the next query. */
async function closeAtProvider(context: Context, orderSn: string): Promise<Reconciliation> {
  const { db, now, payment } = context;
  const expiredCondition = and(eq(orders.orderSn, orderSn), eq(orders.closeReason, "expired"), isNull(orders.providerClosedAt));
  const [expiredOrder] = await db.select({ orderSn: orders.orderSn }).from(orders).where(expiredCondition);
  if (!expiredOrder || !payment.close) return "unpaid";
  let isPaid = false;
  for (const tradeNo of await findTradeNos(db, orderSn)) {
    const outcome = await closePrepay(context, tradeNo);
    if (!outcome) return "no response";
    isPaid ||= outcome === "paid";
  }
  if (isPaid) return "paid";
  await db.update(orders).set({ providerClosedAt: now() }).where(expiredCondition);
  return "unpaid";
}

/** Time between two runs, in ms. */
const interval = 5_000;

/** Runs the due tasks until it is stopped; failures are logged. */
export function startScheduler(context: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      const tasks = runDueTasks(context).then(() => deleteExpired(context));
      await tasks.catch((error: unknown) => {
        const fault = unwrapDatabaseError(error);
        // Requests that need the database log that it is unavailable.
        if (!isDatabaseUnavailable(error))
          console.error(`The scheduler failed: ${fault instanceof Error ? fault.stack : String(fault)}`);
      });
      await wait(interval, null, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
