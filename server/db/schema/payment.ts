import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { picklistCheck, time } from "./column.ts";
import { orders } from "./order.ts";

const providers = ["sandbox", "wechat"] as const;
const unmatchedReasons = ["unknown_order", "other_sum", "paid_before", "not_in_bill", "differs_in_bill"] as const;
const refundStatuses = ["requested", "processing", "succeeded", "failed"] as const;

/** Received payments: one per order, one per transaction of the provider. */
export const payments = pgTable(
  "payments",
  {
    orderSn: text("order_sn")
      .primaryKey()
      .references(() => orders.orderSn),
    /** The provider's number of it: see `toOrderSn`. */
    tradeNo: text("trade_no").notNull().unique(),
    provider: text("provider", { enum: providers }).notNull(),
    transactionId: text("transaction_id").notNull().unique(),
    payFen: integer("pay_fen").notNull(),
    paidAt: time("paid_at").notNull(),
    /** WeChat's id of the payer, who need not be the member. */
    openid: text("openid"),
    refundedAt: time("refunded_at"),
  },
  (table) => [picklistCheck("payments", table.provider, providers), check("payments_pay", sql`${table.payFen} > 0`)],
);

/** Received payments that match no order, as the provider reports them, and recorded ones that do not match the provider's bill. */
export const unmatchedPayments = pgTable(
  "unmatched_payments",
  {
    provider: text("provider", { enum: providers }).notNull(),
    transactionId: text("transaction_id").notNull(),
    /** The number that the provider reports: of an order, or of another payer of it. */
    tradeNo: text("order_sn").notNull(),
    reason: text("reason", { enum: unmatchedReasons }).notNull(),
    payFen: bigint("pay_fen", { mode: "number" }).notNull(),
    paidAt: time("paid_at").notNull(),
    receivedAt: time("received_at").notNull(),
    /** When the operator marked it as handled. */
    handledAt: time("handled_at"),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.transactionId] }),
    picklistCheck("unmatched_payments", table.provider, providers),
    picklistCheck("unmatched_payments", table.reason, unmatchedReasons),
    check("unmatched_payments_pay", sql`${table.payFen} > 0`),
  ],
);

/** Payments that were prepared at the provider, one open one per order and payer, with everything that the provider ties to the number: it is sent again unchanged. */
export const prepays = pgTable(
  "prepays",
  {
    /** `order_sn` for the first payer, then `<order_sn>-2`, …. */
    tradeNo: text("trade_no").primaryKey(),
    orderSn: text("order_sn")
      .notNull()
      .references(() => orders.orderSn),
    attempt: integer("attempt").notNull(),
    openid: text("openid").notNull(),
    description: text("description").notNull(),
    payFen: integer("pay_fen").notNull(),
    expireAt: time("expire_at").notNull(),
    noticeUrl: text("notice_url").notNull(),
    createdAt: time("created_at").notNull(),
    /** When the provider was last queried about it. */
    queriedAt: time("queried_at"),
    /** Since when it takes no payment: it is paid, or closed at the provider. */
    endedAt: time("ended_at"),
  },
  (table) => [
    unique("prepays_attempt").on(table.orderSn, table.attempt),
    // One open number per payer: two would be paid twice.
    uniqueIndex("prepays_payer").on(table.orderSn, table.openid).where(sql`${table.endedAt} is null`),
    check(
      "prepays_number",
      sql`${table.attempt} > 0 and ${table.tradeNo} = ${table.orderSn} || case when ${table.attempt} = 1 then '' else '-' || ${table.attempt} end`,
    ),
    check("prepays_pay", sql`${table.payFen} > 0`),
    index("prepays_open").on(table.createdAt).where(sql`${table.endedAt} is null`),
  ],
);

/**
 * Refunds of payments: attempts of this server, each with its own number and inserted before the provider is called, and those that were made elsewhere, of the
 * whole sum or of a part.
 */
