import { useEffect, useRef } from "react";
import { fill } from "#i18n/catalogue.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { DatedText, Day } from "#src/ui/Day.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import { SalesClosed } from "#src/ui/SalesClosed.tsx";
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

/** Returns who with a pass may book by now, or before this member; undefined when nobody may. Passes have the shop's own names. */
function getEarlyBooking({ activity, passes, t }: Pick<SeatProps, "activity" | "passes" | "t">) {
  const { early = [], opens_at, my_opens_at = opens_at } = activity;
  const before = early
    .filter((one) => Date.parse(one.opens_at) < Date.parse(my_opens_at))
    .toSorted((a, b) => a.opens_at.localeCompare(b.opens_at) || a.level - b.level);
  const open = before.filter((one) => Date.parse(one.opens_at) <= Date.now());
  const [first] = open.length > 0 ? open.toSorted((a, b) => a.level - b.level) : before;
  if (!first) return;
  const names = passes.filter(({ level }) => level >= first.level).map(({ title }) => title);
  // As `levelLetters`, whose file would be a chunk of its own for the pages that have it already.
  const pass = names.join(" / ") || fill(t.level, { letter: "ABC".charAt(first.level - 1) });
  const isOpen = open.length > 0;
  return { isOpen, text: fill(isOpen ? t.earlyOpen : t.early, { pass }), opens_at: first.opens_at };
}

/** When booking opens for this member and for everyone, and who may book before: a door that opens later. */
function OpensLater({ activity, passes, prefix, t }: Pick<SeatProps, "activity" | "passes" | "prefix" | "t">) {
  const early = getEarlyBooking({ activity, passes, t });
  const { opens_at, my_opens_at = opens_at } = activity;
  const body = my_opens_at === opens_at ? t.notOpenBody : t.notOpenBodyOwn;
  return (
    <div className="grid gap-3 justify-items-start p-5 rounded-control [box-shadow:inset_0_0_0_2px_var(--ink)] lg:p-7">
      <b className="text-xl font-bold font-display leading-[1.2] lg:text-2xl">{early?.isOpen ? t.notOpenToAll : t.notOpen}</b>
      {early && (
        <p className="font-semibold">
          <DatedText text={early.text} dates={{ date: { date: early.opens_at, form: "dateTime" } }} />
        </p>
      )}
      <p className="text-ink-2 whitespace-pre-line">
        <DatedText
          text={body}
          dates={{ date: { date: my_opens_at, form: "dateTime" }, all: { date: opens_at, form: "dateTime" } }}
        />
      </p>
      <p className="ways flex flex-wrap gap-x-6 gap-y-3 items-center mt-2">
        {early && (
          <ButtonLink sign size="lg" href={`${link(prefix, "mall")}#passes`}>
            {t.passes}
          </ButtonLink>
        )}
        <a className="link text-ink-2" href={link(prefix, "eventList")}>
          {t.events}
        </a>
      </p>
    </div>
  );
}

/** The booking button, or the reason why booking is impossible with a link to the other events. */
export function BookSeat(props: SeatProps) {
  const { activity, needsLatest, store, more, isPast, t } = props;
  const seat = useStore(store.$seat);
  const refusal = useRef<HTMLDivElement>(null);
  const isRefused = seat.state === "taken" || seat.state === "closed";
  useEffect(() => {
    if (isRefused) refusal.current?.focus();
  }, [isRefused]);
  if (needsLatest) return <Notice tone="info">{needsLatest}</Notice>;
  if (activity.status !== "open") {
    const isFull = activity.status === "full";
    const body = !isFull ? t.closedBody : seat.state === "taken" ? `${t.taken} ${t.fullBody}` : t.fullBody;
    return (
      <div className="mt-4" role={seat.state === "idle" ? undefined : "alert"} tabIndex={-1} ref={refusal}>
        {activity.status === "not_open" ? (
          <OpensLater {...props} />
        ) : (
          <SalesClosed reason={isPast ? t.over : isFull ? t.full : t.closed} more={more}>
            {!isPast && <p className="basis-full text-sm text-ink-2 leading-normal">{body}</p>}
          </SalesClosed>
        )}
      </div>
    );
  }
  return (
    <>
      <SeatFailure store={store} />
      {isRefused && (
        <div role="alert">
          <Notice tone="info">{t.again}</Notice>
        </div>
      )}
      <div className="main-action reach flex flex-wrap gap-3 mt-4 items-center max-lg:fixed max-lg:z-41 max-lg:top-auto max-lg:bottom-0 max-lg:inset-x-0 max-lg:bg-surface max-lg:border-t max-lg:border-line">
        <p className="hidden max-lg:grid max-lg:gap-1 max-lg:leading-[1.3]">
          <span className="numeral max-lg:text-[1.75rem] max-lg:leading-none" translate="no">
            <Day date={activity.starts_at} form="day" />
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
