import { useEffect, useRef } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import { getLocale } from "../../../i18n/locale.ts";
import type { Activity } from "../../api/activity.ts";
import { formatMonthDay, formatTime, formatYearWeekday } from "../../lib/date.ts";
import { scrollOnceDrawn } from "../../lib/scroll.ts";
import { useStore } from "../../lib/use-store.ts";
import { Notice } from "../../ui/Notice.tsx";
import { Picture } from "../../ui/Picture.tsx";
import { Tag, type TagTone } from "../../ui/Tag.tsx";
import { Admission } from "./Admission.tsx";
import { BookSeat } from "./BookSeat.tsx";
import type { SeatProps } from "./seat-props.ts";

/** Date, doors, start and venue of an activity. */
function Ticket({ activity, event, prefix, t }: SeatProps) {
  const locale = getLocale(prefix);
  const starts = new Date(activity.starts_at);
  return (
    <dl className="stub">
      <div className="when">
        <dt className="sr-only">{t.date}</dt>
        <dd className="numeral">
          <time dateTime={activity.starts_at}>{formatMonthDay(starts)}</time>
        </dd>
        <dd>{formatYearWeekday(starts, locale)}</dd>
      </div>
      {event && (
        <div>
          <dt>{t.doors}</dt>
          <dd className="numeral">{formatTime(new Date(event.doors))}</dd>
        </div>
      )}
      <div>
        <dt>{t.start}</dt>
        <dd className="numeral">{formatTime(starts)}</dd>
      </div>
      <div className="w2">
        <dt>{t.venue}</dt>
        <dd>
          {activity.city} {activity.venue}
          {event?.way && <small lang={event.locale === locale ? undefined : event.locale}>{event.way}</small>}
        </dd>
      </div>
    </dl>
  );
}

/** Announces that the seat was given back, and takes the focus: the ticket is gone. */
function Returned({ store, t }: SeatProps) {
  const isReturned = useStore(store.$seat).state === "returned";
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!isReturned) return;
    text.current?.focus({ preventScroll: true });
    scrollOnceDrawn(text.current, "nearest");
  }, [isReturned]);
  return (
    <p role="status" className="empty:absolute" tabIndex={-1} ref={text}>
      {isReturned && t.returned}
    </p>
  );
}

const tones: Record<Activity["status"], TagTone> = { open: "on", full: "plain", closed: "plain", not_open: "line" };

/** One activity, with the member's ticket or the way to book a seat. */
export function Seat(props: SeatProps) {
  const { activity, event, prefix, t } = props;
  const locale = getLocale(prefix);
  const lang = event && event.locale !== locale ? event.locale : undefined;
  const isBooked = activity.my_status === "booked" && activity.check_in_code !== null;
  const states = { open: t.open, full: t.full, closed: t.closed, not_open: t.notOpen };
  return (
    <div className="grid grid-cols-12 gap-x-gap ev seat">
      <figure className="ev-p">
        {event && (
          <Picture
            picture={event.cover}
            alt={event.cover.alt || fill(t.posterOf, { title: activity.title })}
            sizes="(min-width: 60rem) 38vw, 100vw"
          />
        )}
      </figure>
      <div className="ev-t pile">
        <p className="s">
          {event?.isCancelled ? (
            <Tag>{t.cancelled}</Tag>
          ) : (
            <Tag tone={isBooked ? "wash" : tones[activity.status]}>{isBooked ? t.booked : states[activity.status]}</Tag>
          )}
        </p>
        <div>
          <h2>{activity.title}</h2>
          {event && (
            <p className="by" lang={lang}>
              {event.lineUp}
            </p>
          )}
        </div>
        {event?.isCancelled && <Notice>{t.cancelledBody}</Notice>}
        {isBooked && <Admission {...props} code={activity.check_in_code ?? ""} />}
        <Ticket {...props} />
        <section className="box">
          <h3 className="lbl">{t.terms}</h3>
          <p lang={event?.terms ? lang : undefined}>{event?.terms || t.onePlace}</p>
        </section>
        <Returned {...props} />
        {!isBooked && !event?.isCancelled && <BookSeat {...props} />}
      </div>
    </div>
  );
}