export const refunds = pgTable(
  "refunds",
  {
    /** Its number at the provider: `<trade_no>R<attempt>`, or any other of one that was made elsewhere. */
    refundNo: text("refund_no").primaryKey(),
    /** The number of the payment. */
    tradeNo: text("trade_no").notNull(),
    /** The order that the payment counts for; null for one that came after another, which the server gives back. */
    orderSn: text("order_sn").references(() => orders.orderSn),
    attempt: integer("attempt").notNull(),
    amountFen: integer("amount_fen").notNull(),
    /** `requested`: not confirmed by the provider. `processing`: accepted by the provider. */
    status: text("status", { enum: refundStatuses }).notNull(),
    /** The provider's reason for the failure. */
    failure: text("failure"),
    providerRefundId: text("provider_refund_id"),
    createdAt: time("created_at").notNull(),
    /** Number of status queries, and the time of the next one. */
    queryCount: integer("asks").notNull().default(0),
    nextQueryAt: time("next_ask_at"),
    endedAt: time("ended_at"),
    /** Made elsewhere: in the provider's own console, or by hand as the operator has recorded. */
    isExternal: boolean("external").notNull().default(false),
  },
  (table) => [
    unique("refunds_attempt").on(table.tradeNo, table.attempt),
    picklistCheck("refunds", table.status, refundStatuses),
    check("refunds_amount", sql`${table.amountFen} > 0 and ${table.attempt} > 0 and ${table.queryCount} >= 0`),
    check("refunds_number", sql`${table.isExternal} or ${table.refundNo} = ${table.tradeNo} || 'R' || ${table.attempt}`),
    check("refunds_ended", sql`(${table.status} in ('succeeded', 'failed')) = (${table.endedAt} is not null)`),
    check("refunds_failure", sql`(${table.status} = 'failed') = (${table.failure} is not null)`),
    // One open refund of this server per payment: two would refund twice.
    uniqueIndex("refunds_open")
      .on(table.tradeNo)
      .where(sql`${table.status} in ('requested', 'processing') and not ${table.isExternal}`),
    index("refunds_order").on(table.orderSn).where(sql`${table.orderSn} is not null`),
    index("refunds_next_ask").on(table.nextQueryAt).where(sql`${table.nextQueryAt} is not null`),
  ],
);

/** Verified notices of the provider; a duplicate has no effect. */
export const paymentNotices = pgTable(
  "payment_notices",
  {
    provider: text("provider", { enum: providers }).notNull(),
    noticeId: text("notice_id").notNull(),
    orderSn: text("order_sn").notNull(),
    receivedAt: time("received_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.noticeId] }),
    picklistCheck("payment_notices", table.provider, providers),
  ],
);

/** Verified notices that the server does not handle, such as complaints, for the operator. */
export const otherNotices = pgTable(
  "other_notices",
  {
    provider: text("provider", { enum: providers }).notNull(),
    noticeId: text("notice_id").notNull(),
    eventType: text("event_type").notNull(),
    /** Its content as JSON, decrypted; that of the whole notice where it has no content of the usual form. */
    content: text("content").notNull(),
    receivedAt: time("received_at").notNull(),
    /** When the operator marked it as handled. */
    handledAt: time("handled_at"),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.noticeId] }),
    picklistCheck("other_notices", table.provider, providers),
  ],
);

/** Days whose bill was compared with the payments, or is being compared. One process has a day at a time. */
export const billComparisons = pgTable("bill_comparisons", {
  /** In China. */
  day: date("day", { mode: "string" }).primaryKey(),
  startedAt: time("started_at").notNull(),
  endedAt: time("ended_at"),
});

/** Codes that a phone scans. `cashier` is the secret token in the URL of the sandbox's cashier. */
export const payCodes = pgTable(
  "pay_codes",
  {
    orderSn: text("order_sn")
      .primaryKey()
      .references(() => orders.orderSn, { onDelete: "cascade" }),
    mode: text("mode", { enum: ["wxacode", "sandbox"] }).notNull(),
    /** The provider's image. The sandbox draws its own per request, with the server's origin. */
    image: text("image"),
    cashier: text("cashier").unique(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    picklistCheck("pay_codes", table.mode, ["wxacode", "sandbox"]),
    check("pay_codes_image", sql`(${table.mode} = 'wxacode') = (${table.image} is not null)`),
    index("pay_codes_expires").on(table.expiresAt),
    check("pay_codes_cashier", sql`(${table.mode} = 'sandbox') = (${table.cashier} is not null)`),
  ],
);
