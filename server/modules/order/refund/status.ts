import { and, asc, eq, inArray, lte, or } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { orders } from "../../../db/schema/order.ts";
import { refunds } from "../../../db/schema/payment.ts";
import { type Refund, recordRefund } from "./record.ts";
import { sendRefund, toRefundRequest } from "./refund.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** When a refund is queried, in ms after its creation; then daily. */
const queryTimes = [minute, 5 * minute, 10 * minute, 30 * minute];

/** Queries the state of all refunds that are due. Any number of processes may run this at once. */
export async function updateRefunds(context: Context): Promise<void> {
  const { payment, db, now } = context;
  if (!payment.findRefund) return;
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
  const { refundNo } = refund;
  const [order] = await db.select({ payFen: orders.payFen }).from(orders).where(eq(orders.orderSn, refund.orderSn));
  const request = toRefundRequest(refund, order?.payFen ?? refund.amountFen);
  const state = await payment.findRefund?.(request).catch((error: unknown) => {
    console.error(`Querying a refund failed: ${error instanceof Error ? error.message : "no reason given"}`);
    return "no response" as const;
  });
  if (state === "no response") return false;
  if (state) await recordRefund(context, refundNo, state);
  // The process ended before the refund was sent.
  else if (refund.status === "requested") await sendRefund(context, request);
  else console.error(`The provider has no refund ${refundNo} any more`);
  return true;
}
