import { integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { time } from "./column.ts";
import { members } from "./member.ts";

/** Concerts with a plan. The site contains their titles. */
export const concerts = pgTable("concerts", { id: integer("id").primaryKey() });

/** One row per member who has joined a plan. */
export const concertPlans = pgTable(
  "concert_plans",
  {
    memberId: uuid("member_id")
      .notNull()
      .references(() => members.id, { onDelete: "cascade" }),
    concertId: integer("concert_id")
      .notNull()
      .references(() => concerts.id),
    joinedAt: time("joined_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.concertId] })],
);
