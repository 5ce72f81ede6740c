import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { time, uid } from "./column.ts";
import { packages } from "./package.ts";

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

/** At most one per member. */
export const memberships = pgTable(
  "memberships",
  {
    memberId: uuid("member_id")
      .primaryKey()
      .references(() => members.id, { onDelete: "cascade" }),
    packageUid: uid("package_uid")
      .notNull()
      .references(() => packages.uid),
    startedAt: time("started_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [check("memberships_order_of_times", sql`${table.expiresAt} > ${table.startedAt}`)],
);
