import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { picklistCheck, time } from "./column.ts";
import { orders } from "./order.ts";

const reportKinds = ["express", "by_hand", "virtual", "presale"] as const;
const reportStates = ["due", "sent", "accepted", "refused", "change_by_hand", "not_needed", "void"] as const;

/**
 * What WeChat is told of paid orders: a parcel, a delivery by the shop itself, a pass, or the later date of a pre-order (`presale`). A row is inserted in the transaction
 * of what it reports, and sent after it.
 */
export const shippingReports = pgTable(
  "shipping_reports",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    orderSn: text("order_sn")
      .notNull()
      .references(() => orders.orderSn),
    /** The number of the payment. */
    tradeNo: text("trade_no").notNull(),
    kind: text("kind", { enum: reportKinds }).notNull(),
    /** WeChat's id of the carrier; null for a name that is not on its list, or has not been compared with it yet. */
    carrierId: text("carrier_id"),
    carrier: text("carrier"),
    tracking: text("tracking"),
    itemDesc: text("item_desc").notNull(),
    /** The recipient's mobile number, masked. */
    contact: text("contact"),
    /** When a pre-order is sent. */
    shipsAt: time("ships_at"),
    /**
     * `due`: not sent. `sent`: sent, and the answer is missing or unclear. `change_by_hand`: WeChat has taken the one correction, or the buyer has confirmed. `not_needed`:
     * WeChat does not manage this shop's orders. `void`: refunded, or replaced before it was accepted.
     */
    state: text("state", { enum: reportStates }).notNull().default("due"),
    /** Whether WeChat had a shipment before, and this is its one correction. */
    isCorrection: boolean("correction").notNull().default(false),
    /** WeChat's last error and its words; 0 is none of WeChat's own. */
    errcode: integer("errcode"),
    words: text("words"),
    attempts: integer("attempts").notNull().default(0),
    /** When it is sent, or looked up, next; null once it has ended. */
    nextAt: time("next_at"),
    /** When WeChat's time to report ends. */
    dueAt: time("due_at").notNull(),
    createdAt: time("created_at").notNull(),
    /** When it was first sent. */
    sentAt: time("sent_at"),
    endedAt: time("ended_at"),
    /** When the operator took it off the list. */
    handledAt: time("handled_at"),
  },
  (table) => [
    picklistCheck("shipping_reports", table.kind, reportKinds),
    picklistCheck("shipping_reports", table.state, reportStates),
    check("shipping_reports_parcel", sql`(${table.kind} = 'express') = (${table.tracking} is not null)`),
    check("shipping_reports_presale", sql`(${table.kind} = 'presale') = (${table.shipsAt} is not null)`),
    check("shipping_reports_ended", sql`(${table.state} in ('due', 'sent')) = (${table.endedAt} is null)`),
    check("shipping_reports_next", sql`(${table.endedAt} is null) = (${table.nextAt} is not null)`),
    index("shipping_reports_order").on(table.orderSn),
    index("shipping_reports_next_at").on(table.nextAt).where(sql`${table.nextAt} is not null`),
    index("shipping_reports_open").on(table.dueAt).where(sql`${table.handledAt} is null`),
  ],
);

/** The carriers that WeChat follows parcels of, as it listed them last. */
export const carriers = pgTable("carriers", {
  /** WeChat's `delivery_id`, such as SF. */
  id: text("id").primaryKey(),
  name: text("name").notNull(),
});

/** What WeChat is asked once a day for all processes: whether it manages the shop's orders, and its carriers. */
export const dailyAnswers = pgTable("daily_answers", {
  name: text("name", { enum: ["trade_managed", "carriers"] }).primaryKey(),
  /** The last answer; null before the first one. */
  answer: text("answer"),
  answeredAt: time("answered_at"),
  /** Why the last question has no answer. */
  failure: text("failure"),
  nextAt: time("next_at").notNull(),
});
