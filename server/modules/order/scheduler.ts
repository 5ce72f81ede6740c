import { and, asc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isDatabaseUnavailable, unwrapDatabaseError } from "../../db/database.ts";
import { orderRequests, orders } from "../../db/schema/order.ts";
import { payCodes } from "../../db/schema/payment.ts";
import { sweepSessions } from "../session/delete-expired.ts";
import { overdueOrders } from "./close.ts";
import { requestLifetime } from "./create.ts";
import { expire } from "./expire.ts";
import { type Reconciled, reconcile } from "./reconcile.ts";
import { followRefunds } from "./refund-status.ts";

const day = 24 * 3600_000;
/** How long after its shipment an order counts as received, in ms. */
const received = 14 * day;
/** For how long a closed order is asked about, and how often, in ms. */
const closedFor = 6 * 3600_000;
const askEvery = 30 * 60_000;
/** Where the last question got no answer. */
const askFailedEvery = 60_000;

/**
 * What time alone does to orders: the unpaid ones close, the shipped ones are completed, what is no longer needed goes. Any number of processes may do this
 * at once: each step is one conditional statement, or one per order.
 */
export async function runDueTasks(context: Context): Promise<void> {
  const { db, now } = context;
  await eachUntilSilent(await overdueOrders(context, 200), (orderSn) => expire(context, orderSn));
  if (context.payment.find) await askAgain(context);
  await followRefunds(context);
  const at = now();
  const before = (ms: number) => new Date(at.getTime() - ms);
  await db
    .update(orders)
    .set({ status: "completed", completedAt: at })
    .where(and(eq(orders.status, "shipped"), lte(orders.shippedAt, before(received))));
  await db.delete(orderRequests).where(lte(orderRequests.createdAt, before(requestLifetime)));
  await db.delete(payCodes).where(lte(payCodes.expiresAt, before(7 * day)));
}

/** Some at once, as each may have to wait for the provider; where it says nothing the rest has time until the next sweep. */
async function eachUntilSilent(orderSns: string[], ask: (orderSn: string) => Promise<Reconciled>): Promise<void> {
  const atOnce = 10;
  for (let at = 0; at < orderSns.length; at += atOnce) {
    const told = await Promise.all(orderSns.slice(at, at + atOnce).map(ask));
    if (told.includes("no telling")) return;
  }
}

/**
 * Orders that have closed unpaid are asked about at once, for money that came in the meantime, and for some hours more: its notice may have been lost.
 * What is unpaid then is closed at the provider too, which takes no more money for it.
 */
async function askAgain(context: Context): Promise<void> {
  const at = context.now().getTime();
  const since = gt(orders.closedAt, new Date(at - closedFor));
  const failed = and(gt(orders.askFailures, 0), lte(orders.askedAt, new Date(at - askFailedEvery)));
  const due = or(isNull(orders.askedAt), lte(orders.askedAt, new Date(at - askEvery)), failed);
  const closed = await context.db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.closeReason, "expired"), since, due))
    .orderBy(sql`${orders.askedAt} asc nulls first`, asc(orders.closedAt))
    .limit(50);
  await eachUntilSilent(
    closed.map(({ orderSn }) => orderSn),
    async (orderSn) => {
      const told = await reconcile(context, orderSn);
      return told === "unpaid" ? closeAtProvider(context, orderSn) : told;
    },
  );
}

/** Throws nothing: it is tried again when the order is asked about again. */
async function closeAtProvider(context: Context, orderSn: string): Promise<Reconciled> {
  const { db, now, payment } = context;
  const expired = and(eq(orders.orderSn, orderSn), eq(orders.closeReason, "expired"), isNull(orders.providerClosedAt));
  const [open] = await db.select({ orderSn: orders.orderSn }).from(orders).where(expired);
  if (!open || !payment.close) return "unpaid";
  const outcome = await payment.close(orderSn).catch((error: unknown) => {
    console.error(`Closing an order at the provider failed: ${error instanceof Error ? error.message : "no reason given"}`);
    return "no telling" as const;
  });
  if (outcome === "no telling") return outcome;
  const change = outcome === "closed" ? { providerClosedAt: now() } : { askedAt: null };
  await db.update(orders).set(change).where(expired);
  // Paid between the question and now.
  return outcome === "paid" ? reconcile(context, orderSn) : "unpaid";
}

/** Sweeps now and then until it is stopped, whatever fails meanwhile. */
export function startScheduler(context: Context, every: number): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  const run = async () => {
    while (!stopped) {
      const sweep = runDueTasks(context).then(() => sweepSessions(context));
      await sweep.catch((error: unknown) => {
        const fault = unwrapDatabaseError(error);
        // That the database is away is said by the requests that need it.
        if (!isDatabaseUnavailable(error))
          console.error(`Sweeping failed: ${fault instanceof Error ? fault.stack : String(fault)}`);
      });
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, every).unref();
      });
    }
  };
  const running = run();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
