import { and, eq, sql } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { bookings, campaigns, stops } from "../../db/schema/booking.ts";
import { ApiError } from "../../lib/api-error.ts";

interface Wanted {
  campaign: string;
  stop: string;
  name: string;
  mobile: string;
  party_size: number;
  note: string;
}

/**
 * Makes a member's one booking of a campaign, or changes it: the places of what was booked before go back, those of what is wanted now are taken, both or neither.
 * Throws 10003 for a campaign or stop that is not there, 50003 when it is not open, 50001 when too few places are left.
 */
export async function saveBooking(context: Context, memberId: string, wanted: Wanted): Promise<typeof bookings.$inferSelect> {
  return inTransaction(context.db, async (tx) => {
    await context.locks.member(tx, memberId);
    const at = context.now();
    const { campaign: campaignUid, stop, name, mobile, party_size: partySize, note } = wanted;
    await mustBeOpen(tx, campaignUid, stop, at);
    const mine = and(eq(bookings.memberId, memberId), eq(bookings.campaignUid, campaignUid));
    const [before] = await tx.select().from(bookings).where(mine);

    const changes = new Map([[stop, partySize]]);
    if (before) changes.set(before.stop, (changes.get(before.stop) ?? 0) - before.partySize);
    // In one order for everybody, so that two who swap stops do not wait for each other.
    const ordered = [...changes].filter(([, places]) => places !== 0).sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [name, places] of ordered) {
      if (!(await context.capacity.takePlaces(tx, { campaignUid, stop: name }, places))) throw new ApiError(codes.full);
    }

    const written = { stop, name, mobile, partySize, note, updatedAt: at };
    const [booking] = before
      ? await tx.update(bookings).set(written).where(mine).returning()
      : await tx
          .insert(bookings)
          .values({ memberId, campaignUid, ...written, createdAt: at })
          .returning();
    if (!booking) throw new Error("a booking that was just made is not there");
    return booking;
  });
}

async function mustBeOpen(tx: Database, campaignUid: string, stop: string, at: Date): Promise<void> {
  const [found] = await tx
    .select({ opensAt: campaigns.opensAt, closesAt: campaigns.closesAt })
    .from(stops)
    .innerJoin(campaigns, eq(campaigns.uid, stops.campaignUid))
    .where(and(eq(stops.campaignUid, campaignUid), eq(stops.stop, stop)));
  if (!found) throw new ApiError(codes.notFound);
  if (at < found.opensAt || at >= found.closesAt) throw new ApiError(codes.bookingClosed);
}

/** Takes and checks in one statement, so that concurrent bookings cannot overbook a stop. */
export async function takePlaces(
  tx: Database,
  { campaignUid, stop }: { campaignUid: string; stop: string },
  count: number,
): Promise<boolean> {
  const isEnough = count < 0 ? undefined : sql`${stops.taken} + ${count} <= ${stops.capacity}`;
  const rows = await tx
    .update(stops)
    .set({ taken: sql`${stops.taken} + ${count}` })
    .where(and(eq(stops.campaignUid, campaignUid), eq(stops.stop, stop), isEnough))
    .returning({ stop: stops.stop });
  return rows.length > 0;
}
