import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
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
  },
  (table) => [primaryKey({ columns: [table.activityUid, table.memberId] })],
);
