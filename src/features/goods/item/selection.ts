import { fill } from "#i18n/catalogue.ts";
import type { goods as texts } from "#i18n/goods.ts";
import type { Goods } from "#src/api/goods.ts";
import { maxQuantity, parseQuantity } from "#src/api/order-rules.ts";
import { lowStock } from "#src/api/render-key.ts";

type Sku = Goods["skus"][number];
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
type SelectionProblem = "offSale" | "allSoldOut" | "notMade" | "soldOut" | "limit";

export function getSelectionProblem(goods: Goods, choice: Choice): SelectionProblem | null {
  if (!goods.on_sale) return "offSale";
  if (!goods.skus.some(inStock)) return "allSoldOut";
  const sku = findSku(goods, choice);
  if (!sku) return "notMade";
  if (!inStock(sku)) return "soldOut";
  return goods.limit_per_member > 0 ? null : "limit";
}

/** The texts of an item's page; those of the mall's grid stay out of the island. */
export type ItemTexts = Omit<
  (typeof texts)["zh-CN"],
  | "kinds"
  | "all"
  | "passes"
  | "bareTitle"
  | "bareBody"
  | "noneTitle"
  | "noneBody"
  | "seeAll"
  | "from"
  | "few"
  | "preOrder"
  | "others"
>;

/** The variant and quantity that a visitor has chosen. `choice` is null until then: the first available variant counts. */
export interface Selection {
  choice: Choice | null;
  quantity: number;
}

/** Parses the selection in a URL; ignores unknown variants and quantities out of range. */
export function parseSelection(search: string, goods: Goods): Selection {
  const uid = new URLSearchParams(search).get("sku");
  const sku = goods.skus.find(({ sku_uid }) => sku_uid === uid);
  return { choice: sku?.values ?? null, quantity: parseQuantity(search) };
}

/** Resolves a selection against the item as it is now. */
export function resolveSelection(goods: Goods, { choice, quantity }: Selection) {
  const chosen = choice ?? firstChoice(goods);
  const sku = findSku(goods, chosen);
  const maxQuantity = getMaxQuantity(sku, goods.limit_per_member);
  return {
    choice: chosen,
    sku,
    maxQuantity,
    quantity: Math.max(1, Math.min(quantity, maxQuantity)),
    problem: getSelectionProblem(goods, chosen),
  };
}

/** Selects a value and returns the new choice, with the first other value that had to change. */
export function selectValue(goods: Goods, before: Choice, index: number, value: string) {
  const choice = choose(goods, before, index, value);
  const other = choice.findIndex((chosen, at) => at !== index && chosen !== before[at]);
  const changedValue = other < 0 ? null : { value, from: before[other] ?? "", to: choice[other] ?? "" };
  return { choice, changedValue };
}

/** Returns the status line under the choice: the problem, else the value that changed along, else the stock. */
export function toStockStatus({ sku, problem }: ReturnType<typeof resolveSelection>, moveText: string, t: ItemTexts) {
  const problems = {
    offSale: t.offSaleBody,
    allSoldOut: t.goneAll,
    notMade: t.notMadeAny,
    soldOut: t.gone,
    limit: t.limitReached,
  };
  if (problem) return { bad: true, text: problems[problem] };
  if (moveText) return { bad: false, text: moveText };
  const left = sku?.stock ?? 0;
  return { bad: false, text: left <= lowStock ? fill(t.left, { n: left }) : t.inStock };
}
