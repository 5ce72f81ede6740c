import { and, eq, gt, lt, lte, sql } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { activities, activityBookings } from "../../db/schema/activity.ts";
import { ApiError } from "../../lib/api-error.ts";
import { randomBase32 } from "../../lib/crypto.ts";

interface Seat {
  activity: typeof activities.$inferSelect;
  checkInCode: string;
}

/** Books a member's one seat at an activity. Throws 10003 for one that is not there, 50002 for a second seat, 50003 when it is not open, 50001 when it is full. */
export async function bookSeat(context: Context, memberId: string, activityUid: string): Promise<Seat> {
  return inTransaction(context.db, async (tx) => {
    const at = context.now();
    const own = eq(activities.uid, activityUid);
    const [known] = await tx.select({ uid: activities.uid }).from(activities).where(own);
    if (!known) throw new ApiError(codes.notFound);
    const checkInCode = await note(tx, memberId, activityUid, at);
    const activity = await context.capacity.takeSeat(tx, activityUid, at);
    if (activity) return { activity, checkInCode };
    const [now] = await tx.select().from(activities).where(own);
    const isOpen = now && now.opensAt <= at && at < now.closesAt;
    throw new ApiError(isOpen ? codes.full : codes.bookingClosed);
  });
}

export async function takeSeat(tx: Database, activityUid: string, at: Date) {
  const isOpen = and(lte(activities.opensAt, at), gt(activities.closesAt, at));
  const [activity] = await tx
    .update(activities)
    .set({ booked: sql`${activities.booked} + 1` })
    .where(and(eq(activities.uid, activityUid), lt(activities.booked, activities.capacity), isOpen))
    .returning();
  return activity ?? null;
}

/** Writes a member down, under a code that nobody guesses; the caller takes the seat or everything back. */
async function note(tx: Database, memberId: string, activityUid: string, at: Date): Promise<string> {
  const checkInCode = randomBase32(8);
  const noted = await tx
    .insert(activityBookings)
    .values({ activityUid, memberId, checkInCode, bookedAt: at })
    .onConflictDoNothing({ target: [activityBookings.activityUid, activityBookings.memberId] })
    .returning({ memberId: activityBookings.memberId });
  if (noted.length === 0) throw new ApiError(codes.alreadyBooked);
  return checkInCode;
}
