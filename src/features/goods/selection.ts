import type { Goods } from "../../api/goods.ts";
import { type Choice, choose, findSku, firstChoice, getMaxQuantity, getSelectionProblem } from "./sku.ts";

/** What a visitor wants of a good. Nothing chosen yet: it follows what can be had. */
export interface Selection {
  choice: Choice | null;
  quantity: number;
}

/** What the address of the page says is wanted; unknown variants and odd numbers say nothing. */
export function parseSelection(search: string, goods: Goods): Selection {
  const query = new URLSearchParams(search);
  const sku = goods.skus.find(({ sku_uid }) => sku_uid === query.get("sku"));
  const quantity = Number(query.get("quantity"));
  return {
    choice: sku?.values ?? null,
    quantity: Number.isInteger(quantity) && quantity >= 1 && quantity <= 99 ? quantity : 1,
  };
}

/** What is wanted, seen against the good as it is now. */
export function settle(goods: Goods, { choice, quantity }: Selection) {
  const chosen = choice ?? firstChoice(goods);
  const sku = findSku(goods, chosen);
  const most = getMaxQuantity(sku, goods.limit_per_member);
  return {
    choice: chosen,
    sku,
    most,
    quantity: Math.max(1, Math.min(quantity, most)),
    trouble: getSelectionProblem(goods, chosen),
  };
}

/** The variant after a press, and the first other value that had to change with it. */
export function press(goods: Goods, before: Choice, place: number, value: string) {
  const choice = choose(goods, before, place, value);
  const at = choice.findIndex((one, other) => other !== place && one !== before[other]);
  const moved = at < 0 ? null : { value, was: before[at] ?? "", now: choice[at] ?? "" };
  return { choice, moved };
}
