import { and, eq, gte, inArray, isNull, lt, lte } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import { billComparisons, payments } from "#server/db/schema/payment.ts";
import { startOfDay, toDay } from "#server/lib/china-time.ts";
import { getReason } from "#server/lib/errors.ts";
import type { Bill, BilledRefund, ReportedPayment } from "#server/lib/payment-provider.ts";
import { type PaymentOutcome, recordPayment } from "./pay.ts";
import { type ReportOutcome, recordReportedRefund } from "./refund/external.ts";
import { isRefundOf } from "./refund/record.ts";
import { isSecondPayment, recordUnmatched } from "./unmatched.ts";

type RecordedPayment = typeof payments.$inferSelect;

/** A difference between a day's bill and what is recorded. What is missing here is recorded now where it matches an order. */
export type Finding =
  | { kind: "missing here"; payment: ReportedPayment; outcome: PaymentOutcome }
  | { kind: "missing there"; payment: RecordedPayment }
  | { kind: "differs"; payment: ReportedPayment; recorded: RecordedPayment }
  | { kind: "refund missing here"; refund: BilledRefund; outcome: ReportOutcome | "unknown there" };

const hour = 3600_000;
const day = 24 * hour;
/** The bill of a day is there from 10:00 of the next one on, in China. */
const billedAfter = day + 10 * hour;
/** Days whose bills are compared after an absence of the server. */
const daysBack = 7;
/** The interval after a failure, and while the provider is making a bill. WeChat Pay recommends half an hour. */
const retryInterval = 30 * 60_000;

/** Returns the last day in China whose bill is there, as `2026-11-28`; or one of those before it. */
export function getLastBilledDay(now: Date, before = 0): string {
  return toDay(new Date(now.getTime() - billedAfter - before * day));
}

/** Compares the payments of a day in China with the provider's bill, and stores what does not match for the operator. Null while there is no bill yet. Throws when the provider gives no usable response. */
export async function compareBill(context: Context, billedDay: string) {
  const bill = await context.payment.findBill?.(billedDay);
  if (!bill) return null;
  const start = startOfDay(billedDay);
  const inDay = and(gte(payments.paidAt, start), lt(payments.paidAt, new Date(start.getTime() + day)));
  const { db, payment } = context;
  const recorded = await db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, payment.name), inDay));
  const findings = [
    ...(await comparePayments(context, bill, recorded)),
    ...(await findMissingThere(context, bill, recorded)),
    ...(await compareRefunds(context, bill)),
  ];
  return { billed: bill.payments.length, findings };
}

async function comparePayments(context: Context, bill: Bill, recorded: RecordedPayment[]): Promise<Finding[]> {
  const { db } = context;
  const byId = new Map(recorded.map((payment) => [payment.transactionId, payment]));
  const findings: Finding[] = [];
  for (const payment of bill.payments) {
    const { transactionId } = payment;
    const match =
      byId.get(transactionId) ?? (await db.select().from(payments).where(eq(payments.transactionId, transactionId)))[0];
    // A payment that was given back is no difference.
    if (!match && (await isSecondPayment(db, transactionId))) continue;
    if (!match) findings.push({ kind: "missing here", payment, outcome: await recordPayment(context, payment) });
    else if (match.payFen !== payment.payFen || match.tradeNo !== payment.tradeNo) {
      await recordUnmatched(context, db, payment, "differs_in_bill");
      findings.push({ kind: "differs", payment, recorded: match });
    }
  }
  return findings;
}

async function findMissingThere(context: Context, bill: Bill, recorded: RecordedPayment[]): Promise<Finding[]> {
  const billed = new Set(bill.payments.map(({ transactionId }) => transactionId));
  const missing = recorded.filter(({ transactionId }) => !billed.has(transactionId));
  for (const payment of missing) await recordUnmatched(context, context.db, payment, "not_in_bill");
  return missing.map((payment) => ({ kind: "missing there", payment }));
}

/** A bill contains how a refund began, not what has become of it, which is queried. */
async function compareRefunds(context: Context, bill: Bill): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const refund of bill.refunds) {
    if (await isRefundOf(context.db, refund)) continue;
    const state = await context.payment.findRefund?.(refund);
    const outcome = state ? await recordReportedRefund(context, { ...refund, state }) : "unknown there";
    if (outcome === "no response") throw new Error("the provider did not respond to a query");
    findings.push({ kind: "refund missing here", refund, outcome });
  }
  return findings;
}

/** Compares one day's bill that has not been compared yet, of the last seven, the oldest first. Of any number of processes, one compares a day. */
export async function compareDueBill(context: Context): Promise<void> {
  if (!context.payment.findBill) return;
  const billedDay = await claimDay(context);
  if (!billedDay) return;
  const comparison = await compareBill(context, billedDay).catch((error: unknown) => {
    console.error(`Comparing the bill of ${billedDay} failed: ${getReason(error)}`);
    return null;
  });
  if (!comparison) return;
  await context.db.update(billComparisons).set({ endedAt: context.now() }).where(eq(billComparisons.day, billedDay));
  const { length } = comparison.findings;
  if (length > 0) console.error(`The bill of ${billedDay} differs in ${length}: npm run orders -- compare ${billedDay}`);
}

async function claimDay({ db, now }: Context): Promise<string | null> {
  const at = now();
  const days = Array.from({ length: daysBack }, (_, index) => getLastBilledDay(at, index)).reverse();
  const rows = await db.select().from(billComparisons).where(inArray(billComparisons.day, days));
  const retryBefore = getRetryTime(at);
  const isDue = (one: string) =>
    rows.every(({ day, endedAt, startedAt }) => day !== one || (!endedAt && startedAt <= retryBefore));
  for (const day of days.filter(isDue)) if (await claimBill(db, day, at)) return day;
  return null;
}

const getRetryTime = (at: Date) => new Date(at.getTime() - retryInterval);

async function claimBill(db: Database, day: string, at: Date): Promise<boolean> {
  const rows = await db
    .insert(billComparisons)
    .values({ day, startedAt: at })
    .onConflictDoUpdate({
      target: billComparisons.day,
      set: { startedAt: at },
      setWhere: and(isNull(billComparisons.endedAt), lte(billComparisons.startedAt, getRetryTime(at))),
    })
    .returning({ day: billComparisons.day });
  return rows.length > 0;
}
