import { useCallback, useEffect, useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import type { payCode } from "#i18n/payment.ts";
import { ApiError, codes } from "#src/api/envelope.ts";
import type { Order } from "#src/api/order.ts";
import { toProblem } from "#src/api/problem.ts";
import type { ServerClock } from "#src/lib/date.ts";
import { formatYuan } from "#src/lib/format.ts";
import { formatCountdown, getMinutesToAnnounce, useCountdown } from "#src/lib/use-countdown.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { payCodeStore } from "./live-order.ts";
import { CheckNow } from "./OrderActions.tsx";
import type { OrderPanelProps } from "./props.ts";

interface ClockProps {
  until: string;
  now: ServerClock;
  /** Runs when five minutes are left, and one. */
  onMinutes: (n: number) => void;
  /** Runs when the time has come while the page is open. */
  onOver: () => void;
  t: { timeLeft: string };
}

const clockStyle =
  "font-bold text-[length:clamp(min(7rem,35vw),27vw,24rem)] leading-[0.8] font-display tabular-nums tracking-[-0.03em] mt-4 mb-3 ml-[-0.02em] outline-none max-lg:my-2";

/** Counts the time to pay down by the server's clock. */
function Clock({ until, now, onMinutes, onOver, t }: ClockProps) {
  const left = useCountdown(until, now, 250, (before, after) => {
    const minutes = getMinutesToAnnounce(before, after);
    if (minutes) onMinutes(minutes);
    if (before > 0 && after === 0) onOver();
  });
  return (
    <p
      className={clockStyle}
      translate="no"
      role="timer"
      aria-label={fill(t.timeLeft, { minutes: Math.floor(left / 60), seconds: left % 60 })}
    >
      {formatCountdown(left)}
    </p>
  );
}

interface PayCodeCardProps {
  order: Order;
  /** Runs when the server refuses a code, as a higher pass has begun since the order. */
  onOvertaken: () => void;
  t: (typeof payCode)["zh-CN"];
  states: OrderPanelProps["states"];
}

/** Returns what a phone, which cannot scan its own screen, does with the code. WeChat recognises a code that is pressed and held, and saves no files. */
function getPhoneAction(link: string | null): "hold" | "otherPhone" | "album" {
  if (navigator.userAgent.includes("MicroMessenger")) return "hold";
  return link ? "otherPhone" : "album";
}

/** Shows the pay code on white. On a phone the link comes first. */
function PayCodeCard({ order, onOvertaken, t, states }: PayCodeCardProps) {
  const [store] = useState(() =>
    payCodeStore(order.kind, order.order_sn, (error) => ({
      ...toProblem(error, states),
      isOvertaken: error instanceof ApiError && error.code === codes.notOnSale,
    })),
  );
  const code = useStore(store.$state);
  useEffect(() => {
    if (code.state === "failed" && code.problem.isOvertaken) onOvertaken();
  }, [code, onOvertaken]);
  if (code.state === "loading") {
    return (
      <>
        <p className="sr-only" role="status" aria-busy="true">
          {t.loading}
        </p>
        <span className="pay-open skeleton h-14 w-full max-w-80 flex-none block lg:order-2" />
        <span className="skeleton block w-56 h-auto aspect-square lg:w-80" />
      </>
    );
  }
  if (code.state === "failed") {
    return (
      <div className="grid justify-items-center content-center gap-3 min-h-60" role="alert">
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
        <ButtonLink
          className={`w-full max-w-80 flex-none lg:order-2 ${sandbox ? "pay-open" : "pay-open phone"}`}
          size="xl"
          href={link}
          {...(sandbox ? { target: "_blank", rel: "noopener" } : {})}
        >
          {sandbox ? t.openSandbox : t.open}
        </ButtonLink>
      )}
      <img className="block w-56 h-auto aspect-square lg:w-80" src={image} alt={t.label} width="240" height="240" />
      <p className="font-semibold text-sm leading-normal">
        <span className="max-lg:hidden">{sandbox ? t.scanSandbox : t.scan}</span>
        <span className="lg:hidden">{t[phoneAction]}</span>
      </p>
      {phoneAction === "album" && (
        <a
          className="font-semibold text-sm underline underline-offset-[0.2em] p-3 lg:hidden"
          href={image}
          download={`${order.order_sn}.${/\/(\w+)/.exec(image)?.[1]}`}
        >
          {t.save}
        </a>
      )}
    </>
  );
}

/**
 * Shows the clock and the pay code; neither while only stored data are there, nor for a pass that a higher one has overtaken. An order that is open is never called
 * failed, whatever goes wrong meanwhile.
 */
export function PendingPanel({ snapshot, isStale, check, outcome, onMinutes, t, pass, pay, states }: OrderPanelProps) {
  const { order, now, takenAt } = snapshot;
  const [isOvertaken, setOvertaken] = useState(false);
  const onOvertaken = useCallback(() => setOvertaken(true), []);
  const overtaken = isOvertaken && pass;
  const state = outcome === "overdue" ? t.overdue : t.awaiting;
  const title = takenAt ? t.pending : fill(t.payBefore, { sum: formatYuan(order.pay_fen) });
  return (
    <section className="bg-sign text-on-sign">
      <div className="wrap pt-4 pb-8 grid gap-4 lg:grid-cols-12 lg:gap-x-gap lg:gap-y-6 lg:items-end lg:pt-10 lg:pb-14 lg:min-h-128">
        <div className="lg:col-start-1 lg:col-span-8 lg:self-start">
          <p className={`flex items-center gap-2 font-semibold text-sm ${overtaken ? "invisible" : ""}`}>
            <span className="live inline-flex items-center gap-2">{isStale || takenAt ? t.lost : state}</span>
          </p>
          {overtaken && (
            <p className={clockStyle} aria-hidden="true">
              --:--
            </p>
          )}
          {!takenAt && !overtaken && <Clock until={order.pay_expire_at} now={now} onMinutes={onMinutes} onOver={check} t={t} />}
          <h1 className="focus:outline-none focus:[box-shadow:none] text-3xl whitespace-pre-line lg:text-4xl" tabIndex={-1}>
            {overtaken ? overtaken.overtaken : title}
          </h1>
        </div>
        <div className="pay-card bg-white text-black p-4 shadow-paper flex flex-col items-center gap-3 min-h-108 text-center lg:col-start-9 lg:-col-end-1 lg:p-8 lg:gap-4 lg:-mb-28 lg:z-2 lg:min-h-140">
          {takenAt && <p className="my-auto font-semibold">{states.needsLatest}</p>}
          {overtaken && (
            <p className="my-auto font-semibold" role="alert">
              {overtaken.overtakenBody}
            </p>
          )}
          {outcome === "awaiting" && !takenAt && !isOvertaken && (
            <PayCodeCard order={order} onOvertaken={onOvertaken} t={pay} states={states} />
          )}
          {!overtaken && (
            <CheckNow check={check} label={t.checkNow} unchanged={isStale || takenAt ? t.lost : t.notYet} variant="outline" />
          )}
        </div>
      </div>
    </section>
  );
}
