import { and, asc, eq, sql } from "drizzle-orm";
import type { Locale } from "../../../i18n/locale.ts";
import { type Booking, bookingCampaign, bookingInfo, makeBooking } from "../../../src/api/booking.ts";
import type { DataOf } from "../../../src/api/call.ts";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { bookings, campaigns, stops } from "../../db/schema/booking.ts";
import { memberRoute, publicRoute, type Route } from "../../http/route.ts";
import { ApiError } from "../../lib/errors.ts";
import { saveBooking } from "./make.ts";

export function bookingRoutes(context: Context): Route[] {
  const { db, now } = context;
  return [
    memberRoute(makeBooking, async (payload, { session }) => ({
      booking: toBooking(await saveBooking(context, session.memberId, payload)),
    })),

    publicRoute(bookingInfo, async (_payload, { locale, session }) => {
      const at = now();
      return toBookingInfo(db, await findCurrentCampaign(db, at), { locale, session, at });
    }),

    publicRoute(bookingCampaign, async ({ campaign: uid }, { locale, session }) => {
      const [campaign] = await db.select().from(campaigns).where(eq(campaigns.uid, uid));
      return toBookingInfo(db, campaign ?? null, { locale, session, at: now() });
    }),
  ];
}

/** Returns a campaign with the member's booking. Throws 10003 when there is none. */
async function toBookingInfo(
  db: Database,
  campaign: typeof campaigns.$inferSelect | null,
  { locale, session, at }: { locale: Locale; session: { memberId: string } | null; at: Date },
): Promise<DataOf<typeof bookingInfo>> {
  if (!campaign) throw new ApiError(codes.notFound);
  const rows = await db
    .select()
    .from(stops)
    .where(and(eq(stops.campaignUid, campaign.uid), eq(stops.onSale, true)))
    .orderBy(asc(stops.startsAt));
  return {
    booking: session ? await findBooking(db, session.memberId, campaign.uid) : null,
    campaign: {
      uid: campaign.uid,
      title: campaign.title[locale],
      opens_at: campaign.opensAt.toISOString(),
      closes_at: campaign.closesAt.toISOString(),
      stops: rows.map((row) => ({
        stop: row.stop,
        city: row.city[locale],
        venue: row.venue[locale],
        starts_at: row.startsAt.toISOString(),
        places_left: row.capacity - row.taken,
      })),
    },
    server_time: at.toISOString(),
  };
}

/** Finds the campaign on sale that closes next, or the last one when all are over. */
async function findCurrentCampaign(db: Database, at: Date) {
  const closedCondition = sql`${campaigns.closesAt} <= ${at.toISOString()}`;
  const distance = sql`abs(extract(epoch from ${campaigns.closesAt} - ${at.toISOString()}::timestamptz))`;
  const [row] = await db
    .select()
    .from(campaigns)
    .where(eq(campaigns.onSale, true))
    .orderBy(closedCondition, distance, asc(campaigns.uid))
    .limit(1);
  return row ?? null;
}

async function findBooking(db: Database, memberId: string, campaignUid: string): Promise<Booking | null> {
  const [row] = await db
    .select()
    .from(bookings)
    .where(and(eq(bookings.memberId, memberId), eq(bookings.campaignUid, campaignUid)));
  return row ? toBooking(row) : null;
}

function toBooking(row: typeof bookings.$inferSelect): Booking {
  return {
    booking_id: row.id,
    campaign: row.campaignUid,
    stop: row.stop,
    name: row.name,
    mobile: row.mobile,
    party_size: row.partySize,
    note: row.note,
    status: "submitted",
    check_in_code: row.checkInCode,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
