import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { audit } from "#server/db/schema/audit.ts";
import { activityBookings, bookings } from "#server/db/schema/booking.ts";
import { addresses, members } from "#server/db/schema/member.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments, prepays } from "#server/db/schema/payment.ts";
import { shippingReports } from "#server/db/schema/shipping.ts";
import { ApiError, OperatorError } from "#server/lib/errors.ts";
import { returnSeat } from "#server/modules/activity/seat.ts";
import { type Operator, recordAct } from "#server/modules/audit/audit.ts";
import { returnPlaces } from "#server/modules/booking/booking.ts";
import { cancelOrder } from "#server/modules/order/close.ts";
import { endSessions } from "#server/modules/session/token.ts";
import { codes } from "#src/api/envelope.ts";
import { findMembership, type Member, type Membership, maskMobile } from "./member.ts";
import { findByMobile, lockNumbers } from "./number.ts";

/** What was deleted of a member, and what stays. */
interface Ended {
  member: Member;
  sessions: number;
  addresses: number;
  bookings: number;
  /** Places that are free again. */
  freeSeats: number;
  /** Orders that stay. */
  orders: number;
}

/** What a member still has: orders of goods that are paid and not completed, and a membership that runs. */
interface Unfinished {
  parcels: string[];
  membership: Membership;
}

/**
 * Ends a member: unpaid orders are cancelled, places are free again, and everything of the person is deleted. Orders stay without member, address and note: money
 * that arrives for them is due for refund. Returns what the member still has, and changes nothing, unless `isForced`. Throws OperatorError for an unknown member,
 * and for an order that cannot be cancelled.
 */
export async function endMember(
  context: Context,
  mobile: string,
  isForced: boolean,
  operator: Operator,
): Promise<{ unfinished: Unfinished } | { ended: Ended }> {
  const { db, now } = context;
  const { id } = await findByMobile(db, mobile);
  const unfinished = isForced ? null : await findUnfinished(db, id, now());
  if (unfinished) return { unfinished };
  await cancelUnpaidOrders(context, mobile, id);
  return inTransaction(db, async (tx) => {
    await lockNumbers(tx, [mobile]);
    const member = await findByMobile(tx, mobile);
    const at = now();
    await requireNoPending(tx, member);
    // An order may have been paid meanwhile.
    const unfinished = isForced ? null : await findUnfinished(tx, member.id, at);
    if (unfinished) return { unfinished };
    return { ended: await deleteMember(tx, member, at, operator) };
  });
}

async function deleteMember(tx: Database, member: Member, at: Date, operator: Operator): Promise<Ended> {
  const { id, mobile } = member;
  const ended = {
    member,
    ...(await returnBookings(tx, id)),
    sessions: await endSessions(tx, id),
    addresses: (await tx.delete(addresses).where(eq(addresses.memberId, id)).returning({ id: addresses.id })).length,
    orders: await separateOrders(tx, id),
  };
  await tx.update(audit).set({ before: null, after: null }).where(eq(audit.memberId, id));
  // What else refers to the member is deleted with it.
  await tx.delete(members).where(eq(members.id, id));
  await recordAct(tx, operator, { at, act: "members end", subject: maskMobile(mobile) });
  return ended;
}

/** Cancels the orders that a member has not paid. What is paid at the provider stays. Throws OperatorError when the provider does not respond. */
async function cancelUnpaidOrders(context: Context, mobile: string, memberId: string): Promise<void> {
  const unpaid = and(eq(orders.memberId, memberId), eq(orders.status, "pending"));
  for (const { orderSn } of await context.db.select({ orderSn: orders.orderSn }).from(orders).where(unpaid)) {
    await cancelOrder(context, orderSn).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== codes.unavailable) return;
      throw new OperatorError(`${mobile} stays a member: whether ${orderSn} is paid cannot be found out now. Try again.`);
    });
  }
}

async function requireNoPending(tx: Database, { id, mobile }: Member): Promise<void> {
  const pending = and(eq(orders.memberId, id), eq(orders.status, "pending"));
  const [order] = await tx.select({ orderSn: orders.orderSn }).from(orders).where(pending);
  if (order) throw new OperatorError(`${mobile} stays a member: ${order.orderSn} has just been ordered. Try again.`);
}

/** Returns what a member still has; null when that is nothing. */
async function findUnfinished(db: Database, memberId: string, at: Date): Promise<Unfinished | null> {
  const parcel = and(eq(orders.kind, "goods"), inArray(orders.status, ["paid", "shipped"]));
  const rows = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.memberId, memberId), parcel))
    .orderBy(asc(orders.createdAt));
  const membership = await findMembership(db, memberId, at);
  if (rows.length === 0 && !membership) return null;
  return { parcels: rows.map(({ orderSn }) => orderSn), membership };
}

/** Returns the places of a member. Those of who has been checked in stay taken, as somebody sits there. */
async function returnBookings(tx: Database, memberId: string): Promise<Pick<Ended, "bookings" | "freeSeats">> {
  const seats = await tx
    .select({ code: activityBookings.checkInCode })
    .from(activityBookings)
    .where(eq(activityBookings.memberId, memberId))
    .orderBy(asc(activityBookings.activityUid));
  const groups = await tx
    .select({ id: bookings.id, partySize: bookings.partySize })
    .from(bookings)
    .where(eq(bookings.memberId, memberId))
    .orderBy(asc(bookings.campaignUid), asc(bookings.stop));
  let freeSeats = 0;
  for (const { code } of seats) if (await returnSeat(tx, eq(activityBookings.checkInCode, code))) freeSeats += 1;
  for (const { id, partySize } of groups) if (await returnPlaces(tx, memberId, eq(bookings.id, id))) freeSeats += partySize;
  return { bookings: seats.length + groups.length, freeSeats };
}

/** Takes everything of the person from a member's orders, and returns their number. */
async function separateOrders(tx: Database, memberId: string): Promise<number> {
  const rows = await tx
    .update(orders)
    .set({ memberId: null, address: null, note: "" })
    .where(eq(orders.memberId, memberId))
    .returning({ orderSn: orders.orderSn });
  const sns = rows.map(({ orderSn }) => orderSn);
  await tx.update(payments).set({ openid: null }).where(inArray(payments.orderSn, sns));
  // The number stands for the payer: open numbers of one order must differ.
  await tx
    .update(prepays)
    .set({ openid: sql`${prepays.tradeNo}` })
    .where(inArray(prepays.orderSn, sns));
  await tx.update(shippingReports).set({ contact: null }).where(inArray(shippingReports.orderSn, sns));
  return rows.length;
}
