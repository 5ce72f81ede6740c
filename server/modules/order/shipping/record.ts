import { and, eq, inArray, isNull, or } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import type { orderItems, orders } from "#server/db/schema/order.ts";
import { payments } from "#server/db/schema/payment.ts";
import { shippingReports } from "#server/db/schema/shipping.ts";
import { maskMobile } from "#server/modules/member/member.ts";
import { findItems } from "../stock.ts";

export type Report = typeof shippingReports.$inferSelect;
type Order = Pick<typeof orders.$inferSelect, "orderSn" | "kind" | "address">;
type Item = typeof orderItems.$inferSelect;
type Payment = typeof payments.$inferSelect;

/** A parcel as the operator names it. `carrierId` is WeChat's, where it is known. */
export interface Parcel {
  carrier: string;
  tracking: string;
  carrierId: string | null;
}

const hour = 3600_000;
const day = 24 * hour;
/** WeChat's time to report from a payment on, or from when a pre-order is sent. */
const timeToReport = 48 * hour;
/** WeChat has a payment about a minute after it was made. */
const firstReportAfter = 60_000;
/** An order that is sent later than this after its payment has to be announced, at most this long before. */
const minPresale = 15 * day;
const maxPresale = 330 * day;

/** The carriers of which WeChat requires the recipient's masked number. */
export const needsContact = (carrierId: string | null) => carrierId === null || carrierId === "SF";

/** Records that goods are sent, or what is corrected of it, for WeChat; nothing for an order that was not paid there. `parcel` is null for what the shop brings itself. */
export async function recordShipment(tx: Database, order: Order, parcel: Parcel | null, at: Date): Promise<void> {
  const [payment] = await tx.select().from(payments).where(eq(payments.orderSn, order.orderSn));
  if (payment?.provider !== "wechat") return;
  const [item] = await findItems(tx, order.orderSn);
  if (!item) throw new Error("the order has no item");
  await voidReports(tx, order.orderSn, at);
  const contact = order.address && needsContact(parcel?.carrierId ?? null) ? maskMobile(order.address.mobile) : null;
  await insertReport(tx, payment, item, { kind: "by_hand", ...(parcel && { ...parcel, contact, kind: "express" }) }, at);
}

/** Records a payment of which WeChat has to be told at once: a pass has nothing to be sent, and a pre-order is sent later than WeChat expects. */
export async function recordPaidForShipping(tx: Database, { orderSn, kind }: Order, item: Item, at: Date): Promise<void> {
  const [payment] = await tx.select().from(payments).where(eq(payments.orderSn, orderSn));
  if (payment?.provider !== "wechat") return;
  const { shipsAt } = item;
  if (kind === "package") await insertReport(tx, payment, item, { kind: "virtual" }, at, firstReportAfter);
  const wait = shipsAt ? shipsAt.getTime() - payment.paidAt.getTime() : 0;
  if (kind === "package" || wait <= minPresale) return;
  const words = "WeChat takes dates up to 330 days after the payment";
  const refused = wait > maxPresale ? ({ state: "refused", words } as const) : {};
  await insertReport(tx, payment, item, { kind: "presale", shipsAt, ...refused }, at, firstReportAfter);
}

type Content = Pick<
  typeof shippingReports.$inferInsert,
  "kind" | "carrier" | "carrierId" | "tracking" | "contact" | "shipsAt" | "state" | "words"
>;

async function insertReport(
  tx: Database,
  { orderSn, tradeNo, paidAt }: Payment,
  item: Item,
  content: Content,
  at: Date,
  after = 0,
): Promise<void> {
  // An order is announced before its first 48 hours end.
  const dueAt = toDueTime(paidAt, content.kind === "presale" ? null : item.shipsAt);
  const itemDesc = toItemDesc(item);
  const next = content.state ? { endedAt: at } : { nextAt: new Date(at.getTime() + after) };
  await tx.insert(shippingReports).values({ ...content, ...next, orderSn, tradeNo, itemDesc, dueAt, createdAt: at });
}

/** Returns until when WeChat expects the report: 48 hours after the payment, or after the day from which a pre-order is sent. */
export const toDueTime = (paidAt: Date, shipsAt: Date | null) =>
  new Date(Math.max(paidAt.getTime(), shipsAt?.getTime() ?? 0) + timeToReport);

const maxItemDesc = 120;

/** Returns what is in a parcel, as the buyer reads it in WeChat. */
function toItemDesc({ title, spec, quantity }: Item): string {
  const end = ` × ${quantity}`;
  const name = [title["zh-CN"], spec["zh-CN"]]
    .filter(Boolean)
    .join(" ")
    .replaceAll(/[\p{C}\s]+/gu, " ");
  let text = "";
  for (const { segment } of new Intl.Segmenter("zh-CN").segment(name)) {
    if (text.length + segment.length + end.length > maxItemDesc) return `${text.slice(0, -1).trimEnd()}…${end}`;
    text += segment;
  }
  return text + end;
}

/**
 * Ends the reports of an order that are not sent, as it is refunded or something else is to be reported, and takes those that WeChat has refused off the operator's
 * list. What is sent without an answer stays: WeChat may have it.
 */
export async function voidReports(tx: Database, orderSn: string, at: Date): Promise<void> {
  const ofOrder = eq(shippingReports.orderSn, orderSn);
  const unsent = or(
    eq(shippingReports.state, "due"),
    and(eq(shippingReports.kind, "presale"), eq(shippingReports.state, "sent")),
  );
  await tx.update(shippingReports).set({ state: "void", nextAt: null, endedAt: at }).where(and(ofOrder, unsent));
  await tx
    .update(shippingReports)
    .set({ handledAt: at })
    .where(and(ofOrder, isNull(shippingReports.handledAt), inArray(shippingReports.state, ["refused", "change_by_hand"])));
}
