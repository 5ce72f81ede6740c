import { getLocale } from "../../../i18n/prefix.ts";
import { formatMonthDay, formatTime, formatYearWeekday } from "../../lib/date.ts";
import type { SeatProps } from "./seat-props.ts";

/** Date, doors, start and venue of an activity. */
export function Ticket({ activity, event, prefix, t }: SeatProps) {
  const locale = getLocale(prefix);
  const starts = new Date(activity.starts_at);
  return (
    <dl className="stub">
      <div className="when">
        <dt className="vh">{t.date}</dt>
        <dd className="num">
          <time dateTime={activity.starts_at}>{formatMonthDay(starts)}</time>
        </dd>
        <dd>{formatYearWeekday(starts, locale)}</dd>
      </div>
      {event && (
        <div>
          <dt>{t.doors}</dt>
          <dd className="num">{formatTime(new Date(event.doors))}</dd>
        </div>
      )}
      <div>
        <dt>{t.start}</dt>
        <dd className="num">{formatTime(starts)}</dd>
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
