import { and, eq, exists, gt, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { activities, activityBookings } from "#server/db/schema/booking.ts";
import { packages } from "#server/db/schema/catalogue.ts";
import { memberships } from "#server/db/schema/member.ts";
import { randomBase32 } from "#server/lib/crypto.ts";
import { ApiError } from "#server/lib/errors.ts";
import { codes } from "#src/api/envelope.ts";

/** Books a member's one seat at an activity. Throws 10003 for an unknown activity, 50002 for a second seat, 50003 when it is not open for the member, 50001 when it is full. */
export async function bookSeat(context: Context, memberId: string, activityUid: string) {
  return inTransaction(context.db, async (tx) => {
    const at = context.now();
    const byActivityUid = eq(activities.uid, activityUid);
    // Waits for a rename of the show, after which it is not found.
    const [existing] = await tx.select({ uid: activities.uid }).from(activities).where(byActivityUid).for("key share");
    if (!existing) throw new ApiError(codes.notFound);
    const checkInCode = await insertBooking(tx, memberId, activityUid, at);
    const activity = await takeSeat(tx, activityUid, memberId, at);
    if (activity) return { activity, checkInCode };
    const [open] = await tx
      .select({ uid: activities.uid })
      .from(activities)
      .where(and(byActivityUid, isOpenFor(tx, memberId, at)));
    throw new ApiError(open ? codes.full : codes.bookingClosed);
  });
}

/** Takes a seat in one statement that checks places, times and the level of the member's pass. */
async function takeSeat(tx: Database, activityUid: string, memberId: string, at: Date) {
  const [activity] = await tx
    .update(activities)
    .set({ booked: sql`${activities.booked} + 1` })
    .where(and(eq(activities.uid, activityUid), lt(activities.booked, activities.capacity), isOpenFor(tx, memberId, at)))
    .returning();
  return activity ?? null;
}

/**
 * Gives a member's seat back, and it is free at once. Returns without a change when there is no booking. Throws 10003 for an unknown activity, 10006 when
 * the booking is checked in, 50003 when booking has closed.
 */
export async function cancelSeat(context: Context, tx: Database, memberId: string, activityUid: string): Promise<void> {
  const ownBooking = and(eq(activityBookings.activityUid, activityUid), eq(activityBookings.memberId, memberId));
  const isOpen = and(eq(activities.uid, activityUid), activities.onSale, gt(activities.closesAt, context.now()));
  const openActivity = tx.select({ uid: activities.uid }).from(activities).where(isOpen);
  if (await returnSeat(tx, and(ownBooking, exists(openActivity)))) return;
  const [row] = await tx
    .select({ memberId: activityBookings.memberId, checkedInAt: activityBookings.checkedInAt })
    .from(activities)
    .leftJoin(activityBookings, ownBooking)
    .where(eq(activities.uid, activityUid));
  if (!row) throw new ApiError(codes.notFound);
  if (row.checkedInAt) throw new ApiError(codes.notAllowed);
  // An open activity was booked again since the statement above.
  if (row.memberId && (await openActivity).length === 0) throw new ApiError(codes.bookingClosed);
}

/** Deletes a booking in one statement that checks that it is not checked in; its seat is free in the same transaction. */
export async function returnSeat(tx: Database, booking: SQL | undefined) {
  const [deleted] = await tx
    .delete(activityBookings)
    .where(and(booking, isNull(activityBookings.checkedInAt)))
    .returning({ activityUid: activityBookings.activityUid });
  if (!deleted) return null;
  const [activity] = await tx
    .update(activities)
    .set({ booked: sql`${activities.booked} - 1` })
    .where(eq(activities.uid, deleted.activityUid))
    .returning();
  return activity ?? null;
}

/** The condition that an activity is open: for everybody, or early for the level of the member's running pass, or a lower one. */
function isOpenFor(tx: Database, memberId: string, at: Date) {
  const early = tx
    .select({ level: packages.level })
    .from(memberships)
    .innerJoin(packages, eq(packages.uid, memberships.packageUid))
    .where(
      and(
        eq(memberships.memberId, memberId),
        gt(memberships.expiresAt, at),
        sql`exists (select from jsonb_array_elements(${activities.early}) as hour where (hour->>'level')::int <= ${packages.level} and (hour->>'opens_at')::timestamptz <= ${at.toISOString()}::timestamptz)`,
      ),
    );
  return and(activities.onSale, gt(activities.closesAt, at), or(lte(activities.opensAt, at), exists(early)));
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
