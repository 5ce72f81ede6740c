import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { time } from "./column.ts";
import { members } from "./member.ts";

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** SHA-256 of the token, in hex. The token is not stored. */
    tokenHash: text("token_hash").notNull().unique(),
    memberId: uuid("member_id")
      .notNull()
      .references(() => members.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
    /** Updated at most once an hour. */
    seenAt: time("seen_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("sessions_member").on(table.memberId), index("sessions_expires").on(table.expiresAt)],
);

/** One code per subject: a new code replaces the old one. */
export const loginCodes = pgTable(
  "login_codes",
  {
    /** A mobile number, or `account:<name>` when no member has that name. */
    subject: text("subject").primaryKey(),
    /** Changes with every code, so that a right guess at an old code does not use up the new one. */
    id: uuid("id").notNull().defaultRandom().unique(),
    digest: text("digest").notNull(),
    /** The network that requested the code, in the notation of `toClientNetwork`. */
    network: text("network").notNull().default(""),
    tries: integer("tries").notNull().default(0),
    /** Tries from other networks. */
    triesElsewhere: integer("tries_elsewhere").notNull().default(0),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [
    check("login_codes_tries", sql`${table.tries} >= 0`),
    check("login_codes_tries_elsewhere", sql`${table.triesElsewhere} >= 0`),
    check("login_codes_order_of_times", sql`${table.expiresAt} > ${table.createdAt}`),
    index("login_codes_expires").on(table.expiresAt),
  ],
);

/** Codes requested during the last day, which quotas count. */
export const sendLog = pgTable(
  "send_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    subject: text("subject").notNull(),
    /** An IPv4 address, or the /64 of an IPv6 address. */
    network: text("network").notNull(),
    /** The networks that contain the /64. */
    net56: text("net_56"),
    net48: text("net_48"),
    at: time("at").notNull(),
  },
  (table) => [
    index("send_log_subject").on(table.subject, table.at),
    index("send_log_network").on(table.network, table.at),
    index("send_log_net_56").on(table.net56, table.at),
    index("send_log_net_48").on(table.net48, table.at),
    index("send_log_at").on(table.at),
  ],
);

/** Values that all processes of one database share. */
export const settings = pgTable("settings", { name: text("name").primaryKey(), value: text("value").notNull() });
