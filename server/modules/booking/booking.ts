import { and, eq, exists, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type * as v from "valibot";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { bookings, campaigns, stops } from "#server/db/schema/booking.ts";
import { randomBase32 } from "#server/lib/crypto.ts";
import { ApiError } from "#server/lib/errors.ts";
import { lockMember } from "#server/modules/member/member.ts";
import type { makeBookingPayload } from "#src/api/booking.ts";
import { codes } from "#src/api/envelope.ts";

/**
 * Creates or changes a member's one booking of a campaign. The places of the previous booking are returned and those of the new one taken in one transaction.
 * Throws 10003 for an unknown campaign or stop, 50003 when it is not open or the stop is cancelled, or it or that of the previous booking has begun, 10006 when the booking is
 * checked in, 50001 when too few places are left.
 */
export async function saveBooking(
  context: Context,
  memberId: string,
  payload: v.InferOutput<ReturnType<typeof makeBookingPayload>>,
): Promise<typeof bookings.$inferSelect> {
  return inTransaction(context.db, async (tx) => {
    await lockMember(tx, memberId);
    const at = context.now();
    const { campaign: campaignUid, stop, name, mobile, party_size: partySize, note } = payload;
    await requireOpen(tx, campaignUid, stop, at);
    const ownBooking = and(eq(bookings.memberId, memberId), eq(bookings.campaignUid, campaignUid));
    // Locks the row: a check-in waits for the change, or is seen here.
    const [previous] = await tx.select().from(bookings).where(ownBooking).for("update");
    if (previous?.checkedInAt) throw new ApiError(codes.notAllowed);
    // As for a withdrawal: the operator's list keeps who did not come.
    if (previous && previous.stop !== stop) await requireNotBegun(tx, previous, at);

    const changes = new Map([[stop, partySize]]);
    if (previous) changes.set(previous.stop, (changes.get(previous.stop) ?? 0) - previous.partySize);
    // Sorted, so that two members who swap stops do not deadlock.
    const sorted = [...changes].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, count] of sorted) {
      if (!(await takePlaces(tx, { campaignUid, stop: name }, count))) throw new ApiError(codes.full);
    }

    const values = { stop, name, mobile, partySize, note, updatedAt: at };
    const [booking] = previous
      ? await tx.update(bookings).set(values).where(ownBooking).returning()
      : await tx
          .insert(bookings)
          .values({ memberId, campaignUid, ...values, checkInCode: randomBase32(8), createdAt: at })
          .returning();
    if (!booking) throw new Error("the booking was not inserted");
    return booking;
  });
}

async function requireOpen(tx: Database, campaignUid: string, stop: string, at: Date): Promise<void> {
  const [campaign] = await tx
    .select({
      opensAt: campaigns.opensAt,
      closesAt: campaigns.closesAt,
      startsAt: stops.startsAt,
      onSale: sql<boolean>`${campaigns.onSale} and ${stops.onSale} and ${stops.status} <> 'cancelled'`,
    })
    .from(stops)
    .innerJoin(campaigns, eq(campaigns.uid, stops.campaignUid))
    .where(and(eq(stops.campaignUid, campaignUid), eq(stops.stop, stop)))
    // Waits for a rename of the tour, after which it is not found.
    .for("key share", { of: stops });
  if (!campaign) throw new ApiError(codes.notFound);
  const isOver = at >= campaign.closesAt || at >= campaign.startsAt;
  if (!campaign.onSale || at < campaign.opensAt || isOver) throw new ApiError(codes.bookingClosed);
}

async function requireNotBegun(tx: Database, { campaignUid, stop }: typeof bookings.$inferSelect, at: Date): Promise<void> {
  const begun = and(eq(stops.campaignUid, campaignUid), eq(stops.stop, stop), lte(stops.startsAt, at));
  if ((await tx.select({ stop: stops.stop }).from(stops).where(begun)).length > 0) throw new ApiError(codes.bookingClosed);
}

/** Increments the booked places if the capacity suffices, in one statement, so that concurrent bookings cannot overbook a stop. */
async function takePlaces(
  tx: Database,
  { campaignUid, stop }: { campaignUid: string; stop: string },
  count: number,
): Promise<boolean> {
  const capacityCondition = count < 0 ? undefined : sql`${stops.taken} + ${count} <= ${stops.capacity}`;
  const rows = await tx
    .update(stops)
    .set({ taken: sql`${stops.taken} + ${count}` })
    .where(and(eq(stops.campaignUid, campaignUid), eq(stops.stop, stop), capacityCondition))
    .returning({ stop: stops.stop });
  return rows.length > 0;
}

/**
 * Withdraws a member's booking of a campaign, and its places are free at once. Returns without a change when there is no booking. Throws 10006 when it is
 * checked in, 50003 when the campaign has closed or the stop has begun: the operator's list keeps who did not come.
 */
export async function cancelBooking(context: Context, tx: Database, memberId: string, campaignUid: string): Promise<void> {
  const ownBooking = and(eq(bookings.memberId, memberId), eq(bookings.campaignUid, campaignUid));
  const at = context.now();
  const openStop = tx
    .select({ stop: stops.stop })
    .from(stops)
    .innerJoin(campaigns, eq(campaigns.uid, stops.campaignUid))
    .where(
      and(
        eq(stops.campaignUid, bookings.campaignUid),
        eq(stops.stop, bookings.stop),
        campaigns.onSale,
        gt(campaigns.closesAt, at),
        gt(stops.startsAt, at),
      ),
    );
  if (await returnPlaces(tx, memberId, and(ownBooking, exists(openStop)))) return;
  const [booking] = await tx.select().from(bookings).where(ownBooking);
  if (booking) throw new ApiError(booking.checkedInAt ? codes.notAllowed : codes.bookingClosed);
}

/** Withdraws the pre-registration that the condition selects, unless it is checked in; its places are free in the same transaction. False when there is none. */
export async function returnPlaces(tx: Database, memberId: string, condition: SQL | undefined): Promise<boolean> {
  // As for a change by the member: stop and party size stay the same meanwhile.
  await lockMember(tx, memberId);
  const [booking] = await tx
    .delete(bookings)
    .where(and(condition, isNull(bookings.checkedInAt)))
    .returning();
  if (booking) await takePlaces(tx, booking, -booking.partySize);
  return booking !== undefined;
}
