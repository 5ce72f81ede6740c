import { useEffect, useRef } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import { formatDateTime, formatMonthDay } from "../../lib/date.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
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

/** The booking button, or the reason why booking is impossible with a link to the other events. */
export function BookSeat({ activity, store, prefix, t }: SeatProps) {
  const seat = useStore(store.$seat);
  const refusal = useRef<HTMLDivElement>(null);
  const isRefused = seat.state === "taken" || seat.state === "closed";
  useEffect(() => {
    if (isRefused) refusal.current?.focus();
  }, [isRefused]);
  if (activity.status !== "open") {
    const bodies = {
      full: seat.state === "taken" ? `${t.taken} ${t.fullBody}` : t.fullBody,
      closed: t.closedBody,
      not_open: fill(t.notOpenBody, { date: formatDateTime(activity.my_opens_at ?? activity.opens_at) }),
    };
    const titles = { full: t.full, closed: t.closed, not_open: t.notOpen };
    return (
      <div className="mt-4" role={seat.state === "idle" ? undefined : "alert"} tabIndex={-1} ref={refusal}>
        <Notice tone={activity.status === "not_open" ? "info" : "warn"} title={titles[activity.status]}>
          {bodies[activity.status]}
        </Notice>
        <p className="ways flex flex-wrap gap-3 mt-2">
          <ButtonLink size="lg" variant="outline" href={link(prefix, "eventList")}>
            {t.events}
          </ButtonLink>
        </p>
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
      <p className="text-ink-2 text-sm">{fill(t.left, { n: activity.capacity - activity.booked })}</p>
    </>
  );
}
