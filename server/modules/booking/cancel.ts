import { and, eq, exists, gt, isNull, type SQL } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { bookings, campaigns } from "../../db/schema/booking.ts";
import { ApiError } from "../../lib/errors.ts";

/**
 * Withdraws a member's booking of a campaign, and its places are free at once. Returns without a change when there is no booking. Throws 10006 when it is
 * checked in, 50003 when the campaign has closed.
 */
export async function cancelBooking(context: Context, memberId: string, campaignUid: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const ownBooking = and(eq(bookings.memberId, memberId), eq(bookings.campaignUid, campaignUid));
    const openCampaign = tx
      .select({ uid: campaigns.uid })
      .from(campaigns)
      .where(and(eq(campaigns.uid, campaignUid), campaigns.onSale, gt(campaigns.closesAt, context.now())));
    if (await returnPlaces(context, tx, memberId, and(ownBooking, exists(openCampaign)))) return;
    const [booking] = await tx.select().from(bookings).where(ownBooking);
    if (booking) throw new ApiError(booking.checkedInAt ? codes.notAllowed : codes.bookingClosed);
  });
}

/** Deletes a member's booking in one statement that checks that it is not checked in; its places are free in the same transaction. False when there is none. */
export async function returnPlaces(
  context: Context,
  tx: Database,
  memberId: string,
  condition: SQL | undefined,
): Promise<boolean> {
  // As for a change by the member: stop and party size stay the same meanwhile.
  await context.locks.member(tx, memberId);
  const [booking] = await tx
    .delete(bookings)
    .where(and(condition, isNull(bookings.checkedInAt)))
    .returning();
  if (booking) await context.capacity.takePlaces(tx, booking, -booking.partySize);
  return booking !== undefined;
}
