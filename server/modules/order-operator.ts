import { and, eq, or } from "drizzle-orm";
import { type Database, inTransaction } from "../db/database.ts";
import { orders } from "../db/schema/order.ts";
import { payments } from "../db/schema/payment.ts";
import type { World } from "../lib/world.ts";
import { OperatorError } from "../operator/command.ts";
import { lockMember } from "./member.ts";
import { giveBackLines, linesOf } from "./order-close.ts";
import { countSold } from "./order-stock.ts";
import { takeBackDays } from "./package-pass.ts";

type Order = typeof orders.$inferSelect;

/** Sends paid goods on their way. Throws OperatorError for an order that is not there, or not to be sent. */
export async function shipOrder({ db, now }: World, orderSn: string, carrier: string, tracking: string): Promise<void> {
  const shipped = await db
    .update(orders)
    .set({ status: "shipped", shippedAt: now(), carrier, tracking })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.kind, "goods"), eq(orders.status, "paid")))
    .returning({ orderSn: orders.orderSn });
  if (shipped.length === 0) throw await refusal(db, orderSn, "only goods that are paid can be shipped");
}

/** What the sweeper does fourteen days after a shipment, done now; of a package, which is never shipped, once it is paid. Throws OperatorError. */
export async function completeOrder({ db, now }: World, orderSn: string): Promise<void> {
  const received = or(eq(orders.status, "shipped"), and(eq(orders.status, "paid"), eq(orders.kind, "package")));
  const completed = await db
    .update(orders)
    .set({ status: "completed", completedAt: now() })
    .where(and(eq(orders.orderSn, orderSn), received))
    .returning({ orderSn: orders.orderSn });
  if (completed.length === 0)
    throw await refusal(db, orderSn, "only what is shipped, or a package that is paid, can be completed");
}

/**
 * Gives the money back, then closes the order: with its stock, where nothing was shipped, and without the days that a package brought. Throws OperatorError.
 * A refund that breaks off in between is done by asking for it again: the provider gives back once for an order.
 */
export async function refundOrder(world: World, orderSn: string): Promise<void> {
  const { db, now, payment } = world;
  const [found] = await db.select().from(orders).where(eq(orders.orderSn, orderSn));
  if (!found || !isRefundable(found)) throw await refusal(db, orderSn, "only what was paid can be refunded");
  await payment.refund?.(orderSn, found.payFen).catch((error: unknown) => {
    throw new OperatorError(`The money was not given back: ${error instanceof Error ? error.message : "no reason given"}.`);
  });
  await inTransaction(db, async (tx) => {
    await lockMember(world, tx, found.memberId);
    const own = eq(orders.orderSn, orderSn);
    const [order] = await tx.select().from(orders).where(own).for("update");
    if (!order || !isRefundable(order)) throw await refusal(tx, orderSn, "only what was paid can be refunded");
    const at = now();
    await tx.update(payments).set({ refundedAt: at }).where(eq(payments.orderSn, orderSn));
    if (order.status === "closed") {
      await tx.update(orders).set({ closeReason: "refunded" }).where(own);
      return;
    }
    const unshipped = order.shippedAt === null;
    // Before it is closed: a closed one contributes no days.
    await undo(tx, order, at);
    await tx
      .update(orders)
      .set({ status: "closed", closeReason: "refunded", closedAt: at, stockReturnedAt: unshipped ? at : null })
      .where(own);
    if (unshipped) await giveBackLines(tx, orderSn);
  });
}

/** What paying has done, taken back. */
async function undo(tx: Database, { orderSn, memberId, kind }: Order, at: Date): Promise<void> {
  if (kind === "package") return takeBackDays(tx, memberId, orderSn, at);
  for (const { uid, quantity } of await linesOf(tx, orderSn)) await countSold(tx, uid, -quantity);
}

function isRefundable({ status, closeReason }: Order): boolean {
  return status === "closed" ? closeReason === "refund_due" : status !== "pending";
}

async function refusal(db: Database, orderSn: string, rule: string): Promise<OperatorError> {
  const [found] = await db.select().from(orders).where(eq(orders.orderSn, orderSn));
  if (!found) return new OperatorError("There is no order of that number.");
  const state = found.closeReason ? `${found.status} (${found.closeReason})` : found.status;
  return new OperatorError(`${orderSn} is ${state}: ${rule}.`);
}
