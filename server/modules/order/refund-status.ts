import { and, asc, eq, inArray, lte, or } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { orders } from "../../db/schema/order.ts";
import { refunds } from "../../db/schema/payment.ts";
import { requestOf, sendRefund } from "./refund.ts";
import { type Refund, recordRefund } from "./refund-record.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** When a refund is asked about, in ms after it began; then daily. */
const asks = [minute, 5 * minute, 10 * minute, 30 * minute];

/** Asks the provider how far refunds are whose time to be asked about has come; any number of processes may do this at once. */
export async function followRefunds(context: Context): Promise<void> {
  const { payment, db, now } = context;
  if (!payment.findRefund) return;
  const due = await db
    .select({ refundNo: refunds.refundNo })
    .from(refunds)
    .where(lte(refunds.nextAskAt, now()))
    .orderBy(asc(refunds.nextAskAt))
    .limit(50);
  for (const { refundNo } of due) if (!(await followRefund(context, refundNo))) return;
}

/** False when the provider did not answer: then it is asked again in a minute, and no more now. */
async function followRefund(context: Context, refundNo: string): Promise<boolean> {
  const { db, now } = context;
  const at = now();
  const own = eq(refunds.refundNo, refundNo);
  const [mine] = await db
    .update(refunds)
    .set({ nextAskAt: new Date(at.getTime() + minute) })
    .where(and(own, lte(refunds.nextAskAt, at)))
    .returning();
  if (!mine) return true;
  if (!(await ask(context, mine))) return false;
  // Only what still waits is asked about again: its end has taken the time away.
  const waits = or(inArray(refunds.status, ["requested", "processing"]), eq(refunds.failure, "ABNORMAL"));
  const next = asks[mine.asks + 1];
  await db
    .update(refunds)
    .set({
      asks: mine.asks + 1,
      nextAskAt: new Date(next === undefined ? at.getTime() + day : mine.createdAt.getTime() + next),
    })
    .where(and(own, waits, lte(refunds.nextAskAt, new Date(at.getTime() + day))));
  return true;
}

/** False when the provider did not answer. */
async function ask(context: Context, refund: Refund): Promise<boolean> {
  const { payment, db } = context;
  const { refundNo } = refund;
  const [order] = await db.select({ payFen: orders.payFen }).from(orders).where(eq(orders.orderSn, refund.orderSn));
  const request = requestOf(refund, order?.payFen ?? refund.amountFen);
  const state = await payment.findRefund?.(request).catch((error: unknown) => {
    console.error(`Asking for a refund failed: ${error instanceof Error ? error.message : "no reason given"}`);
    return "no telling" as const;
  });
  if (state === "no telling") return false;
  if (state) await recordRefund(context, refundNo, state);
  // It broke off before the provider had heard of it.
  else if (refund.status === "requested") await sendRefund(context, request);
  else console.error(`The provider no longer knows the refund ${refundNo}`);
  return true;
}
