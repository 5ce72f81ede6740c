import { fill } from "../../../i18n/catalogue.ts";
import type { checkout } from "../../../i18n/order.ts";
import type { DataOf } from "../../api/call.ts";
import type { goodsInfo } from "../../api/goods.ts";
import { formatYuan } from "../../lib/format.ts";
import type { Totals } from "../checkout/totals.ts";

interface PostageProps {
  item: DataOf<typeof goodsInfo>;
  sums: Totals;
  c: (typeof checkout)["zh-CN"];
  t: { postage: string; free: string };
}

/** What delivery costs, and why it does or does not. */
export function Postage({ item: { postage }, sums, c, t }: PostageProps) {
  const why = postage.fen === 0 ? c.freeForYou : fill(c.freeFrom, { sum: formatYuan(postage.free_from_fen) });
  return (
    <div>
      <dt>
        {t.postage} <small>{why}</small>
      </dt>
      <dd className="num">{sums.postage_fen === 0 ? t.free : formatYuan(sums.postage_fen)}</dd>
    </div>
  );
}
