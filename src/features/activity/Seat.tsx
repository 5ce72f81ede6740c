import { Fragment, useEffect, useRef } from "react";
import { fill } from "#i18n/catalogue.ts";
import { getLocale } from "#i18n/locale.ts";
import type { Activity } from "#src/api/activity.ts";
import { getLanguage, joinPlace } from "#src/api/address-line.ts";
import { $session } from "#src/features/session/store.ts";
import { formatTime, formatWeekday, formatYear, getShortForm } from "#src/lib/date.ts";
import { scrollOnceDrawn } from "#src/lib/scroll.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { DatedText, Day } from "#src/ui/Day.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import { Picture } from "#src/ui/Picture.tsx";
import { SalesClosed } from "#src/ui/SalesClosed.tsx";
import { Tag, type TagTone } from "#src/ui/Tag.tsx";
import { Admission } from "./Admission.tsx";
import { BookSeat } from "./BookSeat.tsx";
import { posterSizes, type SeatProps } from "./seat-props.ts";

/** Date, doors, start and venue of an activity. */
function Ticket({ activity, event, prefix, t }: SeatProps) {
  const locale = getLocale(prefix);
  const starts = new Date(activity.starts_at);
  return (
    <dl className="stub relative bg-surface mt-0 grid grid-cols-[1fr_1fr] lg:grid-cols-[1fr_1fr_1.75fr]">
      <div className="px-5 lg:px-7 py-4.5 col-span-full h-[var(--y)] border-b-2 border-dashed border-line flex items-center gap-4 justify-between">
        <dt className="sr-only text-xs text-ink-3 font-semibold">{t.date}</dt>
        <dd
          translate="no"
          className="numeral text-[length:clamp(4rem,9vw,6.25rem)] leading-[0.8] tracking-[-0.045em] font-semibold last:text-right"
        >
          <Day date={starts} form="day" />
        </dd>
        <dd className="font-semibold leading-[1.45] text-right">
          <span>{formatWeekday(starts, locale)}</span>
          <span className="block text-ink-2">{formatYear(starts)}</span>
        </dd>
      </div>
      {event && (
        <div className="px-5 lg:pl-7 py-4.5 pr-2">
          <dt className="text-xs text-ink-3 font-semibold">{t.doors}</dt>
          <dd className="numeral font-semibold leading-[1.45] text-[1.5rem]" translate="no">
            {formatTime(new Date(event.doors))}
          </dd>
        </div>
      )}
      <div className="px-5 py-4.5">
        <dt className="text-xs text-ink-3 font-semibold">{t.start}</dt>
        <dd className="numeral font-semibold leading-[1.45] text-[1.5rem]" translate="no">
          {formatTime(starts)}
        </dd>
      </div>
      <div className="pt-0 px-5 lg:pr-7 py-4.5 col-span-full lg:col-auto lg:pt-4.5">
        <dt className="text-xs text-ink-3 font-semibold">{t.venue}</dt>
        <dd className="font-semibold leading-[1.45]">
          <span>{joinPlace(activity.city, activity.venue, locale)}</span>
          {event?.way && (
            <small
              className="block font-normal text-sm text-balance text-ink-2 break-keep wrap-anywhere"
              lang={event.locale === locale ? undefined : event.locale}
            >
              {event.way}
            </small>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Whom the place is for: the member as the door knows them. */
function Member({ t, locale }: Pick<SeatProps, "t"> & { locale: string }) {
  const session = useStore($session);
  const user = session.state === "member" ? session.user : null;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 wrap-anywhere">
      <dt className="text-ink-2">{t.who}</dt>
      <dd className="flex flex-wrap gap-x-3 font-semibold">
        <span lang={user ? getLanguage(user.nickname, locale) : undefined}>{user?.nickname ?? "\u00a0"}</span>
        <span className="numeral font-medium" translate="no">
          {user?.mobile_masked}
        </span>
        {user?.membership && <span className="font-normal text-ink-2">{user.membership.title}</span>}
      </dd>
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

/** Says what the page is for, across poster and ticket. */
export const heading = "col-span-full text-section leading-[1.2] border-b-2 border-ink pb-3 lg:pb-4";

/** Poster and head side by side, the rest below them, on a wide screen beside the poster. */
export const layout = "grid grid-cols-12 gap-x-gap seat gap-y-6 lg:grid-rows-[auto_auto_1fr]";
export const poster = "col-span-5 min-w-0 lg:row-span-2 lg:sticky lg:top-[calc(var(--header)_+_1.5rem)] lg:self-start";

/** Below the heading of the page. */
const titleSizes = {
  short: "text-[length:clamp(2.25rem,5.6vw,5rem)] leading-none tracking-[-0.02em]",
  medium: "text-[length:clamp(1.75rem,4vw,3.5rem)] leading-[1.08] tracking-[-0.02em]",
  long: "text-[length:clamp(1.5rem,3vw,2.75rem)] leading-[1.16] tracking-[-0.015em]",
};

const tones: Record<Activity["status"], TagTone> = { open: "wash", full: "plain", closed: "plain", not_open: "line" };

/** One activity, with the member's ticket or the way to book a seat. */
export function Seat(props: SeatProps) {
  const { activity, event, isPast, prefix, t } = props;
  const locale = getLocale(prefix);
  const lang = event && event.locale !== locale ? event.locale : undefined;
  const opens = new Date(activity.my_opens_at ?? activity.opens_at);
  const states = {
    open: fill(t.left, { n: (activity.capacity - activity.booked).toLocaleString("en") }),
    full: t.full,
    closed: isPast ? t.over : t.closed,
    not_open: <DatedText text={t.opensOn} dates={{ date: { date: opens, form: getShortForm(opens, Date.now()) } }} />,
  };
  const [before, after] = t.movedFrom.split("{date}");
  const canBook = activity.status === "open" && !event?.isCancelled;
  const terms = (
    <section className="bg-surface p-5 lg:p-7">
      <h3 className="text-xs text-ink-2 font-semibold mb-1.5 font-[inherit] tracking-normal">{t.terms}</h3>
      <p className="max-lg:text-sm wrap-anywhere" lang={event?.terms ? lang : undefined}>
        {event?.terms || t.onePlace}
      </p>
    </section>
  );
  if (activity.my_status === "booked" && activity.check_in_code !== null) {
    return (
      <div className="seat grid gap-6 lg:pt-5">
        <Admission {...props} code={activity.check_in_code} />
        {event?.isCancelled && <Notice>{t.cancelledBooked}</Notice>}
        {terms}
      </div>
    );
  }
  return (
    <div className={layout}>
      <h2 className={heading}>{canBook ? t.confirm : t.heading}</h2>
      {event && (
        <figure className={poster}>
          <Picture
            className="w-full aspect-[3/4] object-cover shadow-paper"
            picture={event.cover}
            alt={event.cover.alt || fill(t.posterOf, { title: activity.title })}
            sizes={posterSizes}
          />
        </figure>
      )}
      <div className={`${event ? "col-start-6" : "col-start-1"} -col-end-1 lg:col-start-7 grid gap-4 content-start min-w-0`}>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 min-h-7 text-sm text-ink-2">
          {event?.isCancelled ? <Tag>{t.cancelled}</Tag> : <Tag tone={tones[activity.status]}>{states[activity.status]}</Tag>}
          {event?.movedFrom && (
            <>
              <Tag tone="line">{t.moved}</Tag>
              <span>
                <span>{before}</span>
                <s>
                  <Day date={event.movedFrom} form="day" />
                </s>
                <span>{after}</span>
              </span>
            </>
          )}
        </p>
        <div>
          <h2 className={`break-keep wrap-anywhere ${titleSizes[event?.titleSize ?? "medium"]}`}>
            {activity.title.match(/[^，：]+[，：]*/g)?.map((phrase) => (
              <Fragment key={phrase}>
                <span>{phrase}</span>
                <wbr />
              </Fragment>
            ))}
          </h2>
          {event && (
            <p className="text-xl font-semibold mt-3" lang={lang}>
              {event.lineUp}
            </p>
          )}
        </div>
      </div>
      <div className="lg:col-start-7 lg:-col-end-1 grid gap-4 content-start col-span-full min-w-0">
        <Ticket {...props} />
        {event?.isCancelled ? (
          <SalesClosed reason={t.cancelledBody} more={{ href: link(prefix, "eventList"), label: t.events }} />
        ) : (
          <>
            {canBook && <Member t={t} locale={locale} />}
            <Returned {...props} />
            <BookSeat {...props} />
            {terms}
          </>
        )}
      </div>
    </div>
  );
}
