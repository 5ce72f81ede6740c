import { sql } from "drizzle-orm";
import { check, integer, pgTable } from "drizzle-orm/pg-core";
import { localized, localizedCheck, uid, uidCheck } from "./column.ts";

/** The shop whose catalogue the database holds: one row, once a catalogue has been applied. */
export const shops = pgTable(
  "shops",
  {
    id: integer("id").primaryKey().default(1),
    uid: uid("uid").notNull(),
    title: localized("title").notNull(),
    postageFen: integer("postage_fen").notNull(),
    /** Goods of this sum in fen are sent free of charge. */
    freePostageFrom: integer("free_postage_from").notNull(),
  },
  (table) => [
    uidCheck("shops", table.uid),
    localizedCheck("shops", table.title),
    check("shops_one", sql`${table.id} = 1`),
    check("shops_postage", sql`${table.postageFen} >= 0 and ${table.freePostageFrom} >= 0`),
  ],
);
