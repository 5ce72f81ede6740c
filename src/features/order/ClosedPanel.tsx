import { fill } from "../../../i18n/catalogue.ts";
import type { Outcome } from "../../api/order-status.ts";
import { formatDateTime } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import type { OrderPanelProps } from "./props.ts";

function getTexts(outcome: Outcome, t: OrderPanelProps["t"]): [title: string, body: string] {
  switch (outcome) {
    case "cancelled":
      return [t.cancelledTitle, t.cancelledBody];
    case "refundDue":
      return [t.refundDueTitle, t.refundDueBody];
    case "refunding":
      return [t.refundingTitle, t.refundingBody];
    case "refundFailed":
      return [t.refundDueTitle, t.refundFailedBody];
    case "refunded":
      return [t.refundedTitle, t.refundedBody];
    default:
      return [t.expiredTitle, t.expiredBody];
  }
}

/** Shows a closed order in the dark panel, with the state of its refund. */
export function ClosedPanel({ snapshot: { order }, outcome, t }: OrderPanelProps) {
  const [title, body] = getTexts(outcome, t);
  return (
    <section className="pay shut">
      <div className="wrap">
        <div className="l">
          {order.closed_at && <p className="kick">{fill(t.closedAt, { time: formatDateTime(order.closed_at) })}</p>}
          <h1 className="clock" tabIndex={-1}>
            {title}
          </h1>
          <p className="body">{fill(body, { sum: formatYuan(order.refund?.refund_fen ?? order.pay_fen) })}</p>
        </div>
        <div className="door" aria-hidden="true">
          <i />
        </div>
      </div>
    </section>
  );
}
