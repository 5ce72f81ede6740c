import Check from "~icons/lucide/check";
import { fill } from "../../../i18n/catalogue.ts";
import type { Order } from "../../api/order.ts";
import type { Outcome } from "../../api/order-status.ts";
import { formatDateTime } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import { Picture } from "../../ui/Picture.tsx";
import type { OrderPanelProps } from "./props.ts";

function getTexts(order: Order, outcome: Outcome, t: OrderPanelProps["t"]) {
  const sum = formatYuan(order.pay_fen);
  const carrier = order.shipment?.carrier;
  switch (outcome) {
    case "shipped":
      return {
        at: order.shipped_at,
        statusTime: t.shippedAt,
        body: carrier ? fill(t.shippedBody, { carrier }) : t.shippedBare,
      };
    case "completed":
      return { at: order.completed_at, statusTime: t.completedAt, body: t.completedBody };
    case "late":
      return { at: order.paid_at, statusTime: t.paidAt, body: fill(t.lateBody, { sum }) };
    default:
      return {
        at: order.paid_at,
        statusTime: t.paidAt,
        body: fill(order.kind === "goods" ? t.paidBody : t.paidPassBody, { sum }),
      };
  }
}

/** Shows a paid order: its status, time and product picture. */
export function PaidPanel({ snapshot: { order }, outcome, t }: OrderPanelProps) {
  const { at, statusTime, body } = getTexts(order, outcome, t);
  const [item] = order.items;
  return (
    <section className="pay pay-done">
      <div className="wrap">
        <div className="l">
          {at && (
            <p className="kick">
              <Check className="icon" aria-hidden="true" />
              {fill(statusTime, { time: formatDateTime(at) })}
            </p>
          )}
          <h1 className="clock" tabIndex={-1}>
            {t[order.status]}
          </h1>
          <p className="body">{body}</p>
        </div>
        <div className="door">
          {item && <Picture picture={item.image} sizes="18rem" className="bought" />}
          <i />
        </div>
      </div>
    </section>
  );
}
