import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Locale } from "../../../i18n/locale.ts";
import { type Activity, activityBooking, activityInfo } from "../../../src/api/activity.ts";
import type { Context } from "../../context.ts";
import { activities, activityBookings } from "../../db/schema/activity.ts";
import { memberRoute, publicRoute, type Route } from "../../http/route.ts";
import { bookSeat } from "./seat.ts";

export function activityRoutes(context: Context): Route[] {
  const { db, now } = context;
  return [
    memberRoute(activityBooking, async ({ activity_uid }, { locale, session }) => {
      const { activity, checkInCode } = await bookSeat(context, session.memberId, activity_uid);
      return { activity: toActivity(activity, checkInCode, now(), locale) };
    }),

    publicRoute(activityInfo, async (_payload, { locale, session }) => {
      const at = now();
      const isOwn = session
        ? and(eq(activityBookings.activityUid, activities.uid), eq(activityBookings.memberId, session.memberId))
        : sql`false`;
      const rows = await db
        .select({ ...getTableColumns(activities), checkInCode: activityBookings.checkInCode })
        .from(activities)
        .leftJoin(activityBookings, isOwn)
        .orderBy(asc(activities.startsAt), asc(activities.uid));
      return { list: rows.map((row) => toActivity(row, row.checkInCode, at, locale)), server_time: at.toISOString() };
    }),
  ];
}

type Row = typeof activities.$inferSelect;

function toActivity(row: Row, checkInCode: string | null, at: Date, locale: Locale): Activity {
  return {
    activity_uid: row.uid,
    title: row.title[locale],
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    venue: row.venue[locale],
    city: row.city[locale],
    capacity: row.capacity,
    booked: row.booked,
    status: getStatus(row, at),
    opens_at: row.opensAt.toISOString(),
    closes_at: row.closesAt.toISOString(),
    my_status: checkInCode === null ? null : "booked",
    check_in_code: checkInCode,
  };
}

/** `closed` takes precedence over `full`. */
function getStatus({ opensAt, closesAt, booked, capacity }: Row, at: Date): Activity["status"] {
  if (at < opensAt) return "not_open";
  if (at >= closesAt) return "closed";
  return booked >= capacity ? "full" : "open";
}
