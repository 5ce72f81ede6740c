import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { orders } from "../../db/schema/order.ts";
import { payments, refunds } from "../../db/schema/payment.ts";
import type { RefundState } from "../../lib/payment-provider.ts";
import { takeBackDays } from "../package/membership.ts";
import { findItems, returnStock } from "./close.ts";
import { countSold } from "./stock.ts";

export type Refund = typeof refunds.$inferSelect;
type Order = typeof orders.$inferSelect;

/** What is known of a refund now: how far the provider is with it, or its word for not taking it on. */
export type RefundOutcome = RefundState | { status: "refused"; failure: string };

const day = 24 * 3600_000;
/** For how long a refund that did not reach its account is asked about: it may be paid out by hand at the provider. */
const abnormalFor = 30 * day;

/** An order's refund of which the end is not known yet; there is one at most. */
export async function openRefund(db: Database, orderSn: string): Promise<Refund | undefined> {
  const isOpen = inArray(refunds.status, ["requested", "processing"]);
  const [found] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderSn, orderSn), isOpen));
  return found;
}

/** Whether there is a refund of this number, for this order and over this sum. */
export async function isRefundOf(
  db: Database,
  { refundNo, orderSn, amountFen }: Pick<Refund, "refundNo" | "orderSn" | "amountFen">,
): Promise<boolean> {
  const same = and(eq(refunds.refundNo, refundNo), eq(refunds.orderSn, orderSn), eq(refunds.amountFen, amountFen));
  return (await db.select({ refundNo: refunds.refundNo }).from(refunds).where(same)).length > 0;
}

/**
 * Books what the provider says of a refund, in one transaction with all that follows from it, however often it is said. Once the provider has taken it on,
 * the order closes as `refund_due`, its unshipped stock and the days that it still contributes are taken back; once the money has arrived, it is `refunded`.
 * A refund that fails leaves it at `refund_due`; one that is refused leaves everything as it was.
 */
export async function recordRefund(context: Context, refundNo: string, outcome: RefundOutcome): Promise<Refund["status"]> {
  return inTransaction(context.db, async (tx) => {
    const own = eq(refunds.refundNo, refundNo);
    const [found] = await tx
      .select({ orderSn: orders.orderSn, memberId: orders.memberId })
      .from(refunds)
      .innerJoin(orders, eq(orders.orderSn, refunds.orderSn))
      .where(own);
    if (!found) throw new Error("a refund that was never written down");
    await context.locks.member(tx, found.memberId);
    const [order] = await tx.select().from(orders).where(eq(orders.orderSn, found.orderSn)).for("update");
    const [refund] = await tx.select().from(refunds).where(own).for("update");
    if (!order || !refund) throw new Error("a refund without its order");
    const at = context.now();
    const change = changeOf(refund, outcome, at);
    if (!change) return refund.status;
    await tx.update(refunds).set(change).where(own);
    if (outcome.status === "refused") return change.status;
    if (order.status !== "closed") await takeBack(tx, order, at);
    if (change.status === "succeeded") await close(tx, order, at);
    return change.status;
  });
}

type Change = Pick<Refund, "status" | "failure" | "endedAt" | "nextAskAt"> & Partial<Refund>;

/** Null where the outcome changes nothing: what has arrived stays so, and what has failed can only still arrive. */
function changeOf(refund: Refund, outcome: RefundOutcome, at: Date): Change | null {
  if (refund.status === "succeeded") return null;
  const endedAt = refund.endedAt ?? at;
  if (outcome.status === "refused") {
    const { failure } = outcome;
    return refund.status === "requested" ? { status: "failed", failure, endedAt, nextAskAt: null } : null;
  }
  const providerRefundId = outcome.refundId;
  switch (outcome.status) {
    case "succeeded":
      return { status: "succeeded", failure: null, endedAt: at, nextAskAt: null, providerRefundId };
    case "processing":
      if (refund.status === "failed") return null;
      return { status: "processing", failure: null, endedAt: null, nextAskAt: refund.nextAskAt, providerRefundId };
    case "closed":
      return { status: "failed", failure: "CLOSED", endedAt, nextAskAt: null, providerRefundId };
    case "abnormal": {
      const isOver = at.getTime() - refund.createdAt.getTime() > abnormalFor;
      const nextAskAt = isOver ? null : (refund.nextAskAt ?? new Date(at.getTime() + day));
      return { status: "failed", failure: "ABNORMAL", endedAt, nextAskAt, providerRefundId };
    }
  }
}

/** What paying has done, undone: while its money is on its way, an order is neither shipped nor used. */
async function takeBack(tx: Database, order: Order, at: Date): Promise<void> {
  const { orderSn, memberId, kind } = order;
  // Before it is closed: a closed one contributes no days.
  if (kind === "package") await takeBackDays(tx, memberId, orderSn, at);
  else for (const { uid, quantity } of await findItems(tx, orderSn)) await countSold(tx, uid, -quantity);
  const isUnshipped = order.shippedAt === null;
  await tx
    .update(orders)
    .set({ status: "closed", closeReason: "refund_due", closedAt: at, stockReturnedAt: isUnshipped ? at : null })
    .where(eq(orders.orderSn, orderSn));
  if (isUnshipped) await returnStock(tx, orderSn);
}

async function close(tx: Database, { orderSn }: Order, at: Date): Promise<void> {
  await tx.update(orders).set({ closeReason: "refunded" }).where(eq(orders.orderSn, orderSn));
  await tx.update(payments).set({ refundedAt: at }).where(eq(payments.orderSn, orderSn));
}
