import { and, asc, eq, gt, isNull, lte, or } from "drizzle-orm";
import { databaseFault, isDatabaseAway } from "../db/database.ts";
import { orderRequests, orders } from "../db/schema/order.ts";
import { payCodes } from "../db/schema/payment.ts";
import type { World } from "../lib/world.ts";
import { askForPayment } from "./order-ask.ts";
import { overdueOrders } from "./order-close.ts";
import { requestBound } from "./order-create.ts";
import { expire } from "./order-expire.ts";
import { sweepSessions } from "./session-sweep.ts";

const day = 24 * 3600_000;
/** How long after its shipment an order counts as received, in ms. */
const received = 14 * day;
/** For how long a closed order is asked about, and how often, in ms. */
const closedFor = 6 * 3600_000;
const askEvery = 30 * 60_000;

/**
 * What time alone does to orders: the unpaid ones close, the shipped ones are completed, what is no longer needed goes. Any number of processes may do this
 * at once: each step is one conditional statement, or one per order.
 */
export async function sweepOrders(world: World): Promise<void> {
  const { db, now } = world;
  for (const order of await overdueOrders(world, 200)) {
    // A provider that says nothing would be waited for at every one of them.
    if ((await expire(world, order)) === "no telling") break;
  }
  if (world.payment.find) await askAgain(world);
  const at = now();
  const before = (ms: number) => new Date(at.getTime() - ms);
  await db
    .update(orders)
    .set({ status: "completed", completedAt: at })
    .where(and(eq(orders.status, "shipped"), lte(orders.shippedAt, before(received))));
  await db.delete(orderRequests).where(lte(orderRequests.createdAt, before(requestBound)));
  await db.delete(payCodes).where(lte(payCodes.expiresAt, before(7 * day)));
}

/** Orders that have closed unpaid are asked about for some hours more: money may have come since, and its notice been lost. */
async function askAgain(world: World): Promise<void> {
  const at = world.now().getTime();
  const since = gt(orders.closedAt, new Date(at - closedFor));
  const due = or(isNull(orders.askedAt), lte(orders.askedAt, new Date(at - askEvery)));
  const closed = await world.db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.closeReason, "expired"), since, due))
    .orderBy(asc(orders.closedAt))
    .limit(50);
  for (const { orderSn } of closed) {
    if ((await askForPayment(world, orderSn)) === "no telling") break;
  }
}

/** Sweeps now and then until it is stopped, whatever fails meanwhile. */
export function startSweeper(world: World, every: number): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  const run = async () => {
    while (!stopped) {
      const sweep = sweepOrders(world).then(() => sweepSessions(world));
      await sweep.catch((error: unknown) => {
        const fault = databaseFault(error);
        // That the database is away is said by the requests that need it.
        if (!isDatabaseAway(error)) console.error(`Sweeping failed: ${fault instanceof Error ? fault.stack : String(fault)}`);
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
