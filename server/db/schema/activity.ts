import { sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { CatalogueActivity } from "../../../src/content/catalogue.ts";
import { localized, localizedCheck, time, uid, uidCheck } from "./column.ts";
import { members } from "./member.ts";

export const activities = pgTable(
  "activities",
  {
    uid: uid("uid").primaryKey(),
    title: localized("title").notNull(),
    venue: localized("venue").notNull(),
    city: localized("city").notNull(),
    startsAt: time("starts_at").notNull(),
    endsAt: time("ends_at").notNull(),
    opensAt: time("opens_at").notNull(),
    closesAt: time("closes_at").notNull(),
    capacity: integer("capacity").notNull(),
    booked: integer("booked").notNull().default(0),
    /** Earlier openings per level of a membership; a higher level has those of the lower ones. */
    early: jsonb("early").$type<CatalogueActivity["early"]>().notNull().default([]),
    /** False for a cancelled show and for one that the catalogue no longer has. */
    onSale: boolean("on_sale").notNull().default(true),
  },
  (table) => [
    uidCheck("activities", table.uid),
    localizedCheck("activities", table.title, table.venue, table.city),
    check("activities_places", sql`${table.booked} between 0 and ${table.capacity}`),
    check("activities_order_of_times", sql`${table.opensAt} < ${table.closesAt} and ${table.startsAt} < ${table.endsAt}`),
  ],
);

export const activityBookings = pgTable(
  "activity_bookings",
  {
    activityUid: uid("activity_uid")
      .notNull()
      .references(() => activities.uid),
    memberId: uuid("member_id")
      .notNull()
      .references(() => members.id, { onDelete: "cascade" }),
    checkInCode: text("check_in_code").notNull().unique(),
    bookedAt: time("booked_at").notNull(),
    checkedInAt: time("checked_in_at"),
  },
  (table) => [primaryKey({ columns: [table.activityUid, table.memberId] })],
);
