import { and, asc, eq, gt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { bookings, campaigns, stops } from "#server/db/schema/booking.ts";
import { memberRoute, publicRoute, type Route } from "#server/http/route.ts";
import { ApiError } from "#server/lib/errors.ts";
import type { Booking, bookingInfo, Stop } from "#src/api/booking.ts";
import type { DataOf } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { cancelBooking, saveBooking } from "./booking.ts";

type Campaign = typeof campaigns.$inferSelect;

export function bookingRoutes(context: Context): Route[] {
  const { db, now } = context;
  return [
    memberRoute(contract.makeBooking, async (payload, { session }) => ({
      booking: toBooking(await saveBooking(context, session.memberId, payload), true),
    })),

    memberRoute(contract.bookingCancel, ({ campaign: uid }, { locale, session }) =>
      inTransaction(db, async (tx) => {
        await cancelBooking(context, tx, session.memberId, uid);
        // Read before the commit, after which the tour may have another uid.
        return toBookingInfo(tx, await findCampaign(tx, uid), { locale, session, at: now() });
      }),
    ),

    publicRoute(contract.bookingInfo, async (_payload, { locale, session }) => {
      const at = now();
      const campaign = (await findCurrentCampaign(db, at)) ?? (session && (await findBookedCampaign(db, session.memberId, at)));
      const data = await toBookingInfo(db, campaign, { locale, session, at });
      const others = session ? await findOthers(db, session.memberId, data.campaign.uid, { locale, at }) : [];
      return others.length > 0 ? { ...data, others } : data;
    }),

    publicRoute(contract.bookingCampaign, async ({ campaign: uid }, { locale, session }) =>
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
  const [own] = session ? await selectBookings(db, session.memberId, eq(bookings.campaignUid, campaign.uid)) : [];
  const booking = own ? toOwnBooking(own, at) : null;
  // Who has booked a stop that has left the files keeps it.
  const shownCondition = or(eq(stops.onSale, true), booking ? eq(stops.stop, booking.stop) : undefined);
  const rows = await db
    .select()
    .from(stops)
    .where(and(eq(stops.campaignUid, campaign.uid), shownCondition))
    .orderBy(asc(stops.startsAt));
  return {
    booking,
    campaign: {
      uid: campaign.uid,
      title: campaign.title[locale],
      opens_at: campaign.opensAt.toISOString(),
      closes_at: campaign.closesAt.toISOString(),
      stops: rows.map((row) => toStop(row, { locale, at, onSale: campaign.onSale })),
    },
    server_time: at.toISOString(),
  };
}

interface StopReader {
  locale: Locale;
  at: Date;
  /** Of its campaign. */
  onSale: boolean;
}

/** A stop that left the files before it began, by itself or with its tour, is cancelled for those who have booked it. */
function toStop(row: typeof stops.$inferSelect, { locale, at, onSale }: StopReader): Stop {
  const { stop, city, venue, startsAt, movedFrom, capacity, taken } = row;
  const isGone = !(onSale && row.onSale) && at < startsAt;
  const status = isGone ? "cancelled" : row.status;
  return {
    stop,
    city: city[locale],
    venue: venue[locale],
    starts_at: startsAt.toISOString(),
    places_left: row.onSale && status !== "cancelled" ? capacity - taken : 0,
    status,
    ...(status === "moved" && movedFrom ? { moved_from: movedFrom.toISOString() } : {}),
  };
}

/** Milliseconds that a booking is shown after its stop has begun. */
const shownAfter = 24 * 3600_000;

type OwnBooking = Awaited<ReturnType<typeof selectBookings>>[number];

const toOwnBooking = ({ booking, stop, campaign }: OwnBooking, at: Date) =>
  toBooking(booking, campaign.onSale && at < campaign.closesAt && at < stop.startsAt);

/** Selects a member's bookings that meet the condition, the next stop first. */
const selectBookings = (db: Database, memberId: string, condition: SQL | undefined) =>
  db
    .select({ booking: bookings, stop: stops, campaign: campaigns })
    .from(bookings)
    .innerJoin(stops, and(eq(stops.campaignUid, bookings.campaignUid), eq(stops.stop, bookings.stop)))
    .innerJoin(campaigns, eq(campaigns.uid, bookings.campaignUid))
    .where(and(eq(bookings.memberId, memberId), condition))
    .orderBy(asc(stops.startsAt));

const isShown = (at: Date) => gt(stops.startsAt, new Date(at.getTime() - shownAfter));

/** Finds the campaign of a member's next stop: no campaign is on sale any more. */
async function findBookedCampaign(db: Database, memberId: string, at: Date): Promise<Campaign | null> {
  const [row] = await selectBookings(db, memberId, isShown(at)).limit(1);
  return row?.campaign ?? null;
}

/** Finds a member's bookings of all campaigns but one, the next stop first. */
async function findOthers(db: Database, memberId: string, current: string, { locale, at }: { locale: Locale; at: Date }) {
  const rows = await selectBookings(db, memberId, and(ne(bookings.campaignUid, current), isShown(at)));
  return rows.map((row) => ({
    booking: toOwnBooking(row, at),
    stop: toStop(row.stop, { locale, at, onSale: row.campaign.onSale }),
    campaign: { uid: row.campaign.uid, title: row.campaign.title[locale] },
  }));
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

/** `isOpen`: neither has the campaign closed nor the stop begun. */
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
