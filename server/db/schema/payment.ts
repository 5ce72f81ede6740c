import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import { picklistCheck, time } from "./column.ts";
import { orders } from "./order.ts";

const providers = ["sandbox", "wechat"] as const;
const unmatchedReasons = ["unknown_order", "other_sum", "paid_before"] as const;
const refundStatuses = ["requested", "processing", "succeeded", "failed"] as const;

/** Received payments: one per order, one per transaction of the provider. */
export const payments = pgTable(
  "payments",
  {
    orderSn: text("order_sn")
      .primaryKey()
      .references(() => orders.orderSn),
    provider: text("provider", { enum: providers }).notNull(),
    transactionId: text("transaction_id").notNull().unique(),
    payFen: integer("pay_fen").notNull(),
    paidAt: time("paid_at").notNull(),
    refundedAt: time("refunded_at"),
  },
  (table) => [picklistCheck("payments", table.provider, providers), check("payments_pay", sql`${table.payFen} > 0`)],
);

/** Received payments that match no order, as the provider reports them. */
export const unmatchedPayments = pgTable(
  "unmatched_payments",
  {
    provider: text("provider", { enum: providers }).notNull(),
    transactionId: text("transaction_id").notNull(),
    /** The order that the provider reports. */
    orderSn: text("order_sn").notNull(),
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

/** Attempts to refund an order, each with its own number. Inserted before the provider is called. */
export const refunds = pgTable(
  "refunds",
  {
    /** `<order_sn>R<attempt>`: its number at the provider. */
    refundNo: text("refund_no").primaryKey(),
    orderSn: text("order_sn")
      .notNull()
      .references(() => orders.orderSn),
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
  },
  (table) => [
    unique("refunds_attempt").on(table.orderSn, table.attempt),
    picklistCheck("refunds", table.status, refundStatuses),
    check("refunds_amount", sql`${table.amountFen} > 0 and ${table.attempt} > 0 and ${table.queryCount} >= 0`),
    check("refunds_number", sql`${table.refundNo} = ${table.orderSn} || 'R' || ${table.attempt}`),
    check("refunds_ended", sql`(${table.status} in ('succeeded', 'failed')) = (${table.endedAt} is not null)`),
    check("refunds_failure", sql`(${table.status} = 'failed') = (${table.failure} is not null)`),
    // One open refund per order: two would refund twice.
    uniqueIndex("refunds_open").on(table.orderSn).where(sql`${table.status} in ('requested', 'processing')`),
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
