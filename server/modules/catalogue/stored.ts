import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { asc, sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { activities, campaigns, stops } from "#server/db/schema/booking.ts";
import { goods, packages, shops, skus, stockMovements } from "#server/db/schema/catalogue.ts";
import type { Localized } from "#server/db/schema/column.ts";
import { OperatorError } from "#server/lib/errors.ts";
import type { Postage } from "#src/api/order-rules.ts";
import { type Catalogue, type CatalogueGoods, shopFile } from "#src/content/catalogue.ts";

/** A catalogue as the database has it: without a shop before the first one is applied. */
export interface StoredCatalogue extends Omit<Catalogue, "shop"> {
  shop: Catalogue["shop"] | null;
  /** Positions in the mall, by uid. */
  positions: { goods: Map<string, number>; packages: Map<string, number> };
}

/** Figures that the database owns, by uid; stops by `<campaign>/<stop>`. */
export interface Figures {
  /** Pieces left, by `sku/<uid>` and `package/<uid>`, which may have the same uid. */
  stock: Record<string, number>;
  /** Pieces sold, of items. */
  sold: Record<string, number>;
  /** Places taken, of activities and stops. */
  booked: Record<string, number>;
}

/** Reads the catalogue, with everything that is off sale. `stock` is what is there now. SKUs and stops that left the files are left out, as is an item without any. */
export async function readCatalogue(db: Database): Promise<StoredCatalogue> {
  const [shop] = await db.select().from(shops);
  const skuRows = await db.select().from(skus).orderBy(asc(skus.position), asc(skus.uid));
  const stopRows = await db.select().from(stops).orderBy(asc(stops.startsAt), asc(stops.stop));
  const goodsRows = await db.select().from(goods).orderBy(asc(goods.position), asc(goods.uid));
  const packageRows = await db.select().from(packages).orderBy(asc(packages.position), asc(packages.uid));
  const toPositions = (rows: { uid: string; position: number }[]) => new Map(rows.map(({ uid, position }) => [uid, position]));
  const skusByItem = new Map<string, CatalogueGoods["skus"]>();
  for (const { goodsUid, uid, values, payFen, stock } of skuRows.filter(({ onSale }) => onSale)) {
    const own = skusByItem.get(goodsUid) ?? [];
    own.push({ uid, values, pay_fen: payFen, stock });
    skusByItem.set(goodsUid, own);
  }
  return {
    shop: shop
      ? {
          uid: shop.uid,
          title: shop.title,
          postage: { fen: shop.postageFen, free_from_fen: shop.freePostageFrom },
        }
      : null,
    positions: { goods: toPositions(goodsRows), packages: toPositions(packageRows) },
    goods: goodsRows
      .map((row) => ({
        uid: row.uid,
        aliases: [],
        title: row.title,
        summary: row.summary,
        detail: row.detail,
        category: row.category,
        images: row.images,
        specs: row.specs,
        list_price_fen: row.listPriceFen,
        limit_per_member: row.limitPerMember,
        on_sale: row.onSale,
        ships_at: row.shipsAt?.toISOString() ?? null,
        skus: skusByItem.get(row.uid) ?? [],
      }))
      .filter((item) => item.skus.length > 0),
    packages: packageRows.map((row) => ({
      uid: row.uid,
      aliases: [],
      level: row.level,
      days: row.days,
      title: row.title,
      summary: row.summary,
      rights: {
        "zh-CN": row.rights["zh-CN"].map((right) => ({ ...right, at_the_door: right.at_the_door ?? false })),
        "en-US": row.rights["en-US"].map((right) => ({ ...right, at_the_door: right.at_the_door ?? false })),
      },
      free_postage: row.freePostage,
      price_fen: row.priceFen,
      pay_fen: row.payFen,
      badge: row.badge,
      images: row.images,
      stock: row.stock,
      limit: row.limit,
      on_sale: row.onSale,
    })),
    activities: (await db.select().from(activities).orderBy(asc(activities.startsAt), asc(activities.uid))).map((row) => ({
      uid: row.uid,
      aliases: [],
      title: row.title,
      venue: row.venue,
      city: row.city,
      starts_at: row.startsAt.toISOString(),
      ends_at: row.endsAt.toISOString(),
      opens_at: row.opensAt.toISOString(),
      closes_at: row.closesAt.toISOString(),
      early: row.early,
      places: row.capacity,
      on_sale: row.onSale,
    })),
    campaigns: (await db.select().from(campaigns).orderBy(asc(campaigns.opensAt), asc(campaigns.uid)))
      .map((row) => ({
        uid: row.uid,
        aliases: [],
        title: row.title,
        opens_at: row.opensAt.toISOString(),
        closes_at: row.closesAt.toISOString(),
        on_sale: row.onSale,
        stops: stopRows
          .filter((stop) => stop.campaignUid === row.uid && stop.onSale)
          .map((stop) => ({
            stop: stop.stop,
            city: stop.city,
            venue: stop.venue,
            starts_at: stop.startsAt.toISOString(),
            status: stop.status,
            moved_from: stop.movedFrom?.toISOString() ?? null,
            places: stop.capacity,
          })),
      }))
      .filter((campaign) => campaign.stops.length > 0),
  };
}

/** The stocks that SKUs and packages have had, by `sku/<uid>` and `package/<uid>`. */
export type PastStocks = ReadonlyMap<string, ReadonlySet<number>>;

/** Reads each stock that there has been, from the movements. */
export async function readPastStocks(db: Database): Promise<PastStocks> {
  const { kind, uid, quantity, id } = stockMovements;
  const stock = sql<number>`sum(${quantity}) over (partition by ${kind}, ${uid} order by ${id})::int`;
  const past = new Map<string, Set<number>>();
  for (const row of await db.selectDistinct({ kind, uid, stock }).from(stockMovements)) {
    const key = `${row.kind}/${row.uid}`;
    past.set(key, (past.get(key) ?? new Set()).add(row.stock));
  }
  return past;
}

/** Returns the figures that the database owns. */
export async function readFigures(db: Database): Promise<Figures> {
  const stock = Object.fromEntries((await db.select().from(skus)).map((sku) => [`sku/${sku.uid}`, sku.stock]));
  for (const { uid, stock: left } of await db.select().from(packages)) if (left !== null) stock[`package/${uid}`] = left;
  const booked = Object.fromEntries((await db.select().from(activities)).map((row) => [row.uid, row.booked]));
  for (const { campaignUid, stop, taken } of await db.select().from(stops)) booked[`${campaignUid}/${stop}`] = taken;
  return { stock, sold: Object.fromEntries((await db.select().from(goods)).map(({ uid, sold }) => [uid, sold])), booked };
}

/** Of a database to which no catalogue has been applied. */
const standard: Postage = { fen: 1200, free_from_fen: 19_900 };

/** For members whose pass includes postage. */
export const freePostage: Postage = { fen: 0, free_from_fen: 0 };

/** Converts the postage of a shop's row; null where there is none. */
export function toPostage(shop: { postageFen: number; freePostageFrom: number } | null): Postage {
  return shop ? { fen: shop.postageFen, free_from_fen: shop.freePostageFrom } : standard;
}

/** Returns the postage of the shop whose catalogue the database holds. */
export async function findPostage(db: Database): Promise<Postage> {
  const [shop] = await db.select().from(shops);
  return toPostage(shop ?? null);
}

/** Throws OperatorError when the site in a folder is that of another shop than the catalogue of the database. */
export async function requireSiteOfShop(db: Database, folder: string): Promise<void> {
  const built = await readFile(join(folder, shopFile), "utf8").catch(() => null);
  const [shop] = await db.select({ uid: shops.uid }).from(shops);
  if (built === null || !shop || built === shop.uid) return;
  throw new OperatorError(
    `The site in ${folder} is that of the shop "${built}", and the database holds the catalogue of "${shop.uid}": set SITE_DIR to the folder of its site, which npm run build names.`,
  );
}

/** Returns the name of the shop whose catalogue the database holds; null before one has been applied. */
export async function findShopTitle(db: Database): Promise<Localized | null> {
  const [shop] = await db.select({ title: shops.title }).from(shops);
  return shop?.title ?? null;
}
