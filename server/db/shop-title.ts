import type { Database } from "./database.ts";
import type { Localized } from "./schema/column.ts";
import { shops } from "./schema/shop.ts";

/** Returns the name of the shop whose catalogue the database holds; null before one has been applied. */
export async function findShopTitle(db: Database): Promise<Localized | null> {
  const [shop] = await db.select({ title: shops.title }).from(shops);
  return shop?.title ?? null;
}
