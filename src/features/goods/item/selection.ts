import { fill } from "../../../../i18n/catalogue.ts";
import type { goods as texts } from "../../../../i18n/goods.ts";
import type { Goods } from "../../../api/goods.ts";
import { parseQuantity } from "../../../api/order-rules.ts";
import { lowStock } from "../../../api/render-key.ts";
import { type Choice, choose, findSku, firstChoice, getMaxQuantity, getSelectionProblem } from "./sku.ts";

/** The texts of an item's page; those of the mall's grid stay out of the island. */
export type ItemTexts = Omit<
  (typeof texts)["zh-CN"],
  "kinds" | "all" | "passes" | "bareTitle" | "bareBody" | "noneTitle" | "noneBody" | "seeAll" | "from" | "few" | "others"
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
