import { getField, getList } from "./fetch-public.ts";

/** Up to this number of pieces of a variant, an item's page shows what is left. */
export const lowStock = 20;

const capStock = (stock: unknown) => (typeof stock === "number" ? Math.min(stock, lowStock + 1) : null);

/** Returns a key of what an item's page shows of a goods/info response. Responses that are drawn the same have the same key. */
export function toItemKey(data: unknown): string {
  const info = getField(data, "info");
  const skus = getList(info, "skus").map(({ sku_uid, pay_fen, stock }) => [sku_uid, pay_fen, capStock(stock)]);
  const own = ["on_sale", "limit_per_member", "list_price_fen", "ships_at"].map((key) => getField(info, key));
  const postage = getField(data, "postage");
  return JSON.stringify([own, skus, getField(postage, "fen"), getField(postage, "free_from_fen")]);
}

/** Returns a key of what a package's page shows of a memberPackage/lists response. */
export function toPackagesKey(data: unknown): string {
  const packages = getList(data, "list");
  return JSON.stringify(
    packages.map(({ uid, level, days, pay_fen, price_fen, stock }) => [uid, level, days, pay_fen, price_fen, stock === 0]),
  );
}
