import { and, asc, eq, sql } from "drizzle-orm";
import type { Locale } from "../../../i18n/locale.ts";
import { type Booking, bookingCampaign, bookingCancel, bookingInfo, makeBooking } from "../../../src/api/booking.ts";
import type { DataOf } from "../../../src/api/call.ts";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { bookings, campaigns, stops } from "../../db/schema/booking.ts";
import { memberRoute, publicRoute, type Route } from "../../http/route.ts";
import { ApiError } from "../../lib/errors.ts";
import { cancelBooking, saveBooking } from "./booking.ts";

type Campaign = typeof campaigns.$inferSelect;

export function bookingRoutes(context: Context): Route[] {
  const { db, now } = context;
  return [
    memberRoute(makeBooking, async (payload, { session }) => ({
      booking: toBooking(await saveBooking(context, session.memberId, payload), true),
    })),

    memberRoute(bookingCancel, async ({ campaign: uid }, { locale, session }) => {
      await cancelBooking(context, session.memberId, uid);
      return toBookingInfo(db, await findCampaign(db, uid), { locale, session, at: now() });
    }),

    publicRoute(bookingInfo, async (_payload, { locale, session }) => {
      const at = now();
      return toBookingInfo(db, await findCurrentCampaign(db, at), { locale, session, at });
    }),

    publicRoute(bookingCampaign, async ({ campaign: uid }, { locale, session }) =>
      toBookingInfo(db, await findCampaign(db, uid), { locale, session, at: now() }),
    ),
  ];
}

async function findCampaign(db: Database, uid: string): Promise<Campaign | null> {
  const [campaign] = await db.select().from(campaigns).where(eq(campaigns.uid, uid));
  return campaign ?? null;
}

/** Returns a campaign with the member's booking. Throws 10003 when there is none. */
async function toBookingInfo(
  db: Database,
  campaign: Campaign | null,
  { locale, session, at }: { locale: Locale; session: { memberId: string } | null; at: Date },
): Promise<DataOf<typeof bookingInfo>> {
  if (!campaign) throw new ApiError(codes.notFound);
  const rows = await db
    .select()
    .from(stops)
    .where(and(eq(stops.campaignUid, campaign.uid), eq(stops.onSale, true)))
    .orderBy(asc(stops.startsAt));
  return {
    booking: session ? await findBooking(db, session.memberId, campaign, at) : null,
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

async function findBooking(
  db: Database,
  memberId: string,
  { uid, closesAt, onSale }: Campaign,
  at: Date,
): Promise<Booking | null> {
  const [row] = await db
    .select()
    .from(bookings)
    .where(and(eq(bookings.memberId, memberId), eq(bookings.campaignUid, uid)));
  return row ? toBooking(row, onSale && at < closesAt) : null;
}

function toBooking(row: typeof bookings.$inferSelect, isOpen: boolean): Booking {
  const isChangeable = isOpen && row.checkedInAt === null;
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
    actions: { cancel: isChangeable, change: isChangeable },
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
