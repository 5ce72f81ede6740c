import { and, eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { goods } from "../../db/schema/goods.ts";
import { orders } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";
import { payments } from "../../db/schema/payment.ts";
import type { Money } from "../../lib/payment-provider.ts";
import { findMembership } from "../member/member.ts";
import { newExpiry } from "../package/expiry.ts";
import { grantMembership } from "../package/membership.ts";
import { findItems, returnStock } from "./close.ts";
import { countOrderedPieces } from "./limit.ts";
import { countSold } from "./stock.ts";
import { keepUnmatched } from "./unmatched-payment.ts";

/**
 * What became of money that arrived. `paid`: in time. `revived`: late, and there was stock left. `refund_due`: the order stays closed and the operator owes it.
 * `known`: counted before. `unmatched`: it fits no order and is kept apart, for the operator.
 */
export type PaymentOutcome = "paid" | "revived" | "refund_due" | "known" | "unmatched";

type Order = typeof orders.$inferSelect;
type Line = Awaited<ReturnType<typeof findItems>>[number];

/** Books money for an order, in one transaction with all that follows from it; once, however often it is reported. */
export async function recordPayment(context: Context, money: Money): Promise<PaymentOutcome> {
  return inTransaction(context.db, async (tx) => {
    const [found] = await tx.select().from(orders).where(eq(orders.orderSn, money.orderSn));
    const [line] = await findItems(tx, money.orderSn);
    if (!found || !line) return keepUnmatched(context, tx, money, "unknown_order");
    if (found.payFen !== money.payFen) return keepUnmatched(context, tx, money, "other_sum");
    await context.locks.member(tx, found.memberId);
    const at = context.now();
    const fits = found.kind === "goods" || (await passAfter(tx, found, line, at)) !== null;
    const settled = fits ? await payPending(context, tx, found, line, at) : await closePending(tx, found, at);
    const outcome = settled ?? (await payLate(context, tx, found, line, fits, at));
    if (outcome !== "known") await record(tx, money);
    else if (!(await isRecorded(tx, money))) return keepUnmatched(context, tx, money, "paid_before");
    return outcome;
  });
}

async function record(tx: Database, { orderSn, provider, transactionId, payFen, paidAt }: Money): Promise<void> {
  await tx.insert(payments).values({ orderSn, provider, transactionId, payFen, paidAt });
}

async function isRecorded(tx: Database, { orderSn, transactionId }: Money): Promise<boolean> {
  const own = and(eq(payments.orderSn, orderSn), eq(payments.transactionId, transactionId));
  return (await tx.select({ orderSn: payments.orderSn }).from(payments).where(own)).length > 0;
}

async function payPending(context: Context, tx: Database, order: Order, line: Line, at: Date): Promise<PaymentOutcome | null> {
  if (!(await context.orders.markPaid(tx, order.orderSn, at))) return null;
  await deliver(tx, order, line, at);
  return "paid";
}

export async function markPaid(tx: Database, orderSn: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(orders)
    .set({ status: "paid", paidAt: at })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.status, "pending")))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
}

/** Money for a pass that the member cannot have any more, because a higher one runs: nothing is delivered, and the stock goes back. */
async function closePending(tx: Database, { orderSn }: Order, at: Date): Promise<PaymentOutcome | null> {
  const closed = await tx
    .update(orders)
    .set({ status: "closed", closeReason: "refund_due", paidAt: at, closedAt: at, stockReturnedAt: at })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.status, "pending")))
    .returning({ orderSn: orders.orderSn });
  if (closed.length === 0) return null;
  await returnStock(tx, orderSn);
  return "refund_due";
}

/** Money for an order that has closed: it is opened again where stock and limit allow it, otherwise the money is owed back. */
async function payLate(
  context: Context,
  tx: Database,
  order: Order,
  line: Line,
  fits: boolean,
  at: Date,
): Promise<PaymentOutcome> {
  const own = eq(orders.orderSn, order.orderSn);
  // It is what it is now: the one read before may have been closed or paid since.
  const [now] = await tx.select().from(orders).where(own).for("update");
  if (now?.status !== "closed" || now.closeReason !== "expired") return "known";
  if (fits && (await isLeft(context, tx, order, line))) {
    await tx
      .update(orders)
      .set({ status: "paid", paidAt: at, closeReason: null, closedAt: null, stockReturnedAt: null })
      .where(own);
    await deliver(tx, order, line, at);
    return "revived";
  }
  await tx.update(orders).set({ closeReason: "refund_due", paidAt: at }).where(own);
  return "refund_due";
}

async function isLeft(context: Context, tx: Database, { memberId, kind }: Order, line: Line): Promise<boolean> {
  const ordered = await countOrderedPieces(tx, memberId, { kind, uid: line.uid });
  return ordered + line.quantity <= (await limitOf(tx, kind, line.uid)) && context.stock.reserve(tx, line);
}

async function limitOf(tx: Database, kind: Order["kind"], uid: string): Promise<number> {
  const [row] =
    kind === "goods"
      ? await tx.select({ limit: goods.limitPerMember }).from(goods).where(eq(goods.uid, uid))
      : await tx.select({ limit: packages.limit }).from(packages).where(eq(packages.uid, uid));
  return row?.limit ?? 0;
}

/** When the member's pass would end with this order paid; null where it cannot be had beside a higher one. */
async function passAfter(tx: Database, { memberId }: Order, line: Line, at: Date): Promise<Date | null> {
  const [bought] = await tx.select().from(packages).where(eq(packages.uid, line.uid));
  if (!bought) return null;
  return newExpiry(at, await findMembership(tx, memberId, at), { ...bought, days: line.days ?? bought.days }, line.quantity);
}

async function deliver(tx: Database, order: Order, line: Line, at: Date): Promise<void> {
  if (order.kind === "goods") return countSold(tx, line.uid, line.quantity);
  const expiresAt = await passAfter(tx, order, line, at);
  if (!expiresAt) throw new Error("a pass was paid for that cannot be had");
  await grantMembership(tx, order.memberId, line.uid, at, expiresAt);
}
