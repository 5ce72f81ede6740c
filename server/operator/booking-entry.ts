import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { activities, activityBookings, bookings, campaigns, stops } from "#server/db/schema/booking.ts";
import { members } from "#server/db/schema/member.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { openPeople } from "#server/modules/booking/check-in.ts";

const seatFields = {
  code: activityBookings.checkInCode,
  stop: sql<null>`null`,
  occasion: activities.uid,
  where: sql<string>`${activities.title}->>'zh-CN'`,
  startsAt: activities.startsAt,
  endsAt: activities.endsAt,
  /** Cancelled, or no longer in the files. */
  isOff: sql<boolean>`not ${activities.onSale}`,
  name: members.nickname,
  mobile: members.mobile,
  partySize: sql<number>`1`,
  /** People who are not checked in. */
  open: sql<number>`case when ${activityBookings.checkedInAt} is null then 1 else 0 end`,
  note: sql<string>`''`,
  bookedAt: activityBookings.bookedAt,
  checkedInAt: activityBookings.checkedInAt,
  undos: activityBookings.undos,
};
const bookingFields = {
  code: bookings.checkInCode,
  stop: stops.stop,
  occasion: sql<string>`${stops.campaignUid} || '/' || ${stops.stop}`,
  where: sql<string>`${stops.city}->>'zh-CN'`,
  startsAt: stops.startsAt,
  /** The files have no end of a stop. */
  endsAt: stops.startsAt,
  isOff: sql<boolean>`not (${campaigns.onSale} and ${stops.onSale} and ${stops.status} <> 'cancelled')`,
  name: bookings.name,
  mobile: bookings.mobile,
  partySize: bookings.partySize,
  open: openPeople,
  note: bookings.note,
  bookedAt: bookings.createdAt,
  checkedInAt: bookings.checkedInAt,
  undos: bookings.undos,
};

/** Selects seats by a condition, in the order of their booking. */
export const selectSeats = ({ db }: Context, condition: SQL | undefined) =>
  db
    .select(seatFields)
    .from(activityBookings)
    .innerJoin(activities, eq(activities.uid, activityBookings.activityUid))
    .innerJoin(members, eq(members.id, activityBookings.memberId))
    .where(condition)
    .orderBy(activityBookings.bookedAt);

/** Selects pre-registrations by a condition, in the order of their stops and then of their booking. */
export const selectBookings = ({ db }: Context, condition: SQL | undefined) =>
  db
    .select(bookingFields)
    .from(bookings)
    .innerJoin(stops, and(eq(stops.campaignUid, bookings.campaignUid), eq(stops.stop, bookings.stop)))
    .innerJoin(campaigns, eq(campaigns.uid, bookings.campaignUid))
    .where(condition)
    .orderBy(stops.startsAt, bookings.createdAt);

/** A seat, whose `stop` is null, or a pre-registration, as the operator reads it. */
export type Entry = Awaited<ReturnType<typeof selectSeats | typeof selectBookings>>[number];

/** Finds the booking of a code. Throws OperatorError for an unknown one. */
export async function findEntry(context: Context, code: string): Promise<Entry> {
  const [seat] = await selectSeats(context, eq(activityBookings.checkInCode, code));
  const [booking] = seat ? [] : await selectBookings(context, eq(bookings.checkInCode, code));
  const entry = seat ?? booking;
  if (!entry) throw new OperatorError(`There is no booking with the code ${code}.`);
  return entry;
}

/**
 * Finds a stop by its name, or by `<tour>/<stop>`; returns the latter. Throws OperatorError for an unknown one, and for a name that stops of several tours
 * have.
 */
export async function findStop({ db }: Context, name: string): Promise<string> {
  const [tour, stop] = name.includes("/") ? name.split("/", 2) : [null, name];
  const rows = await db
    .select({ campaignUid: stops.campaignUid, stop: stops.stop })
    .from(stops)
    .where(and(eq(stops.stop, stop ?? ""), tour === null ? undefined : eq(stops.campaignUid, tour ?? "")))
    .orderBy(stops.campaignUid);
  const occasions = rows.map(({ campaignUid, stop }) => `${campaignUid}/${stop}`);
  const [occasion] = occasions;
  if (occasion === undefined) throw new OperatorError(`There is no stop "${name}".`);
  if (occasions.length > 1) throw new OperatorError(`Several tours have a stop "${name}": write ${occasions.join(" or ")}.`);
  return occasion;
}

export const formatGuest = ({ where, name, partySize }: Entry) =>
  `${where}, ${name}${partySize > 1 ? `, ${partySize} people` : ""}`;
