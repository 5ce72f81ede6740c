import { getLocale } from "../../../i18n/locale.ts";
import { monthDay, yearWeekday } from "../../lib/date.ts";
import { moment } from "../../lib/format.ts";
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
          <time dateTime={activity.starts_at}>{monthDay(starts)}</time>
        </dd>
        <dd>{yearWeekday(starts, locale)}</dd>
      </div>
      {words && (
        <div>
          <dt>{t.doors}</dt>
          <dd className="num">{moment(words.doors).slice(11)}</dd>
        </div>
      )}
      <div>
        <dt>{t.start}</dt>
        <dd className="num">{moment(activity.starts_at).slice(11)}</dd>
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
