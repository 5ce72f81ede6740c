import type { order } from "../../../i18n/order.ts";
import type { Order } from "../../api/order.ts";
import { formatDateTime } from "../../lib/date.ts";
import { getSteps } from "./status.ts";

type Texts = (typeof order)["zh-CN"];

const names = {
  pending: "stepPending",
  paid: "stepPaid",
  shipped: "stepShipped",
  completed: "stepCompleted",
  closed: "stepClosed",
} as const;

/** How far the order is. */
export function OrderTimeline({ order, t }: { order: Order; t: Texts }) {
  // Green is the way in, and this order leads nowhere any more.
  const been = order.status === "closed" ? "over" : "ok";
  return (
    <ol className="steps" aria-label={t.progress}>
      {getSteps(order).map(({ status, at, next }) => (
        <li key={status} className={next ? "now" : at ? been : ""} aria-current={next || undefined}>
          {t[names[status]]}
          {at && <time dateTime={at}>{formatDateTime(at).slice(5)}</time>}
        </li>
      ))}
    </ol>
  );
}
