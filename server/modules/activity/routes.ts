import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Locale } from "../../../i18n/locale.ts";
import { type Activity, activityBooking, activityInfo } from "../../../src/api/activity.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { activities, activityBookings } from "../../db/schema/activity.ts";
import { memberRoute, publicRoute, type Route } from "../../http/route.ts";
import { findMembership } from "../member/member.ts";
import { bookSeat } from "./seat.ts";

export function activityRoutes(context: Context): Route[] {
  const { db, now } = context;
  return [
    memberRoute(activityBooking, async ({ activity_uid }, { locale, session }) => {
      const { activity, checkInCode } = await bookSeat(context, session.memberId, activity_uid);
      const at = now();
      const level = await findLevel(db, session.memberId, at);
      return { activity: toActivity(activity, checkInCode, { at, locale, level }) };
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
      const level = session ? await findLevel(db, session.memberId, at) : null;
      const list = rows.map((row) => toActivity(row, row.checkInCode, { at, locale, level }));
      return { list, server_time: at.toISOString() };
    }),
  ];
}

type Row = typeof activities.$inferSelect;

/** The level of a member's running pass, 0 without one. */
async function findLevel(db: Database, memberId: string, at: Date): Promise<number> {
  return (await findMembership(db, memberId, at))?.package.level ?? 0;
}

/** `level` is null without a session. */
interface Reader {
  at: Date;
  locale: Locale;
  level: number | null;
}

function toActivity(row: Row, checkInCode: string | null, { at, locale, level }: Reader): Activity {
  const myOpensAt = getOpening(row, level ?? 0);
  return {
    activity_uid: row.uid,
    title: row.title[locale],
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    venue: row.venue[locale],
    city: row.city[locale],
    capacity: row.capacity,
    booked: row.booked,
    status: getStatus(row, myOpensAt, at),
    opens_at: row.opensAt.toISOString(),
    closes_at: row.closesAt.toISOString(),
    my_status: checkInCode === null ? null : "booked",
    check_in_code: checkInCode,
    early: row.early.map(({ level, opens_at }) => ({ level, opens_at: new Date(opens_at).toISOString() })),
    ...(level === null ? {} : { my_opens_at: myOpensAt.toISOString() }),
  };
}

/** Returns when booking opens for a level: a higher one has the hours of the lower ones too. */
function getOpening({ opensAt, early }: Row, level: number): Date {
  const own = early.filter((hour) => hour.level <= level).map(({ opens_at }) => Date.parse(opens_at));
  return new Date(Math.min(opensAt.getTime(), ...own));
}

/** `closed` takes precedence over `full`; a cancelled show is closed. */
function getStatus({ closesAt, booked, capacity, onSale }: Row, opensAt: Date, at: Date): Activity["status"] {
  if (!onSale || at >= closesAt) return "closed";
  if (at < opensAt) return "not_open";
  return booked >= capacity ? "full" : "open";
}
