import { and, eq, gt, lt, lte, sql } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { activities, activityBookings } from "../../db/schema/activity.ts";
import { randomBase32 } from "../../lib/crypto.ts";
import { ApiError } from "../../lib/errors.ts";

interface Seat {
  activity: typeof activities.$inferSelect;
  checkInCode: string;
}

/** Books a member's one seat at an activity. Throws 10003 for an unknown activity, 50002 for a second seat, 50003 when it is not open, 50001 when it is full. */
export async function bookSeat(context: Context, memberId: string, activityUid: string): Promise<Seat> {
  return inTransaction(context.db, async (tx) => {
    const at = context.now();
    const byActivityUid = eq(activities.uid, activityUid);
    const [existing] = await tx.select({ uid: activities.uid }).from(activities).where(byActivityUid);
    if (!existing) throw new ApiError(codes.notFound);
    const checkInCode = await insertBooking(tx, memberId, activityUid, at);
    const activity = await context.capacity.takeSeat(tx, activityUid, at);
    if (activity) return { activity, checkInCode };
    const [current] = await tx.select().from(activities).where(byActivityUid);
    const isOpen = current && current.opensAt <= at && at < current.closesAt;
    throw new ApiError(isOpen ? codes.full : codes.bookingClosed);
  });
}

export async function takeSeat(tx: Database, activityUid: string, at: Date) {
  const openCondition = and(lte(activities.opensAt, at), gt(activities.closesAt, at));
  const [activity] = await tx
    .update(activities)
    .set({ booked: sql`${activities.booked} + 1` })
    .where(and(eq(activities.uid, activityUid), lt(activities.booked, activities.capacity), openCondition))
    .returning();
  return activity ?? null;
}

/** Inserts a booking and returns its random check-in code. The caller takes the seat, or rolls back. */
async function insertBooking(tx: Database, memberId: string, activityUid: string, at: Date): Promise<string> {
  const checkInCode = randomBase32(8);
  const rows = await tx
    .insert(activityBookings)
    .values({ activityUid, memberId, checkInCode, bookedAt: at })
    .onConflictDoNothing({ target: [activityBookings.activityUid, activityBookings.memberId] })
    .returning({ memberId: activityBookings.memberId });
  if (rows.length === 0) throw new ApiError(codes.alreadyBooked);
  return checkInCode;
}
