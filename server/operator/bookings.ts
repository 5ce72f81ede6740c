import { and, asc, eq, sql } from "drizzle-orm";
import { removeSeparators } from "../../src/api/mobile.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/database.ts";
import { activities, activityBookings, bookings, campaigns, stops } from "../db/schema/booking.ts";
import { members } from "../db/schema/member.ts";
import { OperatorError } from "../lib/errors.ts";
import { returnPlaces } from "../modules/booking/booking.ts";
import { type Command, formatCsv, formatTime, parseArguments } from "./command.ts";

const usage = `npm run bookings -- list <show|tour> [--csv]
npm run bookings -- check-in <code>
npm run bookings -- cancel <code>`;

/** Creates the command that lists the bookings of a show or a tour, checks them in and cancels them. */
export function bookingsCommand(context: Context): Command {
  return async (args) => {
    const { rest, flags } = parseArguments(args, [], ["csv"]);
    const [verb, ...more] = rest;
    if (more.length === 0) throw new OperatorError(usage);
    if (verb === "list" && more.length === 1) return list(context, more[0] ?? "", flags.has("csv"));
    if (verb === "check-in") return checkIn(context, toCode(more.join("")));
    if (verb === "cancel") return cancel(context, toCode(more.join("")));
    throw new OperatorError(usage);
  };
}

/** Returns a code as it is stored: codes are read aloud and typed with spaces, in small letters, with O and I for 0 and 1. */
const toCode = (text: string) => removeSeparators(text).toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");

interface Entry {
  code: string;
  name: string;
  mobile: string;
  where: string;
  partySize: number;
  note: string;
  bookedAt: Date;
  checkedInAt: Date | null;
}

const seatFields = {
  code: activityBookings.checkInCode,
  name: members.nickname,
  mobile: members.mobile,
  where: sql<string>`${activities.title}->>'zh-CN'`,
  partySize: sql<number>`1`,
  note: sql<string>`''`,
  bookedAt: activityBookings.bookedAt,
  checkedInAt: activityBookings.checkedInAt,
};
const placeFields = {
  code: bookings.checkInCode,
  name: bookings.name,
  mobile: bookings.mobile,
  where: sql<string>`${stops.city}->>'zh-CN'`,
  partySize: bookings.partySize,
  note: bookings.note,
  bookedAt: bookings.createdAt,
  checkedInAt: bookings.checkedInAt,
};

const selectSeats = ({ db }: Context) =>
  db
    .select(seatFields)
    .from(activityBookings)
    .innerJoin(activities, eq(activities.uid, activityBookings.activityUid))
    .innerJoin(members, eq(members.id, activityBookings.memberId));
const selectPlaces = ({ db }: Context) =>
  db
    .select(placeFields)
    .from(bookings)
    .innerJoin(stops, and(eq(stops.campaignUid, bookings.campaignUid), eq(stops.stop, bookings.stop)));

async function list(context: Context, uid: string, isCsv: boolean): Promise<string> {
  const [show] = await context.db.select().from(activities).where(eq(activities.uid, uid));
  const [tour] = await context.db.select().from(campaigns).where(eq(campaigns.uid, uid));
  if (!show && !tour) throw new OperatorError(`There is no show or tour "${uid}".`);
  const entries: Entry[] = show
    ? await selectSeats(context).where(eq(activityBookings.activityUid, uid)).orderBy(asc(activityBookings.bookedAt))
    : await selectPlaces(context).where(eq(bookings.campaignUid, uid)).orderBy(asc(stops.startsAt), asc(bookings.createdAt));
  if (isCsv) {
    const where = show ? "show" : "stop";
    const headings = ["check_in_code", "name", "mobile", where, "people", "booked_at", "checked_in_at", "note"];
    const cells = entries.map(({ code, name, mobile, where, partySize, bookedAt, checkedInAt, note }) => [
      ...[code, name, mobile, where],
      ...[partySize, bookedAt, checkedInAt, note],
    ]);
    return formatCsv([headings, ...cells]);
  }
  const arrived = entries.filter(({ checkedInAt }) => checkedInAt).length;
  const title = (show ?? tour)?.title["zh-CN"];
  return [
    `${title}: ${entries.length === 1 ? "1 booking" : `${entries.length} bookings`}, ${arrived} checked in.`,
    ...entries.map(formatEntry),
  ].join("\n");
}

function formatEntry(entry: Entry): string {
  const checkedIn = entry.checkedInAt ? [`checked in ${formatTime(entry.checkedInAt)}`] : [];
  const note = entry.note ? [`note: ${entry.note}`] : [];
  return [entry.code, formatGuest(entry), entry.mobile, ...checkedIn, ...note].join("  ");
}

const formatGuest = ({ where, name, partySize }: Entry) => `${where}, ${name}${partySize > 1 ? `, ${partySize} people` : ""}`;

/** Finds the booking of a code. Throws OperatorError for an unknown one. */
async function find(context: Context, code: string): Promise<Entry> {
  const [seat] = await selectSeats(context).where(eq(activityBookings.checkInCode, code));
  const [booking] = seat ? [] : await selectPlaces(context).where(eq(bookings.checkInCode, code));
  const entry = seat ?? booking;
  if (!entry) throw new OperatorError(`There is no booking with the code ${code}.`);
  return entry;
}

/** Checks a booking in, once: of several at the same time, one succeeds. */
async function checkIn(context: Context, code: string): Promise<string> {
  const at = context.now();
  const entry = await find(context, code);
  if (await context.capacity.checkIn(context.db, code, at)) return `${code} is checked in: ${formatGuest(entry)}.`;
  const { checkedInAt: first } = await find(context, code);
  throw new OperatorError(
    `${code} was checked in before${first ? `, at ${formatTime(first)}` : ""}: ${formatGuest(entry)}. Nothing was changed.`,
  );
}

/** Cancels a booking that is not checked in; its places are free in the same transaction. */
async function cancel(context: Context, code: string): Promise<string> {
  const entry = await find(context, code);
  const isCancelled = (await cancelSeat(context, code)) || (await cancelPlaces(context, code));
  if (isCancelled) return `${code} is cancelled: ${formatGuest(entry)}. ${formatFree(entry.partySize)}`;
  const { checkedInAt } = await find(context, code);
  throw new OperatorError(`${code} was checked in${checkedInAt ? ` at ${formatTime(checkedInAt)}` : ""}: nothing was changed.`);
}

const formatFree = (count: number) => (count === 1 ? "The place is free again." : `The ${count} places are free again.`);

const cancelSeat = ({ db, capacity }: Context, code: string) =>
  inTransaction(db, async (tx) => (await capacity.returnSeat(tx, eq(activityBookings.checkInCode, code))) !== null);

function cancelPlaces(context: Context, code: string): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const byCode = eq(bookings.checkInCode, code);
    const [owner] = await tx.select({ memberId: bookings.memberId }).from(bookings).where(byCode);
    return owner !== undefined && returnPlaces(context, tx, owner.memberId, byCode);
  });
}
