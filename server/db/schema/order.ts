import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { CataloguePicture } from "#src/content/catalogue.ts";
import { type Localized, localized, localizedCheck, picklistCheck, time, uid } from "./column.ts";
import { memberId, members } from "./member.ts";

/** The address at the time of the order. */
export interface StoredAddress {
  name: string;
  mobile: string;
  region_code: string;
  province: Localized;
  city: Localized;
  district: Localized;
  detail: string;
}

export const orders = pgTable(
  "orders",
  {
    orderSn: text("order_sn").primaryKey(),
    /** Null once the member has ended: the order stays for the books, without address and note. */
    memberId: uuid("member_id").references(() => members.id),
    kind: text("kind", { enum: ["goods", "package"] }).notNull(),
    status: text("status", { enum: ["pending", "paid", "shipped", "completed", "closed"] }).notNull(),
    closeReason: text("close_reason", { enum: ["expired", "refunded", "refund_due"] }),
    goodsFen: integer("goods_fen").notNull(),
    postageFen: integer("postage_fen").notNull(),
    payFen: integer("pay_fen").notNull(),
    address: jsonb("address").$type<StoredAddress>(),
    note: text("note").notNull().default(""),
    carrier: text("carrier"),
    tracking: text("tracking"),
    /** Delivered by the shop itself: there is no carrier. */
    byHand: boolean("by_hand").notNull().default(false),
    createdAt: time("created_at").notNull(),
    payExpireAt: time("pay_expire_at").notNull(),
    paidAt: time("paid_at"),
    shippedAt: time("shipped_at"),
    completedAt: time("completed_at"),
    closedAt: time("closed_at"),
    /** When the member cancelled it; its close reason is `expired`, as late money is treated alike. */
    cancelledAt: time("cancelled_at"),
    /** When the reserved stock was returned: once, in the transaction that closes the order. */
    stockReturnedAt: time("stock_returned_at"),
    /** When the payment provider was last queried about the order. */
    queriedAt: time("asked_at"),
    /** Failed queries to the provider since the order expired, and the time of the first; 0 after a successful query. */
    queryFailures: integer("ask_failures").notNull().default(0),
    queryFailedSince: time("ask_failed_since"),
    /** The first of the provider's responses that could not be verified; null after a verified one. While the order is pending, it stays so. */
    unclearSince: time("unclear_since"),
    /** When the order was closed at the provider, which accepts no payment for it since. */
    providerClosedAt: time("provider_closed_at"),
    /** When the provider reported a refund of an unknown sum that was not made by this server; null again once its sum is recorded. */
    refundReportedAt: time("refund_reported_at"),
  },
  (table) => [
    check("orders_order_sn_form", sql`${table.orderSn} ~ '^[MV][0-9]{12}[0-9A-HJKMNP-TV-Z]{8}$'`),
    check("orders_kind_in_order_sn", sql`(${table.kind} = 'goods') = (left(${table.orderSn}, 1) = 'M')`),
    picklistCheck("orders", table.kind, ["goods", "package"]),
    picklistCheck("orders", table.status, ["pending", "paid", "shipped", "completed", "closed"]),
    picklistCheck("orders", table.closeReason, ["expired", "refunded", "refund_due"]),
    check(
      "orders_sum",
      sql`${table.payFen} = ${table.goodsFen} + ${table.postageFen} and ${table.goodsFen} > 0 and ${table.postageFen} >= 0`,
    ),
    check("orders_address", sql`(${table.kind} = 'goods' and ${table.memberId} is not null) = (${table.address} is not null)`),
    check(
      "orders_closed",
      sql`(${table.status} = 'closed') = (${table.closedAt} is not null) and (${table.status} = 'closed') = (${table.closeReason} is not null)`,
    ),
    check("orders_paid", sql`${table.status} not in ('paid', 'shipped', 'completed') or ${table.paidAt} is not null`),
    check("orders_shipped", sql`${table.status} <> 'shipped' or ${table.shippedAt} is not null`),
    check("orders_completed", sql`${table.status} <> 'completed' or ${table.completedAt} is not null`),
    check(
      "orders_ask_failures",
      sql`${table.queryFailures} >= 0 and (${table.queryFailures} = 0) = (${table.queryFailedSince} is null)`,
    ),
    check("orders_by_hand", sql`not ${table.byHand} or (${table.carrier} is null and ${table.tracking} is null)`),
    check("orders_cancelled", sql`${table.cancelledAt} is null or ${table.status} = 'closed'`),
    check("orders_stock_returned", sql`${table.stockReturnedAt} is null or ${table.status} = 'closed'`),
    index("orders_member").on(table.memberId, table.kind, table.createdAt),
    // Queries of the scheduler.
    index("orders_shipped_at").on(table.shippedAt).where(sql`${table.status} = 'shipped'`),
    index("orders_expired_at").on(table.closedAt).where(sql`${table.closeReason} = 'expired'`),
    index("orders_unpaid").on(table.payExpireAt).where(sql`${table.status} = 'pending'`),
  ],
);

/** `position` is always 1: an order has one item. The key allows more. */
export const orderItems = pgTable(
  "order_lines",
  {
    orderSn: text("order_sn")
      .notNull()
      .references(() => orders.orderSn, { onDelete: "cascade" }),
    position: integer("line").notNull().default(1),
    uid: uid("uid").notNull(),
    skuUid: uid("sku_uid"),
    title: localized("title").notNull(),
    spec: localized("spec").notNull(),
    image: localized<CataloguePicture>("image").notNull(),
    payFen: integer("pay_fen").notNull(),
    quantity: integer("quantity").notNull(),
    /** Days of membership per piece; null for goods. */
    days: integer("days"),
    /** Level and list price of the package when it was ordered, which its days are converted by; null for goods. */
    level: integer("level"),
    priceFen: integer("price_fen"),
    /** From when on a pre-order is sent. */
    shipsAt: time("ships_at"),
  },
  (table) => [
    primaryKey({ columns: [table.orderSn, table.position] }),
    localizedCheck("order_lines", table.title, table.spec, table.image),
    check("order_lines_quantity", sql`${table.quantity} between 1 and 99`),
    check("order_lines_pay", sql`${table.payFen} > 0`),
    check("order_lines_package", sql`${table.level} between 1 and 3 and ${table.priceFen} > 0`),
    index("order_lines_uid").on(table.uid),
  ],
);

/** Idempotency keys: maps `client_request_id` to its order for a day. */
export const orderRequests = pgTable(
  "order_requests",
  {
    memberId: memberId(),
    clientRequestId: text("client_request_id").notNull(),
    payloadHash: text("payload_hash").notNull(),
    orderSn: text("order_sn")
      .notNull()
      .references(() => orders.orderSn, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.memberId, table.clientRequestId] }),
    index("order_requests_created").on(table.createdAt),
  ],
);
