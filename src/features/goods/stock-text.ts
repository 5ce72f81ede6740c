import { fill } from "../../../i18n/catalogue.ts";
import type { goods as texts } from "../../../i18n/goods.ts";
import { few } from "./render-key.ts";
import type { settle } from "./selection.ts";

/** The one line under the choice: what stands in the way, else what a press has changed besides, else what is in stock. */
export function stateLine({ sku, trouble }: ReturnType<typeof settle>, moved: string, t: (typeof texts)["zh-CN"]) {
  const troubles = {
    offSale: t.offSaleBody,
    allSoldOut: t.goneAll,
    notMade: t.notMadeAny,
    soldOut: t.gone,
    limit: t.limitReached,
  };
  if (trouble) return { bad: true, text: troubles[trouble] };
  if (moved) return { bad: false, text: moved };
  const left = sku?.stock ?? 0;
  return { bad: false, text: left <= few ? fill(t.left, { n: left }) : t.inStock };
}
