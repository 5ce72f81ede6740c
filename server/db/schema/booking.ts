import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { CatalogueActivity } from "#src/content/catalogue.ts";
import { localized, localizedCheck, picklistCheck, time, uid, uidCheck } from "./column.ts";
import { memberId } from "./member.ts";

/** A check-in that the operator has undone. */
export interface Undo {
  /** ISO 8601. */
  at: string;
  people: number;
  why: string;
}

const undos = () => jsonb("undos").$type<Undo[]>().notNull().default([]);

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
    memberId: memberId(),
    checkInCode: text("check_in_code").notNull().unique(),
    bookedAt: time("booked_at").notNull(),
    checkedInAt: time("checked_in_at"),
    undos: undos(),
  },
  (table) => [primaryKey({ columns: [table.activityUid, table.memberId] })],
);

export const campaigns = pgTable(
  "campaigns",
  {
    uid: uid("uid").primaryKey(),
    title: localized("title").notNull(),
    opensAt: time("opens_at").notNull(),
    closesAt: time("closes_at").notNull(),
    onSale: boolean("on_sale").notNull().default(true),
  },
  (table) => [
    uidCheck("campaigns", table.uid),
    localizedCheck("campaigns", table.title),
    check("campaigns_order_of_times", sql`${table.opensAt} < ${table.closesAt}`),
  ],
);

const stopStatuses = ["scheduled", "cancelled", "moved"] as const;

export const stops = pgTable(
  "stops",
  {
    campaignUid: uid("campaign_uid")
      .notNull()
      .references(() => campaigns.uid, { onDelete: "cascade" }),
    stop: uid("stop").notNull(),
    city: localized("city").notNull(),
    venue: localized("venue").notNull(),
    startsAt: time("starts_at").notNull(),
    /** A cancelled stop cannot be booked, and bookings keep it. */
    status: text("status", { enum: stopStatuses }).notNull().default("scheduled"),
    /** The old start of a stop that has moved. */
    movedFrom: time("moved_from"),
    capacity: integer("capacity").notNull(),
    taken: integer("taken").notNull().default(0),
    /** False once the catalogue no longer has it: bookings keep it. */
    onSale: boolean("on_sale").notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.campaignUid, table.stop] }),
    uidCheck("stops", table.stop),
    localizedCheck("stops", table.city, table.venue),
    picklistCheck("stops", table.status, stopStatuses),
    check("stops_moved", sql`(${table.status} = 'moved') = (${table.movedFrom} is not null)`),
    check("stops_places", sql`${table.taken} between 0 and ${table.capacity}`),
  ],
);

/** One per member and campaign; booking again updates it. */
export const bookings = pgTable(
  "bookings",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    memberId: memberId(),
    campaignUid: uid("campaign_uid").notNull(),
    stop: uid("stop").notNull(),
    name: text("name").notNull(),
    mobile: text("mobile").notNull(),
    partySize: integer("party_size").notNull(),
    note: text("note").notNull().default(""),
    checkInCode: text("check_in_code").notNull().unique(),
    /** When the first of the party was checked in. */
    checkedInAt: time("checked_in_at"),
    /** People of a party of whom some are checked in, who are still to come. */
    absent: integer("absent").notNull().default(0),
    undos: undos(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [
    foreignKey({ columns: [table.campaignUid, table.stop], foreignColumns: [stops.campaignUid, stops.stop] }),
    check("bookings_party_size", sql`${table.partySize} between 1 and 4`),
    check("bookings_absent", sql`${table.absent} between 0 and ${table.partySize} - 1`),
    uniqueIndex("bookings_one_per_member").on(table.memberId, table.campaignUid),
  ],
);
