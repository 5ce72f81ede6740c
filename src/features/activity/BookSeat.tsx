import { useEffect, useRef } from "react";
import ArrowRight from "~icons/lucide/arrow-right";
import { fill } from "../../../i18n/catalogue.ts";
import { formatDateTime, formatMonthDay } from "../../lib/date.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { SeatProps } from "./seat-props.ts";

/** Reports that the last request failed. */
export function SeatFailure({ store }: Pick<SeatProps, "store">) {
  const seat = useStore(store.$seat);
  return (
    seat.state === "failed" &&
    seat.problem.kind === "failed" && (
      <div role="alert">
        <Notice tone="bad">{seat.problem.message}</Notice>
      </div>
    )
  );
}

/** That members with a pass may book by now, or before everyone, and the way to the passes. */
function EarlyBooking({ activity, prefix, t }: Pick<SeatProps, "activity" | "prefix" | "t">) {
  const { early = [], opens_at, my_opens_at = opens_at } = activity;
  const [first] = early.toSorted((a, b) => a.opens_at.localeCompare(b.opens_at) || a.level - b.level);
  if (!first || Date.parse(first.opens_at) >= Date.parse(my_opens_at)) return null;
  const isOpen = Date.parse(first.opens_at) <= Date.now();
  // As `levelLetters`, whose file would be a chunk of its own for the pages that have it already.
  const letter = "ABC".charAt(first.level - 1);
  return (
    <p className="mt-3 text-sm">
      {fill(isOpen ? t.earlyOpen : t.early, { letter, date: formatDateTime(first.opens_at) })}{" "}
      <a className="link" href={`${link(prefix, "mall")}#passes`}>
        {t.passes}
      </a>
    </p>
  );
}

interface SalesClosedProps extends Pick<SeatProps, "prefix" | "t"> {
  title: string;
  body?: string;
  opensLater?: boolean;
}

/** Why nobody can book, and the way to the other events: a door that is shut, or one that opens later. */
export function SalesClosed({ prefix, t, title, body, opensLater }: SalesClosedProps) {
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 px-4 py-3 rounded-control lg:px-6 ${opensLater ? "[box-shadow:inset_0_0_0_2px_var(--ink)]" : "bg-sunken"}`}
    >
      <b className="text-xl font-bold font-display leading-[1.2] lg:text-2xl">{title}</b>
      <a className="more" href={link(prefix, "eventList")}>
        {t.events}
        <ArrowRight className="icon go" aria-hidden="true" />
      </a>
      {body && <p className="basis-full text-sm text-ink-2">{body}</p>}
    </div>
  );
}

/** The booking button, or the reason why booking is impossible with a link to the other events. */
export function BookSeat({ activity, needsConnection, store, prefix, t }: SeatProps) {
  const seat = useStore(store.$seat);
  const refusal = useRef<HTMLDivElement>(null);
  const isRefused = seat.state === "taken" || seat.state === "closed";
  useEffect(() => {
    if (isRefused) refusal.current?.focus();
  }, [isRefused]);
  if (needsConnection) return <Notice tone="info">{needsConnection}</Notice>;
  if (activity.status !== "open") {
    const bodies = {
      full: seat.state === "taken" ? `${t.taken} ${t.fullBody}` : t.fullBody,
      closed: t.closedBody,
      not_open: fill(t.notOpenBody, { date: formatDateTime(activity.my_opens_at ?? activity.opens_at) }),
    };
    const titles = { full: t.full, closed: t.closed, not_open: t.notOpen };
    return (
      <div className="mt-4" role={seat.state === "idle" ? undefined : "alert"} tabIndex={-1} ref={refusal}>
        <SalesClosed
          prefix={prefix}
          t={t}
          title={titles[activity.status]}
          body={bodies[activity.status]}
          opensLater={activity.status === "not_open"}
        />
        {activity.status === "not_open" && <EarlyBooking activity={activity} prefix={prefix} t={t} />}
      </div>
    );
  }
  return (
    <>
      <SeatFailure store={store} />
      <div className="cta-r reach flex flex-wrap gap-3 mt-4 items-center max-lg:fixed max-lg:z-41 max-lg:top-auto max-lg:bottom-0 max-lg:inset-x-0 max-lg:bg-surface max-lg:border-t max-lg:border-line">
        <p className="hidden max-lg:grid max-lg:gap-1 max-lg:leading-[1.3]">
          <span className="numeral max-lg:text-[1.75rem] max-lg:leading-none">
            {formatMonthDay(new Date(activity.starts_at))}
          </span>
          <span className="text-xs text-ink-2">{t.free}</span>
        </p>
        <Button sign size="xl" busy={seat.state === "booking"} onClick={store.book}>
          {t.book}
        </Button>
      </div>
    </>
  );
}
