import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { packages } from "./catalogue.ts";
import { time, uid } from "./column.ts";

export const members = pgTable(
  "members",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    mobile: text("mobile").notNull().unique(),
    account: text("account").unique(),
    nickname: text("nickname").notNull(),
    activated: boolean("activated").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    check("members_mobile_form", sql`${table.mobile} ~ '^1[3-9][0-9]{9}$'`),
    check("members_account_form", sql`${table.account} ~ '^[a-z][a-z0-9_]{3,31}$'`),
  ],
);

/** A column of rows that end with their member. */
export const memberId = () =>
  uuid("member_id")
    .notNull()
    .references(() => members.id, { onDelete: "cascade" });

/** At most one per member. */
export const memberships = pgTable(
  "memberships",
  {
    memberId: memberId().primaryKey(),
    packageUid: uid("package_uid")
      .notNull()
      .references(() => packages.uid),
    startedAt: time("started_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [check("memberships_order_of_times", sql`${table.expiresAt} > ${table.startedAt}`)],
);

/** Names of regions are not stored: the code determines them in each language. */
export const addresses = pgTable(
  "addresses",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    memberId: memberId(),
    name: text("name").notNull(),
    mobile: text("mobile").notNull(),
    regionCode: text("region_code").notNull(),
    detail: text("detail").notNull(),
    isDefault: boolean("is_default").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    check("addresses_mobile_form", sql`${table.mobile} ~ '^1[3-9][0-9]{9}$'`),
    check("addresses_region_form", sql`${table.regionCode} ~ '^[0-9]{6,12}$'`),
    index("addresses_member").on(table.memberId, table.createdAt),
    uniqueIndex("addresses_one_default").on(table.memberId).where(sql`${table.isDefault}`),
  ],
);

/** Concerts with a plan. The site contains their titles. */
export const concerts = pgTable("concerts", { id: integer("id").primaryKey() });

/** One row per member who has joined a plan. */
export const concertPlans = pgTable(
  "concert_plans",
  {
    memberId: memberId(),
    concertId: integer("concert_id")
      .notNull()
      .references(() => concerts.id),
    joinedAt: time("joined_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.concertId] })],
);
