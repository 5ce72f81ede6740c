import { and, asc, eq, isNull } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { unmatchedPayments } from "../../db/schema/payment.ts";
import type { ReportedPayment } from "../../lib/payment-provider.ts";

type UnmatchedPayment = typeof unmatchedPayments.$inferSelect;

/** Stores a payment that matches no order, or not the provider's bill. A repeated report changes nothing. */
export async function recordUnmatched(
  { now }: Context,
  tx: Database,
  { orderSn, provider, transactionId, payFen, paidAt }: ReportedPayment,
  reason: UnmatchedPayment["reason"],
): Promise<"unmatched"> {
  const rows = await tx
    .insert(unmatchedPayments)
    .values({ provider, transactionId, orderSn, reason, payFen, paidAt, receivedAt: now() })
    .onConflictDoNothing()
    .returning({ orderSn: unmatchedPayments.orderSn });
  if (rows.length > 0) console.error(`A payment does not match (${reason}): npm run orders -- unmatched shows it`);
  return "unmatched";
}

/** Finds the payments that the operator has not handled, oldest first. */
export function findOpenUnmatched(db: Database): Promise<UnmatchedPayment[]> {
  return db
    .select()
    .from(unmatchedPayments)
    .where(isNull(unmatchedPayments.handledAt))
    .orderBy(asc(unmatchedPayments.receivedAt), asc(unmatchedPayments.transactionId));
}

/** Marks a payment as handled; false when no open one has this transaction number. */
export async function handleUnmatched({ db, now }: Context, transactionId: string): Promise<boolean> {
  const rows = await db
    .update(unmatchedPayments)
    .set({ handledAt: now() })
    .where(and(eq(unmatchedPayments.transactionId, transactionId), isNull(unmatchedPayments.handledAt)))
    .returning({ orderSn: unmatchedPayments.orderSn });
  return rows.length > 0;
}
