import { integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { both, bothCheck, time } from "./column.ts";
import { members } from "./member.ts";

export const concerts = pgTable("concerts", { id: integer("id").primaryKey(), title: both("title").notNull() }, (table) => [
  bothCheck("concerts", table.title),
]);

/** A row: the member has joined the plan. */
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
