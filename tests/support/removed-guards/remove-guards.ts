import { and, eq, gt, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { readConfig } from "../../../server/config/config.ts";
import type { Context } from "../../../server/context.ts";
import { openDatabase } from "../../../server/db/open.ts";
import { preparedStatement } from "../../../server/db/prepared.ts";
import { activities, activityBookings, bookings, stops } from "../../../server/db/schema/booking.ts";
import { packages, skus } from "../../../server/db/schema/catalogue.ts";
import { orders } from "../../../server/db/schema/order.ts";
import { billComparisons } from "../../../server/db/schema/payment.ts";
import { earlierCodes, loginCodes } from "../../../server/db/schema/session.ts";

// Prepared like the server's own statement, so that the two race at the same speed.
const takeSku = preparedStatement("stock_take_without_guard", { uid: skus.uid }, (tx, fields) =>
  tx
    .update(skus)
    .set({ stock: sql`${skus.stock} - ${sql.placeholder("quantity")}` })
    .where(eq(skus.uid, sql.placeholder("skuUid")))
    .returning(fields),
);

/** Takes pieces from stock even if there are too few. */
const reserveWithoutStockCheck: Context["stock"]["reserve"] = async (tx, { uid, skuUid, quantity }) => {
  if (skuUid !== null) return (await takeSku(tx, { skuUid, quantity })).length > 0;
  const rows = await tx
    .update(packages)
    .set({ stock: sql`${packages.stock} - ${quantity}` })
    .where(and(eq(packages.uid, uid), isNotNull(packages.stock)))
    .returning({ uid: packages.uid });
  if (rows.length > 0) return true;
  const unlimited = and(eq(packages.uid, uid), isNull(packages.stock));
  return (await tx.select({ uid: packages.uid }).from(packages).where(unlimited)).length > 0;
};

/** Marks an order as paid whatever its status. */
const markPaidWithoutStatusCheck: Context["orders"]["markPaid"] = async (tx, orderSn, at) => {
  const rows = await tx
    .update(orders)
    .set({ status: "paid", paidAt: at })
    .where(eq(orders.orderSn, orderSn))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
};

/** Closes an order whose time to pay is over whatever its status. */
const markExpiredWithoutStatusCheck: Context["orders"]["markExpired"] = async (tx, orderSn, at) => {
  const rows = await tx
    .update(orders)
    .set({ status: "closed", closeReason: "expired", closedAt: at, stockReturnedAt: at, queriedAt: null })
    .where(and(eq(orders.orderSn, orderSn), lte(orders.payExpireAt, at)))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
};

/** Cancels an order whatever its status. */
const markCancelledWithoutStatusCheck: Context["orders"]["markCancelled"] = async (tx, orderSn, at) => {
  const rows = await tx
    .update(orders)
    .set({ status: "closed", closeReason: "expired", closedAt: at, cancelledAt: at, stockReturnedAt: at, queriedAt: null })
    .where(eq(orders.orderSn, orderSn))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
};

/** Compares any number of guesses at a code. */
const spendTryWithoutLimit: Context["loginCodes"]["spendTry"] = async (db, { subject, network }, at) => {
  const countTry = (table: typeof loginCodes | typeof earlierCodes, condition?: SQL) => {
    const elsewhereCount = sql`case when ${eq(table.network, network)} then 0 else 1 end`;
    return db
      .update(table)
      .set({ tries: sql`${table.tries} + 1`, triesElsewhere: sql`${table.triesElsewhere} + (${elsewhereCount})` })
      .where(and(eq(table.subject, subject), gt(table.expiresAt, at), condition))
      .returning({ id: table.id, digest: table.digest });
  };
  const [newest = null] = await countTry(loginCodes, isNull(loginCodes.usedAt));
  return { newest, earlier: await countTry(earlierCodes) };
};

/** Lets a code be used any number of times. */
const useCodeRepeatedly: Context["loginCodes"]["use"] = async (tx, { subject }, at) => {
  await tx.update(loginCodes).set({ usedAt: at }).where(eq(loginCodes.subject, subject));
  return true;
};

/** Takes a seat even if the activity is full. */
const takeSeatWithoutCapacityCheck: Context["capacity"]["takeSeat"] = async (tx, activityUid, _memberId, at) => {
  const [activity] = await tx
    .update(activities)
    .set({ booked: sql`${activities.booked} + 1` })
    .where(and(eq(activities.uid, activityUid), lte(activities.opensAt, at), gt(activities.closesAt, at)))
    .returning();
  return activity ?? null;
};

/** Returns a seat that was booked when it was read, even if it has been checked in or returned meanwhile. */
const returnSeatWithoutCheck: Context["capacity"]["returnSeat"] = async (tx, booking) => {
  const [seat] = await tx.select().from(activityBookings).where(booking);
  if (!seat) return null;
  await tx.delete(activityBookings).where(eq(activityBookings.checkInCode, seat.checkInCode));
  const [activity] = await tx
    .update(activities)
    .set({ booked: sql`${activities.booked} - 1` })
    .where(eq(activities.uid, seat.activityUid))
    .returning();
  return activity ?? null;
};

/** Takes places even if too few are left. */
const takePlacesWithoutCapacityCheck: Context["capacity"]["takePlaces"] = async (tx, { campaignUid, stop }, count) => {
  const rows = await tx
    .update(stops)
    .set({ taken: sql`${stops.taken} + ${count}` })
    .where(and(eq(stops.campaignUid, campaignUid), eq(stops.stop, stop)))
    .returning({ stop: stops.stop });
  return rows.length > 0;
};

/** Deletes a booking that was there when it was read, even if it has been checked in meanwhile. */
const deleteBookingWithoutCheck: Context["capacity"]["deleteBooking"] = async (tx, condition) => {
  const [booking] = await tx.select().from(bookings).where(condition);
  if (booking) await tx.delete(bookings).where(eq(bookings.id, booking.id));
  return booking ?? null;
};

/** Checks people in who were open when the booking was read, even if they have been checked in meanwhile. */
const checkInRepeatedly: Context["capacity"]["checkIn"] = async (db, { code, stop }, people, checkedInAt) => {
  if (stop === null) {
    const isOwn = eq(activityBookings.checkInCode, code);
    return (await db.update(activityBookings).set({ checkedInAt }).where(isOwn).returning()).length > 0 ? 0 : null;
  }
  const isOwn = eq(bookings.checkInCode, code);
  const [booking] = await db.select().from(bookings).where(isOwn);
  if (!booking) return null;
  const absent = Math.max(0, (booking.checkedInAt ? booking.absent : booking.partySize) - people);
  await db.update(bookings).set({ checkedInAt, absent }).where(isOwn);
  return absent;
};

/** Answers every query about an order with the first response, even while that is under way. */
function rememberResponses(find: NonNullable<Context["payment"]["find"]>): Context["payment"]["find"] {
  const responses = new Map<string, ReturnType<typeof find>>();
  return (orderSn) => {
    const response = responses.get(orderSn) ?? find(orderSn);
    responses.set(orderSn, response);
    return response;
  };
}

/** Claims a day's bill whoever has it. */
const claimBillAnew: Context["bills"]["claim"] = async (db, day, startedAt) => {
  const { day: target } = billComparisons;
  await db.insert(billComparisons).values({ day, startedAt }).onConflictDoUpdate({ target, set: { startedAt } });
  return true;
};

const noLock = async () => {};

/** Parts of the context without the clause or lock that protects them. A test that passes with one of these does not test the guard. */
const withoutGuard = {
  "code-tries": ({ loginCodes }) => ({ loginCodes: { ...loginCodes, spendTry: spendTryWithoutLimit } }),
  "code-once": ({ loginCodes }) => ({ loginCodes: { ...loginCodes, use: useCodeRepeatedly } }),
  "code-quota": ({ locks }) => ({ locks: { ...locks, sentCodes: noLock } }),
  "member-lock": ({ locks }) => ({ locks: { ...locks, member: noLock } }),
  "number-lock": ({ locks }) => ({ locks: { ...locks, numbers: noLock } }),
  "stock-enough": () => ({ stock: { reserve: reserveWithoutStockCheck } }),
  "places-enough": ({ capacity }) => ({ capacity: { ...capacity, takePlaces: takePlacesWithoutCapacityCheck } }),
  "seats-enough": ({ capacity }) => ({ capacity: { ...capacity, takeSeat: takeSeatWithoutCapacityCheck } }),
  "return-booked": ({ capacity }) => ({ capacity: { ...capacity, returnSeat: returnSeatWithoutCheck } }),
  "delete-booked": ({ capacity }) => ({ capacity: { ...capacity, deleteBooking: deleteBookingWithoutCheck } }),
  "check-in-once": ({ capacity }) => ({ capacity: { ...capacity, checkIn: checkInRepeatedly } }),
  "catalogue-lock": ({ locks }) => ({ locks: { ...locks, catalogue: noLock } }),
  "rename-lock": ({ locks }) => ({ locks: { ...locks, renamed: noLock } }),
  "capacity-lock": ({ locks }) => ({ locks: { ...locks, capacity: noLock } }),
  "pay-pending": ({ orders }) => ({ orders: { ...orders, markPaid: markPaidWithoutStatusCheck } }),
  "cancel-pending": ({ orders }) => ({ orders: { ...orders, markCancelled: markCancelledWithoutStatusCheck } }),
  "close-pending": ({ orders }) => ({ orders: { ...orders, markExpired: markExpiredWithoutStatusCheck } }),
  "bill-once": () => ({ bills: { claim: claimBillAnew } }),
  "query-anew": ({ payment }) => {
    if (!payment.find) throw new Error("this payment provider is not queried");
    return { payment: { ...payment, find: rememberResponses(payment.find) } };
  },
  "notice-signed": ({ payment }) => {
    if (!payment.notices) throw new Error("this payment provider sends no notices");
    return { payment: { ...payment, notices: { ...payment.notices, verify: () => null } } };
  },
} satisfies Record<string, (context: Context) => Partial<Context>>;

export type Guard = keyof typeof withoutGuard;

const isGuard = (name: string): name is Guard => Object.hasOwn(withoutGuard, name);

/** Returns the context with some of its guards removed. */
export function removeGuards(context: Context, guards: readonly Guard[]): Context {
  const changed = { ...context };
  for (const guard of guards) Object.assign(changed, withoutGuard[guard](changed));
  return changed;
}

// Started as a program, it is the server without the guards that the arguments name. SWEEP_EVERY is the scheduler's interval in ms.
if (import.meta.main) {
  const [{ openServices }, { listen }] = await Promise.all([
    import("../../../server/services.ts"),
    import("../../../server/listen.ts"),
  ]);
  const guards = process.argv.slice(2).filter(isGuard);
  const config = readConfig(process.env);
  const services = await openServices(config, await openDatabase(config, () => new Date()));
  const schedulerInterval = Number(process.env.SWEEP_EVERY ?? services.schedulerInterval);
  listen({ ...services, context: removeGuards(services.context, guards), schedulerInterval });
}
