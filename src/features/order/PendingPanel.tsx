import { useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { payCode } from "../../../i18n/payment.ts";
import type { state } from "../../../i18n/state.ts";
import type { Order } from "../../api/order.ts";
import { toProblem } from "../../api/problem.ts";
import { formatYuan } from "../../lib/format.ts";
import type { ServerClock } from "../../lib/server-clock.ts";
import { formatCountdown, getMinutesToAnnounce, useCountdown } from "../../lib/use-countdown.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { CheckNow } from "./OrderActions.tsx";
import type { OrderPanelProps } from "./props.ts";
import { payCodeStore } from "./store.ts";

interface ClockProps {
  until: string;
  now: ServerClock;
  /** Runs when five minutes are left, and one. */
  onMinutes: (n: number) => void;
  /** Runs when the time has come while the page is open. */
  onOver: () => void;
  t: { timeLeft: string };
}

/** Counts the time to pay down by the server's clock. */
function Clock({ until, now, onMinutes, onOver, t }: ClockProps) {
  const left = useCountdown(until, now, 250, (before, after) => {
    const minutes = getMinutesToAnnounce(before, after);
    if (minutes) onMinutes(minutes);
    if (before > 0 && after === 0) onOver();
  });
  return (
    <p className="clock" role="timer" aria-label={fill(t.timeLeft, { minutes: Math.floor(left / 60), seconds: left % 60 })}>
      {formatCountdown(left)}
    </p>
  );
}

interface PayCodeCardProps {
  order: Order;
  t: (typeof payCode)["zh-CN"];
  states: (typeof state)["zh-CN"];
}

/** Returns what a phone, which cannot scan its own screen, does with the code. WeChat recognises a code that is pressed and held, and saves no files. */
function getPhoneAction(link: string | null): "hold" | "otherPhone" | "album" {
  if (navigator.userAgent.includes("MicroMessenger")) return "hold";
  return link ? "otherPhone" : "album";
}

/** Shows the pay code on white. On a phone the link comes first. */
function PayCodeCard({ order, t, states }: PayCodeCardProps) {
  const [store] = useState(() => payCodeStore(order.kind, order.order_sn, (error) => toProblem(error, states)));
  const code = useStore(store.$state);
  if (code.state === "loading") {
    return (
      <>
        <p className="sr-only" role="status" aria-busy="true">
          {t.loading}
        </p>
        <span className="pay-open skeleton h-12" />
        <span className="qr skeleton" />
      </>
    );
  }
  if (code.state === "failed") {
    return (
      <div className="no-qr" role="alert">
        <b>{t.failed}</b>
        <p>{code.problem.kind === "failed" ? code.problem.message : states.needsLoginBody}</p>
        <Button variant="outline" onClick={store.load}>
          {t.retry}
        </Button>
      </div>
    );
  }
  const { image, link, mode } = code.data;
  const sandbox = mode === "sandbox";
  const phoneAction = getPhoneAction(link);
  return (
    <>
      {link && (
        <ButtonLink className={sandbox ? "pay-open" : "pay-open phone"} size="lg" href={link} target="_blank" rel="noopener">
          {sandbox ? t.openSandbox : t.open}
        </ButtonLink>
      )}
      <img className="qr" src={image} alt={t.label} width="240" height="240" />
      <p className="scan">
        <span className="desk">{sandbox ? t.scanSandbox : t.scan}</span>
        <span className="phone">{t[phoneAction]}</span>
      </p>
      {phoneAction === "album" && (
        <a className="pay-save phone" href={image} download={`${order.order_sn}.${/\/(\w+)/.exec(image)?.[1]}`}>
          {t.save}
        </a>
      )}
    </>
  );
}

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
