import { and, asc, eq, isNull } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { otherNotices } from "../../db/schema/payment.ts";
import type { OtherNotice } from "../../lib/payment-provider.ts";

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

/** Marks a notice as handled; false when no open one has this id. */
export async function handleNotice({ db, now }: Context, noticeId: string): Promise<boolean> {
  const rows = await db
    .update(otherNotices)
    .set({ handledAt: now() })
    .where(and(eq(otherNotices.noticeId, noticeId), isNull(otherNotices.handledAt)))
    .returning({ noticeId: otherNotices.noticeId });
  return rows.length > 0;
}
