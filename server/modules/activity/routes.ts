import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { activities, activityBookings } from "#server/db/schema/booking.ts";
import { memberRoute, publicRoute, type Route, type Session } from "#server/http/route.ts";
import { ApiError } from "#server/lib/errors.ts";
import { findMembership } from "#server/modules/member/member.ts";
import type { Activity } from "#src/api/activity.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { bookSeat, cancelSeat } from "./seat.ts";

export function activityRoutes(context: Context): Route[] {
  const { db, now } = context;
  return [
    memberRoute(contract.activityBooking, async ({ activity_uid }, { locale, session }) => {
      const { activity, checkInCode } = await bookSeat(context, session.memberId, activity_uid);
      const at = now();
      const level = await findLevel(db, session.memberId, at);
      return { activity: toActivity({ ...activity, checkInCode, checkedInAt: null }, { at, locale, level }) };
    }),

    memberRoute(contract.activityCancel, ({ activity_uid }, { locale, session }) =>
      inTransaction(db, async (tx) => {
        await cancelSeat(context, tx, session.memberId, activity_uid);
        // Read before the commit, after which the show may have another uid.
        const [activity] = await findActivities(tx, { at: now(), locale, session }, eq(activities.uid, activity_uid));
        if (!activity) throw new ApiError(codes.notFound);
        return { activity };
      }),
    ),

    publicRoute(contract.activityInfo, async (_payload, { locale, session }) => {
      const at = now();
      return { list: await findActivities(db, { at, locale, session }), server_time: at.toISOString() };
    }),
  ];
}

type Schedule = typeof activities.$inferSelect;

interface Row extends Schedule {
  checkInCode: string | null;
  checkedInAt: Date | null;
}

/** Finds activities by their start, with the session's booking. */
async function findActivities(
  db: Database,
  { at, locale, session }: { at: Date; locale: Locale; session: Session | null },
  condition?: SQL,
): Promise<Activity[]> {
  const isOwn = session
    ? and(eq(activityBookings.activityUid, activities.uid), eq(activityBookings.memberId, session.memberId))
    : sql`false`;
  const { checkInCode, checkedInAt } = activityBookings;
  const rows = await db
    .select({ ...getTableColumns(activities), checkInCode, checkedInAt })
    .from(activities)
    .leftJoin(activityBookings, isOwn)
    .where(condition)
    .orderBy(asc(activities.startsAt), asc(activities.uid));
  const level = session ? await findLevel(db, session.memberId, at) : null;
  return rows.map((row) => toActivity(row, { at, locale, level }));
}

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

function toActivity(row: Row, { at, locale, level }: Reader): Activity {
  const { checkInCode, checkedInAt } = row;
  const myOpensAt = getOpening(row, level ?? 0);
  const status = getStatus(row, myOpensAt, at);
  return {
    activity_uid: row.uid,
    title: row.title[locale],
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    venue: row.venue[locale],
    city: row.city[locale],
    capacity: row.capacity,
    booked: row.booked,
    status,
    opens_at: row.opensAt.toISOString(),
    closes_at: row.closesAt.toISOString(),
    my_status: checkInCode === null ? null : "booked",
    check_in_code: checkInCode,
    early: row.early.map(({ level, opens_at }) => ({ level, opens_at: new Date(opens_at).toISOString() })),
    ...(level === null ? {} : { my_opens_at: myOpensAt.toISOString() }),
    ...(checkInCode === null ? {} : { actions: { cancel: checkedInAt === null && status !== "closed" } }),
  };
}

/** Returns when booking opens for a level: a higher one has the hours of the lower ones too. */
function getOpening({ opensAt, early }: Schedule, level: number): Date {
  const own = early.filter((hour) => hour.level <= level).map(({ opens_at }) => Date.parse(opens_at));
  return new Date(Math.min(opensAt.getTime(), ...own));
}

/** `closed` takes precedence over `full`; a cancelled show is closed. */
function getStatus({ closesAt, booked, capacity, onSale }: Schedule, opensAt: Date, at: Date): Activity["status"] {
  if (!onSale || at >= closesAt) return "closed";
  if (at < opensAt) return "not_open";
  return booked >= capacity ? "full" : "open";
}
