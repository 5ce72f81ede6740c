import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { time } from "./column.ts";
import { members } from "./member.ts";

/** Names of regions are not stored: the code determines them in each language. */
export const addresses = pgTable(
  "addresses",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    memberId: uuid("member_id")
      .notNull()
      .references(() => members.id, { onDelete: "cascade" }),
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
