import type { Goods } from "../../../api/goods.ts";
import { maxQuantity } from "../../../api/order-rules.ts";

export type Sku = Goods["skus"][number];
type Range = Pick<Goods, "specs" | "skus">;

/** One value for each spec of an item, in the order of its specs. */
export type Choice = readonly string[];

/** Why a value cannot be chosen: it is sold out, or no variant has it with the values before it. */
export type UnavailableReason = "soldOut" | "notMade";

const startsWith = (sku: Sku, start: Choice) => start.every((value, index) => sku.values[index] === value);
const inStock = ({ stock }: Sku) => stock > 0;

export function findSku({ skus }: Range, choice: Choice): Sku | undefined {
  return skus.find((sku) => sku.values.length === choice.length && startsWith(sku, choice));
}

/** Returns the initial choice: the variant `skuUid`, else the first in stock, else the first. */
export function firstChoice({ skus }: Range, skuUid?: string | null): Choice {
  const sku = skus.find(({ sku_uid }) => sku_uid === skuUid) ?? skus.find(inStock) ?? skus[0];
  return sku?.values ?? [];
}

/**
 * Returns why a value of a spec cannot be chosen, or null. Only the specs before it count, so that every variant can be
 * reached from every other.
 */
export function getUnavailableReason({ skus }: Range, choice: Choice, index: number, value: string): UnavailableReason | null {
  const candidates = skus.filter((sku) => startsWith(sku, [...choice.slice(0, index), value]));
  if (candidates.length === 0) return "notMade";
  return candidates.some(inStock) ? null : "soldOut";
}

/** Returns the choice with a value chosen; keeps the values after it as far as they are available. An unavailable value changes nothing. */
export function choose({ skus }: Range, choice: Choice, index: number, value: string): Choice {
  const start = [...choice.slice(0, index), value];
  const countMatches = (sku: Sku) => sku.values.filter((chosen, at) => chosen === choice[at]).length;
  const candidates = skus.filter((sku) => startsWith(sku, start) && inStock(sku));
  const [best] = candidates.sort((a, b) => countMatches(b) - countMatches(a));
  return best?.values ?? choice;
}

/** Returns how many pieces of a variant a member may order at once. */
export function getMaxQuantity(sku: Sku | undefined, limit: number): number {
  return Math.max(0, Math.min(sku?.stock ?? 0, limit, maxQuantity));
}

/** Why the present choice cannot be bought. */
export type SelectionProblem = "offSale" | "allSoldOut" | "notMade" | "soldOut" | "limit";

export function getSelectionProblem(goods: Goods, choice: Choice): SelectionProblem | null {
  if (!goods.on_sale) return "offSale";
  if (!goods.skus.some(inStock)) return "allSoldOut";
  const sku = findSku(goods, choice);
  if (!sku) return "notMade";
  if (!inStock(sku)) return "soldOut";
  return goods.limit_per_member > 0 ? null : "limit";
}
