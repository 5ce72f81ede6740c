import { useEffect, useMemo, useRef } from "react";
import { encode } from "uqr";
import { fill } from "#i18n/catalogue.ts";
import { getLocale } from "#i18n/locale.ts";
import { joinPlace } from "#src/api/address-line.ts";
import { formatTime, formatWeekdayYear } from "#src/lib/date.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { scrollOnceDrawn } from "#src/lib/scroll.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Confirm } from "#src/ui/Confirm.tsx";
import { CopyText } from "#src/ui/CopyText.tsx";
import { Day } from "#src/ui/Day.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import { CodeLines, TicketPanel } from "#src/ui/TicketPanel.tsx";
import CalendarPlus from "~icons/lucide/calendar-plus";
import { SeatFailure } from "./BookSeat.tsx";
import type { SeatProps } from "./seat-props.ts";

/** As ISO/IEC 18004 asks for: the card adds no room of its own at the sides, so that the code is as large as it lets. */
const quietModules = 4;

/** QR code of a check-in code, black on white in both colour modes, and in forced colours. */
function CheckInCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: "M", border: quietModules });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: dark.join("") };
  }, [text]);
  return (
    <svg
      className="w-[min(27.625rem,max(12rem,100svh_-_24rem))] lg:w-80 min-[85rem]:w-[27.625rem] max-w-full h-auto aspect-square [background:#fff] [forced-color-adjust:none]"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

/** Milliseconds around the start of a show in which the screen stays on at the door. */
const doorTime = 6 * 3_600_000;

/** Keeps the screen on, so that the code does not go dark in the queue; where the browser refuses, it dims as it does elsewhere. Without `starts`, does nothing. */
function useScreenOn(starts: string | undefined): void {
  useEffect(() => {
    if (!starts) return;
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    const release = () => void lock?.then((sentinel) => sentinel?.release());
    const request = () => {
      release();
      if (Math.abs(Date.parse(starts) - Date.now()) > doorTime) return;
      lock = navigator.wakeLock?.request("screen").catch(() => undefined);
    };
    request();
    // The browser lets go of it as the page is hidden, and a page opened long before the show is looked at again at the door.
    const stop = onReturn(request);
    return () => {
      stop();
      release();
    };
  }, [starts]);
}

/** On a phone the code comes first, in one line. */
const admission = {
  panel:
    "grid-cols-[min(7rem,39%)_minmax(0,1fr)] lg:grid-rows-[auto_1fr_auto] lg:grid-cols-[14rem_minmax(0,1fr)_auto] xl:grid-cols-[24rem_minmax(0,1fr)_auto]",
  picture: "max-lg:order-2 max-lg:p-4 max-lg:pr-0",
  title:
    "max-lg:col-span-full lg:col-2 max-lg:pb-0 max-lg:flex max-lg:flex-row-reverse max-lg:justify-between max-lg:items-baseline",
  facts:
    "content-center xl:flex-nowrap xl:gap-x-8 lg:pt-0 max-lg:order-3 max-lg:grid max-lg:grid-cols-2 max-lg:*:first:col-span-full max-lg:*:last:col-span-full",
  code: "max-lg:order-1",
  perforation: "bottom-0",
  // The copy button stands at the end of the line on a phone, at the foot of the last line on a wide screen.
  size: "max-lg:-order-1 text-[min(2.75rem,11.5vw)] lg:px-4 lg:text-[min(8.34vw,7.5rem)] max-lg:[&>span]:flex max-lg:[&>span>span]:w-full max-lg:[&>span>span]:justify-between max-lg:[&_button]:-mr-2.75 lg:[&>span>span]:items-end lg:[&_button]:mb-1.5",
};

/** The member's ticket: the check-in code, date, doors and venue, the event's calendar file, and the way to give the seat back. */
export function Admission({ code, activity, needsLatest, store, event, prefix, t }: SeatProps & { code: string }) {
  const { state } = useStore(store.$seat);
  const locale = getLocale(prefix);
  const starts = new Date(activity.starts_at);
  // Until booking closes, only a seat that is checked in cannot be given back.
  const isCheckedIn = activity.actions?.cancel === false && activity.status !== "closed";
  const ticket = useRef<HTMLElement>(null);
  useScreenOn(event?.isCancelled ? undefined : activity.starts_at);
  useEffect(() => {
    // The button that was pressed is gone: the ticket takes the focus.
    if (state !== "booked" && state !== "already" && state !== "stays") return;
    ticket.current?.focus({ preventScroll: true });
    scrollOnceDrawn(ticket.current, "start");
  }, [state]);
  return (
    <section className="grid gap-6 [scroll-margin-top:1rem] lg:pt-18" aria-label={t.code} tabIndex={-1} ref={ticket}>
      <TicketPanel
        style={admission}
        picture={event?.cover}
        note={event?.isCancelled ? t.cancelled : t.booked}
        heading={
          <>
            <h2 className="text-2xl lg:text-[2.625rem]">{activity.title}</h2>
            {event && (
              <p className="max-lg:hidden" lang={event.locale === locale ? undefined : event.locale}>
                {event.lineUp}
              </p>
            )}
          </>
        }
        code={
          <CopyText text={code} what={t.code} t={t}>
            <span className="flex gap-x-[0.25em] leading-[0.95] font-bold whitespace-nowrap lg:block">
              <CodeLines code={code} />
            </span>
          </CopyText>
        }
        facts={[
          [formatWeekdayYear(starts, locale), <Day key="date" date={starts} form="day" />],
          ...(event ? [[t.doors, formatTime(new Date(event.doors))] as const] : []),
          [t.start, formatTime(starts)],
          [t.venue, joinPlace(activity.city, activity.venue, locale)],
        ]}
      >
        <div className="pay-card grid justify-items-center gap-2 bg-white text-black pt-4 lg:shadow-paper text-center lg:col-3 lg:row-[1/span_3] lg:self-start lg:-mt-18 lg:mb-8 lg:pt-6">
          {!event?.isCancelled && <h3 className="text-xl">{isCheckedIn ? t.checkedIn : t.show}</h3>}
          <CheckInCode text={code} label={fill(t.codeImage, { code })} />
        </div>
      </TicketPanel>
      {(state === "already" || state === "stays") && <Notice tone="info">{t[state]}</Notice>}
      <SeatFailure store={store} />
      <div className="grid grid-cols-2 items-start gap-3 sm:flex sm:flex-wrap [&>details]:col-span-full sm:[&>details]:ml-3">
        {event && (
          <>
            <ButtonLink
              variant="outline"
              size="lg"
              href={`/calendar/${locale}/${event.id}.ics`}
              download
              icon={<CalendarPlus className="icon max-sm:hidden" aria-hidden="true" />}
            >
              {t.calendar}
            </ButtonLink>
            <ButtonLink variant="outline" size="lg" href={link(prefix, "event", { id: event.id })}>
              {t.event}
            </ButtonLink>
          </>
        )}
        {activity.actions?.cancel && !needsLatest && (
          <Confirm label={t.giveBack} body={t.giveBackBody} busy={state === "returning"} onConfirm={store.giveBack} />
        )}
      </div>
    </section>
  );
}
