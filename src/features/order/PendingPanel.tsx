import { fill } from "../../../i18n/catalogue.ts";
import { formatYuan } from "../../lib/format.ts";
import { CheckNow } from "./CheckNow.tsx";
import { Clock } from "./Clock.tsx";
import { PayCodeCard } from "./PayCodeCard.tsx";
import type { OrderPanelProps } from "./props.ts";

/** Shows the clock and the pay code. An order that is open is never called failed, whatever goes wrong meanwhile. */
export function PendingPanel({ snapshot, isStale, check, outcome, onMinutes, t, pay, states }: OrderPanelProps) {
  const { order, now } = snapshot;
  const sum = formatYuan(order.pay_fen);
  const state = outcome === "overdue" ? t.overdue : t.awaiting;
  return (
    <section className="pay">
      <div className="wrap">
        <div className="l">
          <p className="kick">
            <span className="live">{isStale ? t.lost : state}</span>
          </p>
          <Clock until={order.pay_expire_at} now={now} onMinutes={onMinutes} onOver={check} t={t} />
          <h1 tabIndex={-1}>{fill(t.payBefore, { sum })}</h1>
        </div>
        <div className="pay-card">
          {outcome === "awaiting" && <PayCodeCard order={order} t={pay} states={states} />}
          <CheckNow check={check} label={t.checkNow} unchanged={isStale ? t.lost : t.notYet} variant="outline" />
        </div>
      </div>
    </section>
  );
}
