import { and, asc, eq, exists, gte, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { ApiError } from "#server/lib/errors.ts";
import { type Operator, recordAct } from "#server/modules/audit/audit.ts";
import { codes } from "#src/api/envelope.ts";
import { createStateError, lockOrder } from "./fulfillment.ts";
import type { Product } from "./queries.ts";
import { type Reconciliation, reconcile, reconcileNow } from "./reconcile.ts";
import { returnStock } from "./stock.ts";

/** After this many failed queries over at least this time, in ms, an order is closed without a response. The provider is queried again at once. */
const minFailures = 3;
const minFailingTime = 10 * 60_000;
/** How often the scheduler queries the provider about an order whose responses cannot be verified, in ms. */
const unclearInterval = 60_000;

/**
 * Queries the provider for an unreported payment of an order whose time to pay is over, then closes the order. One that is unclear stays open until a response
 * is verified, whatever other queries return.
 */
export async function expire(context: Context, orderSn: string): Promise<Reconciliation> {
  const result = await reconcile(context, orderSn);
  const mayClose = result === "unpaid" || (result === "no response" && (await hasFailedLongEnough(context, orderSn)));
  if (mayClose) await closeOverdue(context, orderSn);
  return result;
}

async function hasFailedLongEnough({ db, now }: Context, orderSn: string): Promise<boolean> {
  const failingLongCondition = lte(orders.queryFailedSince, new Date(now().getTime() - minFailingTime));
  const rows = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.orderSn, orderSn), gte(orders.queryFailures, minFailures), failingLongCondition));
  return rows.length > 0;
}

/** Closes an order whose time to pay is over, and releases its stock in the same transaction. Of any number of concurrent callers, one gets true. */
export async function closeOverdue(context: Context, orderSn: string): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const at = context.now();
    return close(tx, orderSn, "expiry", at, and(lte(orders.payExpireAt, at), isNull(orders.unclearSince)));
  });
}

/** Closes an unpaid order that meets the condition, and releases its stock. Returns false without a change for any other. */
async function close(
  tx: Database,
  orderSn: string,
  cause: "expiry" | "cancellation",
  at: Date,
  condition?: SQL,
): Promise<boolean> {
  const cancelledAt = cause === "cancellation" ? at : null;
  const closed = await tx
    .update(orders)
    // `queriedAt: null` makes the scheduler query the provider at once for a payment that came too late, and close the order there.
    .set({ status: "closed", closeReason: "expired", closedAt: at, cancelledAt, stockReturnedAt: at, queriedAt: null })
    .where(and(pendingCondition(orderSn), condition))
    .returning({ orderSn: orders.orderSn });
  if (closed.length > 0) await returnStock(tx, orderSn, cause, at);
  return closed.length > 0;
}

/** Finds the numbers of unpaid orders whose time is over, those that the provider was queried for longest ago first. */
export async function findOverdueOrders({ db, now }: Context, limit: number): Promise<string[]> {
  const at = now();
  const dueCondition = or(isNull(orders.unclearSince), lte(orders.queriedAt, new Date(at.getTime() - unclearInterval)));
  const rows = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(overdueCondition(at), dueCondition))
    .orderBy(sql`${orders.queriedAt} asc nulls first`, asc(orders.payExpireAt))
    .limit(limit);
  return rows.map(({ orderSn }) => orderSn);
}

/** Finds the numbers of a member's overdue orders of one product, oldest first. */
export async function findMembersOverdueOrders(
  { db, now }: Context,
  memberId: string,
  { kind, uid }: Product,
): Promise<string[]> {
  const item = db
    .select({ orderSn: orderItems.orderSn })
    .from(orderItems)
    .where(and(eq(orderItems.orderSn, orders.orderSn), eq(orderItems.uid, uid)));
  const rows = await db
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .where(and(eq(orders.memberId, memberId), eq(orders.kind, kind), overdueCondition(now()), exists(item)))
    .orderBy(asc(orders.payExpireAt))
    .limit(100);
  return rows.map(({ orderSn }) => orderSn);
}

const overdueCondition = (at: Date) => and(eq(orders.status, "pending"), lte(orders.payExpireAt, at));

/**
 * Closes a member's unpaid order and releases its stock in the same transaction, so that stock and limit are free at once. Queries the provider before,
 * once per call and whenever the last query was: an order that is paid there stays. A payment that arrives later is treated like one for an expired order.
 * Returns without a change for an order that was cancelled before. Throws 40002 for a paid order, 40001 for one closed otherwise, 10503 when the provider does
 * not respond, or its response cannot be verified.
 */
export async function cancelOrder(context: Context, orderSn: string): Promise<void> {
  const result = (await isPending(context.db, orderSn)) ? await reconcileNow(context, orderSn) : null;
  if (result === "no response" || result === "unclear") throw new ApiError(codes.unavailable, null, 503);
  await inTransaction(context.db, async (tx) => {
    if (await close(tx, orderSn, "cancellation", context.now())) return;
    const [order] = await tx.select().from(orders).where(eq(orders.orderSn, orderSn));
    if (!order?.cancelledAt) throw new ApiError(order?.status === "closed" ? codes.orderClosed : codes.orderPaid);
  });
}

async function isPending(db: Database, orderSn: string): Promise<boolean> {
  return (await db.select({ orderSn: orders.orderSn }).from(orders).where(pendingCondition(orderSn))).length > 0;
}

const pendingCondition = (orderSn: string) => and(eq(orders.orderSn, orderSn), eq(orders.status, "pending"));

/** Returns the condition for unpaid orders whose responses from the provider cannot be verified. */
export const unclearCondition = and(eq(orders.status, "pending"), isNotNull(orders.unclearSince));

/**
 * Closes an unpaid order that is unclear, for the operator's reason, and releases its stock in the same transaction. Queries the provider before: what is
 * verified then counts. A payment that is found later is treated like one for an expired order. Throws OperatorError.
 */
export async function closeUnclear(context: Context, orderSn: string, operator: Operator): Promise<void> {
  const result = (await isPending(context.db, orderSn)) ? await reconcileNow(context, orderSn) : null;
  if (result === "unpaid") await closeOverdue(context, orderSn);
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderSn);
    if (order.status !== "pending" || !order.unclearSince)
      throw createStateError(order, "only an order whose payment is unclear can be closed");
    const at = context.now();
    await close(tx, orderSn, "expiry", at);
    await recordAct(tx, operator, { at, act: "orders close", subject: orderSn, memberId: order.memberId });
  });
}
