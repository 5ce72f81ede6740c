import type { Postage } from "../../../src/api/order-rules.ts";
import type { Database } from "../../db/database.ts";
import { shops } from "../../db/schema/catalogue.ts";
import type { Localized } from "../../db/schema/column.ts";

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

/** Returns the name of the shop whose catalogue the database holds; null before one has been applied. */
export async function findShopTitle(db: Database): Promise<Localized | null> {
  const [shop] = await db.select({ title: shops.title }).from(shops);
  return shop?.title ?? null;
}
