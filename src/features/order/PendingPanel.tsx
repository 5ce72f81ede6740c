import { fill } from "../../../i18n/catalogue.ts";
import { formatYuan } from "../../lib/format.ts";
import { CheckNow } from "./CheckNow.tsx";
import { Clock } from "./Clock.tsx";
import type { OrderPageProps } from "./OrderPage.tsx";
import { PayCodeCard } from "./PayCodeCard.tsx";
import type { Outcome } from "./status.ts";

interface AwaitingSlabProps extends OrderPageProps {
  outcome: Outcome;
  onMinutes: (n: number) => void;
}

/** The clock, and what the order is paid with. Whatever goes wrong meanwhile: as long as the order is open, it is not called failed. */
export function PendingPanel({ seen, lost, check, outcome, onMinutes, t, pay, states }: AwaitingSlabProps) {
  const { order, now } = seen;
  const sum = formatYuan(order.pay_fen);
  const state = outcome === "overdue" ? t.overdue : t.awaiting;
  return (
    <section className="pay">
      <div className="wrap">
        <div className="l">
          <p className="kick">
            <span className="live">{lost ? t.lost : state}</span>
          </p>
          <Clock until={order.pay_expire_at} now={now} onMinutes={onMinutes} onOver={check} t={t} />
          <h1 tabIndex={-1}>{fill(t.payBefore, { sum })}</h1>
        </div>
        <div className="pay-card">
          {outcome === "awaiting" && <PayCodeCard order={order} t={pay} states={states} />}
          <CheckNow check={check} label={t.checkNow} answer={lost ? t.lost : t.notYet} variant="outline" />
        </div>
      </div>
    </section>
  );
}
