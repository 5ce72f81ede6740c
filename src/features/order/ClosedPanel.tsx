import { fill } from "../../../i18n/catalogue.ts";
import { formatDateTime } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import type { OrderPageProps } from "./OrderPage.tsx";
import type { Outcome } from "./status.ts";

function words(outcome: Outcome, t: OrderPageProps["t"]): [title: string, body: string] {
  switch (outcome) {
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

/** A closed order is no door moment: the slab stays dark, and says where the money is. */
export function ClosedPanel({ seen: { order }, outcome, t }: OrderPageProps & { outcome: Outcome }) {
  const [title, body] = words(outcome, t);
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
