import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable } from "drizzle-orm/pg-core";
import type { CataloguePicture } from "../../../src/content/catalogue.ts";
import { localized, localizedCheck, uid, uidCheck } from "./column.ts";

interface PackageRight {
  icon: string;
  title: string;
  /** Absent in rows from before there was a choice. */
  at_the_door?: boolean;
}

export const packages = pgTable(
  "packages",
  {
    uid: uid("uid").primaryKey(),
    level: integer("level").$type<1 | 2 | 3>().notNull(),
    days: integer("days").notNull(),
    title: localized("title").notNull(),
    summary: localized("summary").notNull(),
    rights: localized<PackageRight[]>("rights").notNull(),
    images: localized<CataloguePicture[]>("images").notNull().default({ "zh-CN": [], "en-US": [] }),
    freePostage: boolean("free_postage").notNull(),
    priceFen: integer("price_fen").notNull(),
    payFen: integer("pay_fen").notNull(),
    badge: localized("badge"),
    /** Null: unlimited. */
    stock: integer("stock"),
    limit: integer("limit_per_member").notNull(),
    onSale: boolean("on_sale").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [
    uidCheck("packages", table.uid),
    localizedCheck("packages", table.title, table.summary, table.rights, table.images, table.badge),
    check("packages_level", sql`${table.level} between 1 and 3`),
    check("packages_days", sql`${table.days} between 1 and 3660`),
    check("packages_price", sql`${table.priceFen} > 0 and ${table.payFen} > 0`),
    check("packages_stock", sql`${table.stock} >= 0`),
    check("packages_limit", sql`${table.limit} between 1 and 99`),
  ],
);
