import { and, asc, eq, isNull } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import { otherNotices, unmatchedPayments } from "#server/db/schema/payment.ts";
import type { OtherNotice, ReportedPayment } from "#server/lib/payment-provider.ts";

type UnmatchedPayment = typeof unmatchedPayments.$inferSelect;

/** Stores a payment that matches no order, or not the provider's bill. A repeated report changes nothing. */
export async function recordUnmatched(
  { now }: Context,
  tx: Database,
  { tradeNo, provider, transactionId, payFen, paidAt }: ReportedPayment,
  reason: UnmatchedPayment["reason"],
): Promise<"unmatched"> {
  const rows = await tx
    .insert(unmatchedPayments)
    .values({ provider, transactionId, tradeNo, reason, payFen, paidAt, receivedAt: now() })
    .onConflictDoNothing()
    .returning({ tradeNo: unmatchedPayments.tradeNo });
  if (rows.length > 0) console.error(`A payment does not match (${reason}): npm run orders -- unmatched shows it`);
  return "unmatched";
}

/** Returns whether a payment is recorded as one of an order that another had paid. */
export async function isSecondPayment(db: Database, transactionId: string): Promise<boolean> {
  const second = and(eq(unmatchedPayments.transactionId, transactionId), eq(unmatchedPayments.reason, "paid_before"));
  return (await db.select({ tradeNo: unmatchedPayments.tradeNo }).from(unmatchedPayments).where(second)).length > 0;
}

/** Finds the payments that the operator has not handled, oldest first. */
export function findOpenUnmatched(db: Database): Promise<UnmatchedPayment[]> {
  return db
    .select()
    .from(unmatchedPayments)
    .where(isNull(unmatchedPayments.handledAt))
    .orderBy(asc(unmatchedPayments.receivedAt), asc(unmatchedPayments.transactionId));
}

/** Stores a verified notice that the server does not handle, for the operator. A repeated one changes nothing. */
export async function recordOtherNotice(
  { db, now }: Context,
  noticeId: string,
  { eventType, content }: OtherNotice,
): Promise<void> {
  const rows = await db
    .insert(otherNotices)
    .values({ provider: "wechat", noticeId, eventType, content, receivedAt: now() })
    .onConflictDoNothing()
    .returning({ noticeId: otherNotices.noticeId });
  if (rows.length > 0) console.error(`A notice has nobody to handle it (${eventType}): npm run orders -- unmatched shows it`);
}

/** Finds the notices that the operator has not handled, oldest first. */
export function findOpenNotices(db: Database): Promise<(typeof otherNotices.$inferSelect)[]> {
  return db
    .select()
    .from(otherNotices)
    .where(isNull(otherNotices.handledAt))
    .orderBy(asc(otherNotices.receivedAt), asc(otherNotices.noticeId));
}

/** Marks a payment or a notice as handled; false when no open one has this number. */
export async function markHandled({ db, now }: Context, id: string): Promise<boolean> {
  for (const [table, number] of [
    [unmatchedPayments, unmatchedPayments.transactionId],
    [otherNotices, otherNotices.noticeId],
  ] as const) {
    const isOpen = and(eq(number, id), isNull(table.handledAt));
    if ((await db.update(table).set({ handledAt: now() }).where(isOpen).returning({ id: number })).length > 0) return true;
  }
  return false;
}
