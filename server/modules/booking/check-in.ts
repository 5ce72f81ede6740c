import { and, eq, gte, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { activityBookings, bookings, type Undo } from "#server/db/schema/booking.ts";

/** A seat, for one (`stop` is null), or a pre-registration for a stop, by its check-in code. */
interface CodeHolder {
  code: string;
  stop: string | null;
}

/** People of a pre-registration who are not checked in. */
export const openPeople = sql<number>`case when ${bookings.checkedInAt} is null then ${bookings.partySize} else ${bookings.absent} end`;
const checkedInPeople = sql<number>`${bookings.partySize} - ${openPeople}`;

/** A member may have changed the pre-registration to another stop since it was read. */
const isHolder = ({ code, stop }: CodeHolder) =>
  and(eq(bookings.checkInCode, code), stop === null ? sql`false` : eq(bookings.stop, stop));

/** Checks people in, in one statement that checks that as many are open. Returns how many are still to come; null when fewer are open. */
export async function recordCheckIn(db: Database, holder: CodeHolder, people: number, at: Date): Promise<number | null> {
  if (holder.stop === null) {
    const isOpen = and(eq(activityBookings.checkInCode, holder.code), isNull(activityBookings.checkedInAt));
    const seats = await db.update(activityBookings).set({ checkedInAt: at }).where(isOpen).returning();
    return seats.length > 0 ? 0 : null;
  }
  const [booking] = await db
    .update(bookings)
    .set({
      checkedInAt: sql`coalesce(${bookings.checkedInAt}, ${at.toISOString()}::timestamptz)`,
      absent: sql`${openPeople} - ${people}::int`,
    })
    .where(and(isHolder(holder), gte(openPeople, people)))
    .returning({ absent: bookings.absent });
  return booking?.absent ?? null;
}

/** Undoes the check-in of people, in one statement that checks that as many are checked in, and keeps the reason. Returns how many are still to come; null when fewer are checked in. */
export async function undoCheckIn(db: Database, holder: CodeHolder, undo: Undo): Promise<number | null> {
  const { people } = undo;
  const toUndos = (column: typeof bookings.undos | typeof activityBookings.undos) =>
    sql`${column} || ${JSON.stringify([undo])}::jsonb`;
  if (holder.stop === null) {
    const isIn = and(eq(activityBookings.checkInCode, holder.code), isNotNull(activityBookings.checkedInAt));
    const values = { checkedInAt: null, undos: toUndos(activityBookings.undos) };
    const seats = await db.update(activityBookings).set(values).where(isIn).returning();
    return seats.length > 0 ? 1 : null;
  }
  const isLast = sql`${checkedInPeople} = ${people}::int`;
  const [booking] = await db
    .update(bookings)
    .set({
      checkedInAt: sql`case when ${isLast} then null else ${bookings.checkedInAt} end`,
      absent: sql`case when ${isLast} then 0 else ${bookings.absent} + ${people}::int end`,
      undos: toUndos(bookings.undos),
    })
    .where(and(isHolder(holder), gte(checkedInPeople, people)))
    .returning({ open: openPeople });
  return booking?.open ?? null;
}
