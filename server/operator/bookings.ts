import { eq } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { inTransaction } from "#server/db/database.ts";
import { activities, activityBookings, bookings, campaigns, type Undo } from "#server/db/schema/booking.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { returnSeat } from "#server/modules/activity/seat.ts";
import { returnPlaces } from "#server/modules/booking/booking.ts";
import { formatBookings } from "#server/modules/booking/format.ts";
import { removeSeparators } from "#src/api/mobile.ts";
import { type Entry, findEntry, findStop, formatGuest, selectBookings, selectSeats } from "./booking-entry.ts";
import { checkIn, undo } from "./check-in.ts";
import { type Command, formatCsv, getRequiredText, parseArguments } from "./command.ts";

const usage = `npm run bookings -- list <show|tour> [--stop <stop>] [--csv]
npm run bookings -- check-in <code> [--people <number>] [--show <show>|--stop <stop>] [--anyway yes]
npm run bookings -- check-in --undo <code> --why <reason> [--people <number>]
npm run bookings -- cancel <code>`;

/** Creates the command that lists the bookings of a show or a tour, checks them in and cancels them. */
export function bookingsCommand(context: Context): Command {
  return async ([verb, ...args]) => {
    if (verb === "list") return list(context, args);
    if (verb === "check-in") return args.includes("--undo") ? undoByCode(context, args) : checkInByCode(context, args);
    if (verb === "cancel") return cancel(context, toCode(parseArguments(args, []).rest));
    throw new OperatorError(usage);
  };
}

/** Returns a code as it is stored: codes are read aloud and typed with spaces, in small letters, with O and I for 0 and 1. */
function toCode(words: string[]): string {
  if (words.length === 0) throw new OperatorError(usage);
  return removeSeparators(words.join("")).toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
}

function checkInByCode(context: Context, args: string[]): Promise<string> {
  const { rest, options } = parseArguments(args, ["people", "show", "stop", "anyway"]);
  const [show, stop, anyway] = [options.get("show"), options.get("stop"), options.get("anyway")];
  if (anyway !== undefined && anyway !== "yes") throw new OperatorError("--anyway takes yes alone.");
  if (show !== undefined && stop !== undefined) throw new OperatorError("Name a show or a stop, not both.");
  return checkIn(context, toCode(rest), { people: toPeople(options.get("people")), show, stop, isAnyway: anyway === "yes" });
}

function undoByCode(context: Context, args: string[]): Promise<string> {
  const { rest, options } = parseArguments(args, ["people", "why"], ["undo"]);
  return undo(context, toCode(rest), { people: toPeople(options.get("people")), why: getRequiredText(options, "why", 200) });
}

function toPeople(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d?$/.test(text)) throw new OperatorError("--people is a whole number from 1.");
  return Number(text);
}

async function list(context: Context, args: string[]): Promise<string> {
  const { rest, options, flags } = parseArguments(args, ["stop"], ["csv"]);
  const [uid, ...more] = rest;
  if (!uid || more.length > 0) throw new OperatorError(usage);
  const stop = options.get("stop");
  const [show] = await context.db.select().from(activities).where(eq(activities.uid, uid));
  const [tour] = await context.db.select().from(campaigns).where(eq(campaigns.uid, uid));
  if (!show && !tour) throw new OperatorError(`There is no show or tour "${uid}".`);
  const occasion = stop === undefined ? null : await findStop(context, `${uid}/${stop}`);
  const all: Entry[] =
    show && occasion === null
      ? await selectSeats(context, eq(activityBookings.activityUid, uid))
      : await selectBookings(context, eq(bookings.campaignUid, uid));
  const entries = all.filter((entry) => occasion === null || entry.occasion === occasion);
  if (flags.has("csv")) return formatCsv([toHeadings(show ? "show" : "stop"), ...entries.map(toCells)]);
  const count = (of: (entry: Entry) => number) => entries.reduce((sum, entry) => sum + of(entry), 0);
  const people = count(({ partySize }) => partySize);
  const arrived = people - count(({ open }) => open);
  const title = (show ?? tour)?.title["zh-CN"];
  return [
    `${occasion ?? title}: ${formatBookings(entries.length, people)}, ${arrived} checked in.`,
    ...entries.map(formatEntry),
  ].join("\n");
}

const toHeadings = (where: "show" | "stop") => [
  ...["check_in_code", "name", "mobile", where, "people", "booked_at", "checked_in_at", "note"],
  ...["people_checked_in", "check_in_undone"],
];

const toCells = ({ code, name, mobile, where, partySize, open, bookedAt, checkedInAt, note, undos }: Entry) => [
  ...[code, name, mobile, where, partySize, bookedAt, checkedInAt, note],
  ...[partySize - open, undos.map(formatUndo).join("; ")],
];

const formatUndo = ({ at, people, why }: Undo) => `${formatTime(new Date(at))} ${people}: ${why}`;

function formatEntry(entry: Entry): string {
  const { code, mobile, partySize, open, checkedInAt, note, undos } = entry;
  const part = open > 0 ? `${partySize - open} of ${partySize} ` : "";
  return [
    ...[code, formatGuest(entry), mobile],
    ...(checkedInAt ? [`${part}checked in ${formatTime(checkedInAt)}`] : []),
    ...undos.map(({ at, why }) => `undone ${formatTime(new Date(at))}: ${why}`),
    ...(note ? [`note: ${note}`] : []),
  ].join("  ");
}

/** Cancels a booking that is not checked in; its places are free in the same transaction. */
async function cancel(context: Context, code: string): Promise<string> {
  const entry = await findEntry(context, code);
  const isCancelled = (await cancelSeat(context, code)) || (await cancelPlaces(context, code));
  if (isCancelled) return `${code} is cancelled: ${formatGuest(entry)}. ${formatFree(entry.partySize)}`;
  const { checkedInAt, partySize, open } = await findEntry(context, code);
  const part = open > 0 ? `${partySize - open} of ${partySize} people; ` : "";
  throw new OperatorError(
    `${code} was checked in${checkedInAt ? ` at ${formatTime(checkedInAt)}` : ""}: ${part}nothing was changed.`,
  );
}

const formatFree = (count: number) => (count === 1 ? "The place is free again." : `The ${count} places are free again.`);

const cancelSeat = ({ db }: Context, code: string) =>
  inTransaction(db, async (tx) => (await returnSeat(tx, eq(activityBookings.checkInCode, code))) !== null);

function cancelPlaces(context: Context, code: string): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const byCode = eq(bookings.checkInCode, code);
    const [owner] = await tx.select({ memberId: bookings.memberId }).from(bookings).where(byCode);
    return owner !== undefined && returnPlaces(tx, owner.memberId, byCode);
  });
}
