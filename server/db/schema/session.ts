import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { JWK } from "jose";
import { time } from "./column.ts";
import { memberId } from "./member.ts";

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** SHA-256 of the token, in hex. The token is not stored. */
    tokenHash: text("token_hash").notNull().unique(),
    memberId: memberId(),
    createdAt: time("created_at").notNull(),
    /** Updated at most once an hour. */
    seenAt: time("seen_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("sessions_member").on(table.memberId), index("sessions_expires").on(table.expiresAt)],
);

/** Columns of a code. Each code counts its own tries, however many others of its subject are valid. */
const codeColumns = () => ({
  id: uuid("id").notNull().defaultRandom().unique(),
  digest: text("digest").notNull(),
  /** The network that requested the code, in the notation of `toClientNetwork`. */
  network: text("network").notNull().default(""),
  tries: integer("tries").notNull().default(0),
  /** Tries from other networks. */
  triesElsewhere: integer("tries_elsewhere").notNull().default(0),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
});

/** The newest code of each subject. Its tries decide what wrong guesses return. */
export const loginCodes = pgTable(
  "login_codes",
  {
    /** A mobile number, or `account:<name>` when no member has that name. */
    subject: text("subject").primaryKey(),
    ...codeColumns(),
    usedAt: time("used_at"),
  },
  (table) => [
    check("login_codes_tries", sql`${table.tries} >= 0`),
    check("login_codes_tries_elsewhere", sql`${table.triesElsewhere} >= 0`),
    check("login_codes_order_of_times", sql`${table.expiresAt} > ${table.createdAt}`),
    index("login_codes_expires").on(table.expiresAt),
  ],
);

/** Codes that may have arrived, of subjects that have requested a newer one which is not accepted for delivery: they are valid until it is. */
export const earlierCodes = pgTable("earlier_codes", { subject: text("subject").notNull(), ...codeColumns() }, (table) => [
  index("earlier_codes_subject").on(table.subject),
  index("earlier_codes_expires").on(table.expiresAt),
]);

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
    /** False once the service has definitely not sent the code: it no longer counts for the hour and the day of its subject. */
    countsForSubject: boolean("counts_for_subject").notNull().default(true),
    /** False for a request over CODES_PER_HOUR_HOST, which receives no code. */
    countsForServer: boolean("counts_for_server").notNull().default(true),
  },
  (table) => [
    index("send_log_subject").on(table.subject, table.at),
    index("send_log_network").on(table.network, table.at),
    index("send_log_net_56").on(table.net56, table.at),
    index("send_log_net_48").on(table.net48, table.at),
    index("send_log_at").on(table.at),
    index("send_log_server").on(table.at).where(sql`${table.countsForServer}`),
  ],
);

/** Messages that a sender could not send since the last one that its service accepted; no row when there are none. */
export const messageFailures = pgTable("message_failures", {
  /** The value of `SMS`. */
  sender: text("sender").primaryKey(),
  inARow: integer("in_a_row").notNull(),
  /** The service's code of the last one. */
  code: text("code").notNull(),
  at: time("at").notNull(),
});

/** Values that all processes of one database share. */
export const settings = pgTable("settings", { name: text("name").primaryKey(), value: text("value").notNull() });

/** Keys of concert tokens. One that exists never changes; its times say when it signs. */
export const signingKeys = pgTable(
  "signing_keys",
  {
    /** Names the key in a token's header. */
    kid: text("kid").primaryKey(),
    publicKey: jsonb("public_key").$type<JWK>().notNull(),
    /** A JWK, encrypted with a key that derives from SECRET_KEY. */
    privateKey: text("private_key").notNull(),
    signsFrom: time("signs_from").notNull(),
    signsUntil: time("signs_until").notNull(),
  },
  (table) => [check("signing_keys_order_of_times", sql`${table.signsUntil} > ${table.signsFrom}`)],
);
