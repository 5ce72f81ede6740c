import { isDeepStrictEqual } from "node:util";
import { count, inArray, sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { activityBookings, bookings } from "#server/db/schema/booking.ts";
import { formatBookings } from "#server/modules/booking/format.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import type { Renames } from "./rename.ts";
import type { StoredCatalogue } from "./stored.ts";

/** What people who have booked a show or a stop go by. */
const showFields = ["starts_at", "ends_at", "venue", "city", "on_sale"] as const;
const stopFields = ["starts_at", "venue", "city", "status", "moved_from"] as const;

function differs<Entry extends object>(before: Entry, after: Entry | undefined, fields: readonly (keyof Entry)[]): boolean {
  return after === undefined || fields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}

/** Returns the uids of the shows that a catalogue removes, cancels, moves, or brings back. */
function findShows(catalogue: Catalogue, stored: StoredCatalogue): string[] {
  const entries = new Map(catalogue.activities.map((activity) => [activity.uid, activity]));
  return stored.activities
    .filter((show) => (show.on_sale || entries.has(show.uid)) && differs(show, entries.get(show.uid), showFields))
    .map(({ uid }) => uid);
}

/** Returns the stops of which the same is true, with the uid of their tour. */
function findStops(catalogue: Catalogue, stored: StoredCatalogue): { uid: string; stop: string }[] {
  const entries = new Map(catalogue.campaigns.map((campaign) => [campaign.uid, campaign]));
  return stored.campaigns.flatMap(({ uid, on_sale, stops }) => {
    const entry = entries.get(uid);
    if (!entry && !on_sale) return [];
    const after = new Map(entry?.stops.map((stop) => [stop.stop, stop]));
    const isBack = entry !== undefined && entry.on_sale !== on_sale;
    return stops.filter((stop) => isBack || differs(stop, after.get(stop.stop), stopFields)).map(({ stop }) => ({ uid, stop }));
  });
}

/**
 * Returns one sentence for each booked show or stop that a catalogue removes, cancels, moves or brings back: how many bookings and people that touches, and the
 * command that lists them. `stored` has the new uids of renamed entries already; those of `listedBy` are listed by their old ones.
 */
export async function describeAffected(
  tx: Database,
  catalogue: Catalogue,
  stored: StoredCatalogue,
  listedBy: Pick<Renames, "activities" | "campaigns">,
): Promise<string[]> {
  const [shows, stops] = [findShows(catalogue, stored), findStops(catalogue, stored)];
  const toListed = (kind: "activities" | "campaigns", uid: string) => listedBy[kind].find(({ to }) => to === uid)?.from ?? uid;
  const seats = await tx
    .select({ uid: activityBookings.activityUid, bookings: count() })
    .from(activityBookings)
    .where(inArray(activityBookings.activityUid, shows))
    .groupBy(activityBookings.activityUid);
  const uids = [...new Set(stops.map(({ uid }) => uid))];
  const parties = await tx
    .select({
      uid: bookings.campaignUid,
      stop: bookings.stop,
      bookings: count(),
      people: sql<number>`sum(${bookings.partySize})::int`,
    })
    .from(bookings)
    .where(inArray(bookings.campaignUid, uids))
    .groupBy(bookings.campaignUid, bookings.stop);
  return [
    ...shows.flatMap((uid) =>
      seats
        .filter((row) => row.uid === uid)
        .map(
          ({ bookings }) =>
            `event/${uid}: ${formatBookings(bookings, bookings)}: npm run bookings -- list ${toListed("activities", uid)}`,
        ),
    ),
    ...stops.flatMap(({ uid, stop }) =>
      parties
        .filter((row) => row.uid === uid && row.stop === stop)
        .map(
          ({ bookings, people }) =>
            `campaign/${uid} stops ${stop}: ${formatBookings(bookings, people)}: npm run bookings -- list ${toListed("campaigns", uid)} --stop ${stop}`,
        ),
    ),
  ];
}
