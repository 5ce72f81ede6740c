import type { order } from "../../../i18n/order.ts";
import type { Order } from "../../api/order.ts";
import { getSteps } from "../../api/order-status.ts";
import { formatMonthDay, formatTime } from "../../lib/date.ts";

type Texts = (typeof order)["zh-CN"];

const names = {
  pending: "stepPending",
  paid: "stepPaid",
  shipped: "stepShipped",
  completed: "stepCompleted",
  closed: "stepClosed",
} as const;

function formatMoment(iso: string): string {
  const date = new Date(iso);
  return `${formatMonthDay(date)} ${formatTime(date)}`;
}

/** Shows how far the order is. */
export function OrderTimeline({ order, t }: { order: Order; t: Texts }) {
  // Green marks progress, and a closed order makes none.
  const reached = order.status === "closed" ? "over" : "ok";
  return (
    <ol className="steps" aria-label={t.progress}>
      {getSteps(order).map(({ status, at, next }) => (
        <li key={status} className={next ? "now" : at ? reached : ""} aria-current={next || undefined}>
          {t[names[status]]}
          {at && <time dateTime={at}>{formatMoment(at)}</time>}
        </li>
      ))}
    </ol>
  );
}
