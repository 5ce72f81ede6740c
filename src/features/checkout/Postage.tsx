import { fill } from "../../../i18n/catalogue.ts";
import type { checkout } from "../../../i18n/order.ts";
import { formatYuan } from "../../lib/format.ts";
import type { Item, Totals } from "./totals.ts";

interface PostageProps {
  item: Item;
  totals: Totals;
  c: (typeof checkout)["zh-CN"];
  t: { postage: string; free: string };
}

/** Shows what delivery costs, and the rule behind it. */
export function Postage({ item: { postage }, totals, c, t }: PostageProps) {
  const rule = postage.fen === 0 ? c.freeForYou : fill(c.freeFrom, { sum: formatYuan(postage.free_from_fen) });
  return (
    <div>
      <dt>
        {t.postage} <small>{rule}</small>
      </dt>
      <dd className="num">{totals.postage_fen === 0 ? t.free : formatYuan(totals.postage_fen)}</dd>
    </div>
  );
}
