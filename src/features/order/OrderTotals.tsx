import { fill } from "../../../i18n/catalogue.ts";
import type { order as texts } from "../../../i18n/order.ts";
import type { Order } from "../../api/order.ts";
import { formatYuan } from "../../lib/format.ts";

type ReceiptOrder = Pick<Order, "kind" | "status" | "close_reason" | "goods_fen" | "postage_fen" | "pay_fen"> & {
  items: Pick<Order["items"][number], "quantity">[];
};

function getTotalLabel({ status, close_reason }: ReceiptOrder, t: (typeof texts)["zh-CN"]): string {
  if (status === "pending") return t.due;
  if (status !== "closed") return t.received;
  return close_reason === "expired" ? t.unpaid : t.returned;
}

/** Shows the sums of an order as a receipt. */
export function OrderTotals({ order, t }: { order: ReceiptOrder; t: (typeof texts)["zh-CN"] }) {
  const pieces = order.items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <section className="rcpt" aria-label={t.receipt}>
      <h2 className="h3">{t.receipt}</h2>
      <dl>
        <div>
          <dt>{fill(order.kind === "goods" ? t.goods : t.passCount, { n: pieces })}</dt>
          <dd className="num">{formatYuan(order.goods_fen)}</dd>
        </div>
        {order.kind === "goods" && (
          <div>
            <dt>{t.postage}</dt>
            <dd className="num">{order.postage_fen === 0 ? t.free : formatYuan(order.postage_fen)}</dd>
          </div>
        )}
        <div className="tot">
          <dt>{getTotalLabel(order, t)}</dt>
          <dd className="num">{formatYuan(order.pay_fen)}</dd>
        </div>
      </dl>
    </section>
  );
}
