import { and, eq, gte, lte } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { orders } from "../../db/schema/order.ts";
import { closeOverdue } from "./close.ts";
import { type Reconciled, reconcile } from "./reconcile.ts";

/** After so many questions without an answer, the last of them so long after the first, in ms, an order is closed unasked. It is asked about again at once. */
const tries = 3;
const patience = 10 * 60_000;

/** What is to be done once an order's time to pay is over: asks for money that nobody reported, then closes it. Reads and the sweeper both call this. */
export async function expire(context: Context, orderSn: string): Promise<Reconciled> {
  const told = await reconcile(context, orderSn);
  if (told === "unpaid" || (told === "no telling" && (await isGivenUp(context, orderSn)))) await closeOverdue(context, orderSn);
  return told;
}

async function isGivenUp({ db, now }: Context, orderSn: string): Promise<boolean> {
  const long = lte(orders.askFailedSince, new Date(now().getTime() - patience));
  const found = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.orderSn, orderSn), gte(orders.askFailures, tries), long));
  return found.length > 0;
}
