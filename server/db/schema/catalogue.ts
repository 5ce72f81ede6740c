import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { CataloguePicture } from "#src/content/catalogue.ts";
import { localized, localizedCheck, picklistCheck, time, uid, uidCheck } from "./column.ts";

export const goods = pgTable(
  "goods",
  {
    uid: uid("uid").primaryKey(),
    title: localized("title").notNull(),
    summary: localized("summary").notNull(),
    detail: localized<string[]>("detail").notNull(),
    category: localized("category").notNull(),
    images: localized<CataloguePicture[]>("images").notNull(),
    specs: localized<{ name: string; values: string[] }[]>("specs").notNull(),
    listPriceFen: integer("list_price_fen"),
    limitPerMember: integer("limit_per_member").notNull(),
    /** From when on a pre-order is sent. */
    shipsAt: time("ships_at"),
    onSale: boolean("on_sale").notNull(),
    sold: integer("sold").notNull().default(0),
    position: integer("position").notNull(),
  },
  (table) => [
    uidCheck("goods", table.uid),
    localizedCheck("goods", table.title, table.summary, table.detail, table.category, table.images, table.specs),
    check("goods_list_price", sql`${table.listPriceFen} > 0`),
    check("goods_limit", sql`${table.limitPerMember} between 1 and 99`),
    check("goods_sold", sql`${table.sold} >= 0`),
  ],
);

export const skus = pgTable(
  "skus",
  {
    uid: uid("uid").primaryKey(),
    goodsUid: uid("goods_uid")
      .notNull()
      .references(() => goods.uid, { onDelete: "cascade" }),
    /** One value per spec of the item, in the same order. */
    values: localized<string[]>("values").notNull(),
    payFen: integer("pay_fen").notNull(),
    /** Pieces available for orders; excludes reserved pieces. */
    stock: integer("stock").notNull(),
    position: integer("position").notNull(),
    /** False once the catalogue no longer has it: orders keep it. */
    onSale: boolean("on_sale").notNull().default(true),
  },
  (table) => [
    uidCheck("skus", table.uid),
    localizedCheck("skus", table.values),
    check("skus_pay", sql`${table.payFen} > 0`),
    check("skus_stock", sql`${table.stock} >= 0`),
    index("skus_goods").on(table.goodsUid, table.position),
    uniqueIndex("skus_one_per_combination").on(table.goodsUid, table.values).where(sql`${table.onSale}`),
  ],
);

/** What changed a stock: `first` is the stock of a new row of the catalogue, `late_payment` reserves for an order that is paid after it closed. */
const stockCauses = ["first", "order", "expiry", "cancellation", "refund", "late_payment", "operator"] as const;
export type StockCause = (typeof stockCauses)[number];

/** Every change of a SKU's or a package's stock; their sum is the stock. Unlimited packages have none. */
export const stockMovements = pgTable(
  "stock_movements",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text("kind", { enum: ["sku", "package"] }).notNull(),
    uid: uid("uid").notNull(),
    quantity: integer("quantity").notNull(),
    cause: text("cause", { enum: stockCauses }).notNull(),
    orderSn: text("order_sn"),
    /** The operator's reason. */
    why: text("why"),
    at: time("at").notNull().defaultNow(),
  },
  (table) => [
    picklistCheck("stock_movements", table.kind, ["sku", "package"]),
    picklistCheck("stock_movements", table.cause, stockCauses),
    index("stock_movements_uid").on(table.uid),
    // What an order holds, and when a stock was last set, are read whenever an order closes.
    index("stock_movements_order").on(table.orderSn).where(sql`${table.orderSn} is not null`),
    index("stock_movements_first").on(table.uid).where(sql`${table.cause} = 'first'`),
  ],
);

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
    /** Pieces that a member can have at a time, running or to be paid. Null: unlimited. */
    limit: integer("limit_per_member"),
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
