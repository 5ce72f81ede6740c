import { and, asc, eq, isNull } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { unmatchedPayments } from "../../db/schema/payment.ts";
import type { Money } from "../../lib/payment-provider.ts";

type Unmatched = typeof unmatchedPayments.$inferSelect;

/** Keeps money that fits no order, once however often it is reported. */
export async function keepUnmatched(
  { now }: Context,
  tx: Database,
  { orderSn, provider, transactionId, payFen, paidAt }: Money,
  reason: Unmatched["reason"],
): Promise<"unmatched"> {
  const added = await tx
    .insert(unmatchedPayments)
    .values({ provider, transactionId, orderSn, reason, payFen, paidAt, receivedAt: now() })
    .onConflictDoNothing()
    .returning({ orderSn: unmatchedPayments.orderSn });
  if (added.length > 0) console.error(`A payment fits no order (${reason}): npm run orders -- unmatched shows it`);
  return "unmatched";
}

/** Those that the operator has not dealt with, oldest first. */
export function openUnmatched(db: Database): Promise<Unmatched[]> {
  return db
    .select()
    .from(unmatchedPayments)
    .where(isNull(unmatchedPayments.handledAt))
    .orderBy(asc(unmatchedPayments.receivedAt), asc(unmatchedPayments.transactionId));
}

/** False when there is none of that transaction number to be dealt with. */
export async function handleUnmatched({ db, now }: Context, transactionId: string): Promise<boolean> {
  const handled = await db
    .update(unmatchedPayments)
    .set({ handledAt: now() })
    .where(and(eq(unmatchedPayments.transactionId, transactionId), isNull(unmatchedPayments.handledAt)))
    .returning({ orderSn: unmatchedPayments.orderSn });
  return handled.length > 0;
}
