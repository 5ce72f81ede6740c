import { and, eq, gte, lte } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { orders } from "../../db/schema/order.ts";
import { closeOverdue } from "./close.ts";
import { type Reconciliation, reconcile } from "./reconcile.ts";

/** After this many failed queries over at least this time, in ms, an order is closed without a response. The provider is queried again at once. */
const minFailures = 3;
const minFailingTime = 10 * 60_000;

/** Queries the provider for an unreported payment of an order whose time to pay is over, then closes the order. */
export async function expire(context: Context, orderSn: string): Promise<Reconciliation> {
  const result = await reconcile(context, orderSn);
  const mayClose = result === "unpaid" || (result === "no response" && (await hasFailedLongEnough(context, orderSn)));
  if (mayClose) await closeOverdue(context, orderSn);
  return result;
}

async function hasFailedLongEnough({ db, now }: Context, orderSn: string): Promise<boolean> {
  const isLong = lte(orders.askFailedSince, new Date(now().getTime() - minFailingTime));
  const rows = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.orderSn, orderSn), gte(orders.queryFailures, minFailures), isLong));
  return rows.length > 0;
}
