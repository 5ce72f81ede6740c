import { useEffect, useMemo, useRef } from "react";
import { encode } from "uqr";
import CalendarPlus from "~icons/lucide/calendar-plus";
import { fill } from "../../../i18n/catalogue.ts";
import { getLocale } from "../../../i18n/locale.ts";
import { scrollOnceDrawn } from "../../lib/scroll.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { SeatFailure } from "./BookSeat.tsx";
import type { SeatProps } from "./seat-props.ts";

/** QR code of a check-in code, black on white in both colour modes. */
function CheckInCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: "M", border: 0 });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: dark.join("") };
  }, [text]);
  return (
    <svg
      className="block w-48 h-auto aspect-square"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

/** The check-in code of a booked seat, the event's calendar file, and the way to give the seat back. */
export function Admission({ code, activity, store, event, prefix, t }: SeatProps & { code: string }) {
  const { state } = useStore(store.$seat);
  const ticket = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that was pressed is gone: the ticket takes the focus.
    if (state !== "booked" && state !== "already" && state !== "stays") return;
    ticket.current?.focus({ preventScroll: true });
    scrollOnceDrawn(ticket.current, "start");
  }, [state]);
  return (
    <section
      className="admit grid gap-x-6 gap-y-4 p-6 bg-sign text-on-sign [scroll-margin-top:1rem] sm:grid-rows-[auto_1fr_auto] sm:grid-cols-[1fr_auto]"
      aria-label={t.code}
      tabIndex={-1}
      ref={ticket}
    >
      <h3 className="text-2xl [text-wrap:wrap]">{t.show}</h3>
      <div className="sm:self-end">
        <CopyText text={code} what={t.code} t={t} />
        {(state === "already" || state === "stays") && <p className="text-sm">{t[state]}</p>}
      </div>
      <div className="pay-card bg-white text-black p-4 shadow-paper flex flex-col items-center gap-3 min-h-0 text-center [grid-area:auto] m-0 justify-self-start lg:p-8 lg:gap-4 lg:z-2 sm:[grid-area:1_/_2_/_3_/_3] lg:sm:[grid-area:1_/_2_/_3_/_3]">
        <CheckInCode text={code} label={fill(t.codeImage, { code })} />
      </div>
      {event && (
        <p className="ways flex flex-wrap gap-3 mt-2 col-span-full">
          <ButtonLink
            variant="outline"
            size="lg"
            href={`/calendar/${getLocale(prefix)}/${event.id}.ics`}
            download
            icon={<CalendarPlus className="icon" aria-hidden="true" />}
          >
            {t.calendar}
          </ButtonLink>
          <ButtonLink variant="outline" size="lg" href={link(prefix, "event", { id: event.id })}>
            {t.event}
          </ButtonLink>
        </p>
      )}
      {activity.actions?.cancel && (
        <div className="ways flex flex-wrap gap-3 mt-2 col-span-full">
          <Confirm label={t.giveBack} body={t.giveBackBody} busy={state === "returning"} onConfirm={store.giveBack} />
        </div>
      )}
      <SeatFailure store={store} />
    </section>
  );
}
