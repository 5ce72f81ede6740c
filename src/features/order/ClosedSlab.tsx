import { fill } from "../../../i18n/catalogue.ts";
import { moment, yuan } from "../../lib/format.ts";
import type { OrderPageProps } from "./OrderPage.tsx";
import type { Outcome } from "./progress.ts";

/** A closed order is no door moment: the slab stays dark, and says where the money is. */
export function ClosedSlab({ seen: { order }, outcome, t }: OrderPageProps & { outcome: Outcome }) {
  const sum = yuan(order.pay_fen);
  const [title, body] =
    outcome === "refundDue"
      ? [t.refundDueTitle, fill(t.refundDueBody, { sum })]
      : outcome === "refunded"
        ? [t.refundedTitle, fill(t.refundedBody, { sum })]
        : [t.expiredTitle, t.expiredBody];
  return (
    <section className="pay shut">
      <div className="wrap">
        <div className="l">
          {order.closed_at && <p className="kick">{fill(t.closedAt, { time: moment(order.closed_at) })}</p>}
          <h1 className="clock" tabIndex={-1}>
            {title}
          </h1>
          <p className="body">{body}</p>
        </div>
        <div className="door" aria-hidden="true">
          <i />
        </div>
      </div>
    </section>
  );
}
