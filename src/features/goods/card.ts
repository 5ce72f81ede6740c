import type { Goods } from "#src/api/goods.ts";
import { isAhead } from "#src/lib/ahead.ts";
import { formatYuan } from "#src/lib/format.ts";

export interface CardTexts {
  from: string;
  soldOut: string;
  few: string;
  preOrder: string;
}

/** Up to this number of pieces, of all variants together, a card shows what is left. */
const lowTotal = 40;

export const getStock = ({ skus }: Pick<Goods, "skus">) => skus.reduce((sum, { stock }) => sum + Math.max(0, stock), 0);

/** What a card shows of prices and stock. */
type CardField = "price_fen" | "list_price_fen" | "skus" | "ships_at";

/** What a card shows of an item. */
export type CardGoods = Pick<Goods, "goods_uid" | "title" | "summary" | "images" | CardField>;

/** Returns what a card shows of prices and stock, by the `data-field` that shows it, at build and when the page refreshes. */
export function toCard(goods: Pick<Goods, CardField>, t: CardTexts) {
  const left = getStock(goods);
  const prices = goods.skus.flatMap(({ stock, pay_fen }) => (stock > 0 ? pay_fen : []));
  const price = left ? Math.min(...prices) : goods.price_fen;
  // Beside a price that is the lowest of several, of the variants that are not sold out.
  const [before = "", after = ""] = prices.some((other) => other > price) ? t.from.split("{price}") : [];
  const few = left <= lowTotal ? t.few.replace("{n}", String(left)) : "";
  const preOrder = left > 0 && isAhead(goods.ships_at) ? t.preOrder : undefined;
  return {
    before,
    price: formatYuan(price),
    after,
    listPrice: goods.list_price_fen !== null && goods.list_price_fen > price ? formatYuan(goods.list_price_fen) : "",
    tag: left === 0 ? t.soldOut : [preOrder, few].filter(Boolean).join(" · "),
    stock: left === 0 ? "out" : few ? "low" : undefined,
    /** Until when it is a pre-order. */
    ships: preOrder && goods.ships_at,
  } as const;
}

/**
 * Returns the size of a card in a grid, as words that `mall.css` styles: of five cards the first is large, at alternate sides,
 * and fewer than five at the end share one row, two of them as a large and a small one.
 */
export function getCardSize(index: number, count: number): string {
  const step = index % 5;
  const group = Math.min(5, count - index + step);
  if (group < 5)
    return ["", "wide whole", step ? "wide beside third" : "wide large most", step ? "third" : "wide third", ""][group] ?? "";
  if (step) return "";
  return index % 10 ? "wide large feature right" : "wide large feature";
}

/** Sorts items that are sold out to the end, otherwise in the server's order. */
export function soldOutLast(list: readonly Goods[]): Goods[] {
  return [...list].sort((a, b) => Number(getStock(a) === 0) - Number(getStock(b) === 0));
}

/** Converts the English name of a category to the slug that URLs carry in every language. */
export function toSlug(english: string): string {
  return english
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
