import { and, eq } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Context } from "#server/context.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments, unmatchedPayments } from "#server/db/schema/payment.ts";
import { toOrderSn } from "#server/lib/payment-provider.ts";
import { expire } from "#server/modules/order/close.ts";
import { canPrepay, queryPrepay } from "#server/modules/order/prepay.ts";
import { reconcile } from "#server/modules/order/reconcile.ts";
import { findOrders, isOverdue, mayBePaid, type OrderRow } from "#server/modules/order/serializer.ts";

/**
 * What somebody who is about to pay, or has paid, reads of an order. `late`: less than a minute is left, in which no payment begins. `paid_twice`: this payment
 * came after another one and is given back. `refunded`: the money is on its way back, or has arrived.
 */
type PayableState = "payable" | "late" | "paid" | "paid_twice" | "closed" | "cancelled" | "refunded";

/** Reads an order after the provider was queried for what may have been paid meanwhile; null for an unknown one. `tradeNo` is the number that the reader has paid with. */
export async function findPayable(context: Context, orderSn: string, tradeNo?: string): Promise<OrderRow | null> {
  const { db, now } = context;
  const read = async () => (await findOrders(db, eq(orders.orderSn, orderSn), { limit: 1 }))[0] ?? null;
  const row = await read();
  if (!row) return null;
  if (isOverdue(row.order, now())) await expire(context, orderSn);
  else if (mayBePaid(row.order, now())) await reconcile(context, orderSn);
  else if (tradeNo && toOrderSn(tradeNo) === orderSn) await queryPrepay(context, tradeNo);
  else return row;
  return read();
}

/** Returns an order as the mini program reads it: nothing of the member. */
export async function toPayable({ db, config, now }: Context, { order, item }: OrderRow, locale: Locale, tradeNo?: string) {
  const at = now();
  const state: PayableState = tradeNo && (await isSecond(db, tradeNo)) ? "paid_twice" : getState(order, at);
  return {
    order_sn: order.orderSn,
    kind: order.kind,
    title: item.title[locale],
    spec: item.spec[locale],
    quantity: item.quantity,
    pay_fen: order.payFen,
    state,
    pay_expire_at: order.payExpireAt.toISOString(),
    server_time: at.toISOString(),
    ios: order.kind === "goods" || config.WECHAT_IOS_PASSES,
  };
}

function getState(order: OrderRow["order"], at: Date): PayableState {
  const { status, closeReason, cancelledAt } = order;
  if (status === "pending") return canPrepay(order, at) ? "payable" : "late";
  if (status !== "closed") return "paid";
  if (closeReason !== "expired") return "refunded";
  return cancelledAt ? "cancelled" : "closed";
}

async function isSecond(db: Context["db"], tradeNo: string): Promise<boolean> {
  const second = and(eq(unmatchedPayments.tradeNo, tradeNo), eq(unmatchedPayments.reason, "paid_before"));
  const [first] = await db.select({ tradeNo: payments.tradeNo }).from(payments).where(eq(payments.tradeNo, tradeNo));
  return !first && (await db.select({ tradeNo: unmatchedPayments.tradeNo }).from(unmatchedPayments).where(second)).length > 0;
}
