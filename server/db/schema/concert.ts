import { integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { time } from "./column.ts";
import { members } from "./member.ts";

/** The concerts that there is a plan for. What they are called stands on the site. */
export const concerts = pgTable("concerts", { id: integer("id").primaryKey() });

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
