import { getLocale } from "../../../i18n/locale.ts";
import { formatDateTime, formatMonthDay, formatYearWeekday } from "../../lib/date.ts";
import type { SeatProps } from "./Seat.tsx";

/** When and where, as a ticket's stub. */
export function Ticket({ activity, words, prefix, t }: SeatProps) {
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
      {words && (
        <div>
          <dt>{t.doors}</dt>
          <dd className="num">{formatDateTime(words.doors).slice(11)}</dd>
        </div>
      )}
      <div>
        <dt>{t.start}</dt>
        <dd className="num">{formatDateTime(activity.starts_at).slice(11)}</dd>
      </div>
      <div className="w2">
        <dt>{t.venue}</dt>
        <dd>
          {activity.city} {activity.venue}
          {words?.way && <small lang={words.locale === locale ? undefined : words.locale}>{words.way}</small>}
        </dd>
      </div>
    </dl>
  );
}
