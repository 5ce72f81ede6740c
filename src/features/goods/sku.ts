import type { Goods } from "../../api/goods.ts";

export type Sku = Goods["skus"][number];
type Range = Pick<Goods, "specs" | "skus">;

/** One value for each spec of a good, in the order of its specs. */
export type Choice = readonly string[];

/** Why a value cannot be chosen: all of it is sold, or it was never made with what stands before it. */
export type Blocker = "soldOut" | "notMade";

const startsWith = (sku: Sku, start: Choice) => start.every((value, place) => sku.values[place] === value);
const inStock = ({ stock }: Sku) => stock > 0;

export function findSku({ skus }: Range, choice: Choice): Sku | undefined {
  return skus.find((sku) => sku.values.length === choice.length && startsWith(sku, choice));
}

/** What is chosen before anybody chose: the variant that was asked for, else the first that can be had, else the first. */
export function firstChoice({ skus }: Range, skuUid?: string | null): Choice {
  const sku = skus.find(({ sku_uid }) => sku_uid === skuUid) ?? skus.find(inStock) ?? skus[0];
  return sku?.values ?? [];
}

/**
 * Why a value of a spec cannot be chosen, or null. Specs are judged from the first to the last: only what stands before
 * counts, so that every variant can be reached from every other.
 */
export function getBlocker({ skus }: Range, choice: Choice, place: number, value: string): Blocker | null {
  const made = skus.filter((sku) => startsWith(sku, [...choice.slice(0, place), value]));
  if (made.length === 0) return "notMade";
  return made.some(inStock) ? null : "soldOut";
}

/** The choice after a value was chosen. What stands behind stays as far as it can be had with it; a barred value changes nothing. */
export function choose({ skus }: Range, choice: Choice, place: number, value: string): Choice {
  const start = [...choice.slice(0, place), value];
  const kept = (sku: Sku) => sku.values.filter((one, at) => one === choice[at]).length;
  const candidates = skus.filter((sku) => startsWith(sku, start) && inStock(sku));
  const [best] = candidates.sort((one, other) => kept(other) - kept(one));
  return best?.values ?? choice;
}

/** How many pieces of a variant a member may take at once. */
export function getMaxQuantity(sku: Sku | undefined, limit: number): number {
  return Math.max(0, Math.min(sku?.stock ?? 0, limit, 99));
}

/** Why nothing can be bought as it is chosen now, or null. */
export type SelectionProblem = "offSale" | "allSoldOut" | "notMade" | "soldOut" | "limit";

export function getSelectionProblem(goods: Goods, choice: Choice): SelectionProblem | null {
  if (!goods.on_sale) return "offSale";
  if (!goods.skus.some(inStock)) return "allSoldOut";
  const sku = findSku(goods, choice);
  if (!sku) return "notMade";
  if (!inStock(sku)) return "soldOut";
  return goods.limit_per_member > 0 ? null : "limit";
}
