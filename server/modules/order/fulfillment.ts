import { eq } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { orders, type StoredAddress } from "#server/db/schema/order.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { type Operator, recordAct } from "#server/modules/audit/audit.ts";
import { lockMember } from "#server/modules/member/member.ts";
import { findOpenRefund } from "./refund/record.ts";
import { type Parcel, recordShipment } from "./shipping/record.ts";

type Order = typeof orders.$inferSelect;

/**
 * Marks paid goods as shipped; of goods that are shipped already, replaces carrier and number, and returns what they were. `parcel` is null for goods that the shop
 * brings itself. What WeChat has to be told is recorded. Throws OperatorError for an unknown order, and for one that cannot be shipped.
 */
export async function shipOrder(
  context: Context,
  orderSn: string,
  parcel: Parcel | null,
  operator: Operator,
): Promise<string | null> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderSn);
    if (order.kind === "goods" && (order.status === "shipped" || order.status === "completed"))
      return correctParcel(context, tx, order, parcel, operator);
    if (order.kind !== "goods" || order.status !== "paid") {
      throw createStateError(order, "only goods that are paid can be shipped");
    }
    if (!order.address) throw new OperatorError(`${orderSn} has no address, as its member has ended: it can be refunded.`);
    await requireNoRefund(tx, order);
    if (order.refundReportedAt) {
      throw new OperatorError(
        `${orderSn} is refunded at the provider, by an unknown sum. Look there, then record it: npm run orders -- refund ${orderSn} --done outside --why <reason>, with --sum <yuan> for a part. Nothing was shipped.`,
      );
    }
    const at = context.now();
    const shipped = { status: "shipped", shippedAt: at, ...toColumns(parcel) } as const;
    await tx.update(orders).set(shipped).where(eq(orders.orderSn, orderSn));
    await recordShipment(tx, order, parcel, at);
    return null;
  });
}

type Shipment = Pick<Order, "carrier" | "tracking" | "byHand">;

const toColumns = (parcel: Parcel | null): Shipment =>
  parcel
    ? { carrier: parcel.carrier, tracking: parcel.tracking, byHand: false }
    : { carrier: null, tracking: null, byHand: true };

export const formatShipment = ({ carrier, tracking, byHand }: Shipment) => (byHand ? "by hand" : `${carrier} ${tracking}`);
export const formatParcel = (parcel: Parcel | null) => formatShipment(toColumns(parcel));

async function correctParcel(
  context: Context,
  tx: Database,
  order: Order,
  parcel: Parcel | null,
  operator: Operator,
): Promise<string> {
  const { orderSn, memberId } = order;
  const [before, after] = [formatShipment(order), formatParcel(parcel)];
  if (before === after) throw new OperatorError(`${orderSn} is shipped ${parcel ? "with " : ""}${after}: nothing was changed.`);
  const at = context.now();
  await tx.update(orders).set(toColumns(parcel)).where(eq(orders.orderSn, orderSn));
  await recordShipment(tx, order, parcel, at);
  await recordAct(tx, operator, { at, act: "orders ship", subject: orderSn, memberId, before, after });
  return before;
}

export const formatAddress = ({ province, city, district, detail, name, mobile }: StoredAddress) =>
  [[province, city, district].map((region) => region["zh-CN"]).join("") + detail, name, mobile].join("  ");

/** Changes the address of goods that are not shipped, and returns the one before and after. Throws OperatorError for an unknown order, and for one that has no address to change. */
export async function correctAddress(
  context: Context,
  orderSn: string,
  change: Partial<StoredAddress>,
  operator: Operator,
): Promise<{ before: string; after: string }> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderSn);
    const { address, memberId } = order;
    if (!address || (order.status !== "pending" && order.status !== "paid"))
      throw createStateError(order, "only goods that are to be shipped can get another address");
    const changed = { ...address, ...change };
    const [before, after] = [formatAddress(address), formatAddress(changed)];
    if (before === after) throw new OperatorError(`${orderSn} has that address: nothing was changed.`);
    await tx.update(orders).set({ address: changed }).where(eq(orders.orderSn, orderSn));
    await recordAct(tx, operator, { at: context.now(), act: "orders address", subject: orderSn, memberId, before, after });
    return { before, after };
  });
}

/** Completes a shipped order before the scheduler does, or a paid order of a package, which is never shipped. Throws OperatorError. */
export async function completeOrder(context: Context, orderSn: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderSn);
    const isReceived = order.status === "shipped" || (order.status === "paid" && order.kind === "package");
    if (!isReceived) throw createStateError(order, "only what is shipped, or a package that is paid, can be completed");
    await requireNoRefund(tx, order);
    await tx.update(orders).set({ status: "completed", completedAt: context.now() }).where(eq(orders.orderSn, orderSn));
  });
}

/** Locks the order's member and row for a change by the operator, so that no refund begins meanwhile. Throws OperatorError for an unknown order. */
export async function lockOrder(tx: Database, orderSn: string): Promise<Order> {
  const byOrderSn = eq(orders.orderSn, orderSn);
  const [owner] = await tx.select({ memberId: orders.memberId }).from(orders).where(byOrderSn);
  if (!owner) throw new OperatorError("There is no order of that number.");
  await lockMember(tx, owner.memberId);
  const [order] = await tx.select().from(orders).where(byOrderSn).for("update");
  if (!order) throw new OperatorError("There is no order of that number.");
  return order;
}

/** Creates the error for a change that the order's state does not allow. */
export function createStateError({ orderSn, status, closeReason }: Order, rule: string): OperatorError {
  return new OperatorError(`${orderSn} is ${closeReason ? `${status} (${closeReason})` : status}: ${rule}.`);
}

async function requireNoRefund(tx: Database, { orderSn }: Order): Promise<void> {
  const refund = await findOpenRefund(tx, orderSn);
  if (refund) throw new OperatorError(`${orderSn} is being refunded (${refund.refundNo}).`);
}
