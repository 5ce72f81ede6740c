import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { orders } from "../../db/schema/order.ts";
import { recordPayment } from "./pay.ts";

/** One order is asked about at most so often, in ms, by all processes together. */
const pause = 10_000;

/** `paid`: money had arrived, and is booked now. `no telling`: the provider did not say. `asked lately`: nor was it asked. */
export type Reconciled = "paid" | "unpaid" | "no telling" | "asked lately";

/** Asks the provider for money that it may have reported in vain. */
export async function reconcile(context: Context, orderSn: string): Promise<Reconciled> {
  const { payment, db, now } = context;
  if (!payment.find) return "unpaid";
  const at = now();
  const due = or(isNull(orders.askedAt), lte(orders.askedAt, new Date(at.getTime() - pause)));
  const mine = await db
    .update(orders)
    .set({ askedAt: at })
    .where(and(eq(orders.orderSn, orderSn), due))
    .returning({ orderSn: orders.orderSn, askFailures: orders.askFailures });
  const [claim] = mine;
  if (!claim) return "asked lately";
  const money = await payment.find(orderSn).catch((error: unknown) => {
    console.error(`Asking for a payment failed: ${error instanceof Error ? error.message : "no reason given"}`);
    return "no telling" as const;
  });
  if (money === "no telling") await countFailure(context, orderSn, at);
  else if (claim.askFailures > 0) await forgetFailures(context, orderSn);
  if (money === null || money === "no telling") return money ?? "unpaid";
  // Money that does not fit the order is kept apart: the order is as unpaid as before.
  return (await recordPayment(context, money)) === "unmatched" ? "unpaid" : "paid";
}

/** Only what fails after the end of the order's time counts: before it, nothing depends on the answer. */
async function countFailure({ db }: Context, orderSn: string, at: Date): Promise<void> {
  await db
    .update(orders)
    .set({
      askFailures: sql`${orders.askFailures} + 1`,
      askFailedSince: sql`coalesce(${orders.askFailedSince}, ${at.toISOString()}::timestamptz)`,
    })
    .where(and(eq(orders.orderSn, orderSn), lte(orders.payExpireAt, at)));
}

async function forgetFailures({ db }: Context, orderSn: string): Promise<void> {
  await db
    .update(orders)
    .set({ askFailures: 0, askFailedSince: null })
    .where(and(eq(orders.orderSn, orderSn), gt(orders.askFailures, 0)));
}
