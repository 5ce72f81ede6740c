import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { picklistCheck, time } from "./column.ts";
import { orders } from "./order.ts";

const providers = ["sandbox", "wechat"] as const;

/** Money that arrived. One per order; a transaction of the provider counts once. */
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

/** Notices of the provider that were verified: a doubled one changes nothing. */
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

/** What a phone scans. `cashier` is the unguessable part of the sandbox cashier's address. */
export const payCodes = pgTable(
  "pay_codes",
  {
    orderSn: text("order_sn")
      .primaryKey()
      .references(() => orders.orderSn, { onDelete: "cascade" }),
    mode: text("mode", { enum: ["wxacode", "sandbox"] }).notNull(),
    /** As the provider drew it; the sandbox's is drawn again, for wherever the host is reached. */
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
