import { fill } from "../../../../i18n/catalogue.ts";
import type { goods as texts } from "../../../../i18n/goods.ts";
import { lowStock } from "./render-key.ts";
import type { resolveSelection } from "./selection.ts";

/** Returns the status line under the choice: the problem, else the value that changed along, else the stock. */
export function toStockStatus(
  { sku, problem }: ReturnType<typeof resolveSelection>,
  moveText: string,
  t: (typeof texts)["zh-CN"],
) {
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
