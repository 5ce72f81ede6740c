import { eq } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { activities } from "#server/db/schema/booking.ts";
import { formatTime, toDay } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { recordCheckIn, undoCheckIn } from "#server/modules/booking/check-in.ts";
import { formatPeople } from "#server/modules/booking/format.ts";
import { type Entry, findEntry, findStop, formatGuest } from "./booking-entry.ts";

const hour = 3600_000;
/** The night until then belongs to the evening before. */
const dayBegins = 6 * hour;
/** How long before its start a show of the next morning is due. */
const early = 6 * hour;

const toEvening = (time: Date) => toDay(new Date(time.getTime() - dayBegins));

/** Returns whether a show or stop is of the same day in China as `now`, begins within six hours, or has not ended. */
function isDue({ startsAt, endsAt }: Pick<Entry, "startsAt" | "endsAt">, now: Date): boolean {
  const isAround = now.getTime() >= startsAt.getTime() - early && now < endsAt;
  return isAround || toEvening(startsAt) === toEvening(now);
}

interface CheckInOptions {
  /** How many of the party come in; by default, all who are not in. */
  people: number | null;
  /** Where the operator stands: uid of a show. */
  show: string | undefined;
  /** Name of a stop, or `<tour>/<stop>`. */
  stop: string | undefined;
  /** Checks in what is refused. */
  isAnyway: boolean;
}

/** Checks a party in, or a part of it: of several at the same time, as many succeed as there are people. Throws OperatorError. */
export async function checkIn(context: Context, code: string, options: CheckInOptions): Promise<string> {
  const here = await findOccasion(context, options);
  // Where the statement fails, the booking has changed since it was read, and is read again.
  for (;;) {
    const at = context.now();
    const entry = await findEntry(context, code);
    if (!options.isAnyway) requireDue(entry, here, at);
    const people = options.people ?? Math.max(entry.open, 1);
    requireOpen(entry, people);
    const open = await recordCheckIn(context.db, entry, people, at);
    if (open !== null) return formatArrival(entry, open);
  }
}

/** Returns where the operator stands, as `Entry.occasion`; null where the options name none. */
async function findOccasion(context: Context, { show, stop }: CheckInOptions): Promise<string | null> {
  if (stop !== undefined) return findStop(context, stop);
  if (show === undefined) return null;
  const [activity] = await context.db.select({ uid: activities.uid }).from(activities).where(eq(activities.uid, show));
  if (!activity) throw new OperatorError(`There is no show "${show}".`);
  return activity.uid;
}

/** Throws OperatorError for a code of another place or day, or of what does not take place. */
function requireDue(entry: Entry, here: string | null, at: Date): void {
  const { occasion } = entry;
  const reasons = [
    ...(here !== null && occasion !== here ? [`is for ${occasion}, not for ${here}`] : []),
    ...(entry.isOff ? [`is for ${occasion}, which is cancelled or no longer in the files`] : []),
    ...(isDue(entry, at) ? [] : [`is for ${occasion} on another day, ${formatTime(entry.startsAt)}`]),
  ];
  const [reason] = reasons;
  if (reason)
    throw new OperatorError(
      `${entry.code} ${reason}: ${formatGuest(entry)}. Nothing was changed; with --anyway yes it is checked in.`,
    );
}

function requireOpen(entry: Entry, people: number): void {
  const { code, open, partySize, checkedInAt } = entry;
  if (people <= open) return;
  if (open === 0)
    throw new OperatorError(
      `${code} was checked in before${checkedInAt ? `, at ${formatTime(checkedInAt)}` : ""}: ${formatGuest(entry)}. Nothing was changed.`,
    );
  const left = open < partySize ? `${open} of ${partySize} people are still to come` : `it is for ${formatPeople(partySize)}`;
  throw new OperatorError(`${code}: ${left}, so ${people} cannot be checked in: ${formatGuest(entry)}. Nothing was changed.`);
}

function formatArrival(entry: Entry, open: number): string {
  const { code, partySize } = entry;
  if (open === 0) return `${code} is checked in: ${formatGuest(entry)}.`;
  return `${code}: ${partySize - open} of ${partySize} people are checked in: ${formatGuest(entry)}.`;
}

/** Undoes the check-in of a party, or of a part of it, and keeps the reason. Throws OperatorError. */
export async function undo(
  context: Context,
  code: string,
  options: Pick<CheckInOptions, "people"> & { why: string },
): Promise<string> {
  for (;;) {
    const entry = await findEntry(context, code);
    const inside = entry.partySize - entry.open;
    const people = options.people ?? Math.max(inside, 1);
    if (people > inside)
      throw new OperatorError(
        inside === 0
          ? `${code} is not checked in: ${formatGuest(entry)}. Nothing was changed.`
          : `${code}: ${inside} of ${formatPeople(entry.partySize)} checked in, so that of ${people} cannot be undone: ${formatGuest(entry)}. Nothing was changed.`,
      );
    const open = await undoCheckIn(context.db, entry, { at: context.now().toISOString(), people, why: options.why });
    if (open !== null)
      return open === entry.partySize ? `${code} is no longer checked in: ${formatGuest(entry)}.` : formatArrival(entry, open);
  }
}
