import { getField, getList } from "../../api/fetch-public.ts";

/** From how many pieces on a page says how many are left. */
export const few = 20;

const pieces = (stock: unknown) => (typeof stock === "number" ? Math.min(stock, few + 1) : null);

/** What a good's page shows that may change from one day to the next, of an answer of goods/info. Two answers that look the same give the same text. */
export function renderKey(answer: unknown): string {
  const info = getField(answer, "info");
  const skus = getList(info, "skus").map(({ sku_uid, pay_fen, stock }) => [sku_uid, pay_fen, pieces(stock)]);
  const own = ["on_sale", "limit_per_member", "list_price_fen"].map((key) => getField(info, key));
  const postage = getField(answer, "postage");
  return JSON.stringify([own, skus, getField(postage, "fen"), getField(postage, "free_from_fen")]);
}
