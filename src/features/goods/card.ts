import type { Goods } from "../../api/goods.ts";
import { formatYuan } from "../../lib/format.ts";
import { fallbackPoster, pictureUrl, posterSize, posterUrl } from "../../lib/poster.ts";

export interface CardTexts {
  from: string;
  soldOut: string;
  few: string;
}

/** From how many pieces on a card says what is left. */
const few = 40;

export const getStock = ({ skus }: Pick<Goods, "skus">) => skus.reduce((sum, { stock }) => sum + Math.max(0, stock), 0);

/** What a card says of a good beside its name: at build and, in the same words, when the host is asked again. */
export function toCard(goods: Goods, t: CardTexts) {
  const left = getStock(goods);
  const prices = new Set(goods.skus.map(({ pay_fen }) => pay_fen));
  const [before, after] = prices.size > 1 ? t.from.split("{price}") : [];
  return {
    price: formatYuan(goods.price_fen),
    /** What stands before and after the price where it is the lowest of several. */
    from: [before ?? "", after ?? ""] as const,
    was: goods.list_price_fen !== null && goods.list_price_fen > goods.price_fen ? formatYuan(goods.list_price_fen) : "",
    tag: left === 0 ? t.soldOut : left <= few ? t.few.replace("{n}", String(left)) : "",
    soldOut: left === 0,
  };
}

/** The picture that stands for a good: its first, or the sheet that its uid gets. */
export function getCover({ goods_uid, images: [first] }: Goods, locale: string) {
  if (first) return { ...first, url: pictureUrl(first.url, locale) };
  const sheet = fallbackPoster(goods_uid);
  const [width, height] = posterSize(sheet);
  return { url: posterUrl(sheet, locale), width, height, alt: "" };
}

/** The name by which a view transition carries a good's picture from page to page. */
export const getPoster = (goodsUid: string) => `good-${goodsUid}`;

/** As the host lists them, but what is sold out comes last. */
export function soldOutLast(list: readonly Goods[]): Goods[] {
  return [...list].sort((one, other) => Number(getStock(one) === 0) - Number(getStock(other) === 0));
}

/** How a kind of goods stands in a URL: the same in every language, made of its English name. */
export function toSlug(english: string): string {
  return english
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
