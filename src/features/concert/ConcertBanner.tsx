import { type ImgHTMLAttributes, type SourceHTMLAttributes, useEffect } from "react";
import type { concert } from "#i18n/concert.ts";
import type { Reason } from "#src/api/envelope.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Day } from "#src/ui/Day.tsx";
import { type IslandTexts, island } from "#src/ui/Island.tsx";
import ArrowRight from "~icons/lucide/arrow-right";
import Check from "~icons/lucide/check";
import X from "~icons/lucide/x";
import { $plan, close, joinAfterLogin, toggle } from "./store.ts";

interface PlanWords {
  sign?: string | undefined;
  kicker?: string | undefined;
  headline: string;
  /** How many have joined: fixed text, not read from the server. */
  count?: string | undefined;
  /** The class of the row of dots below the count. The page names it: one without a count has no styles for it. */
  dots?: string | undefined;
  note?: string | undefined;
  joined_note?: string | undefined;
  /** The language of the words when it is not the page's. */
  lang?: string;
}

interface ConcertBannerProps {
  states: IslandTexts & Record<Reason, string>;
  t: (typeof concert)["zh-CN"];
  /** The shop's words. */
  plan: PlanWords;
  /** The login page, with the way back. */
  loginHref: string;
  /** The event that the plan is for, while there is one. */
  show: PlanEvent | null;
}

interface PlanEvent {
  id: string;
  /** In ISO 8601. */
  date: string;
  /** The page's language. */
  locale: string;
  when: string;
  where: string;
  /** The language of the event's words when it is not the page's. */
  lang?: string;
  eventHref: string;
  /** Attributes of the picture, and of the one that stands in its place in a low banner. */
  cover: ImgHTMLAttributes<HTMLImageElement>;
  art: SourceHTMLAttributes<HTMLSourceElement>;
  /** The cover's AVIF files; the build empties it where they are no smaller. */
  avif?: string | undefined;
}

function ConcertBannerIsland({ t, states, plan, loginHref, show }: ConcertBannerProps) {
  const { isPlan, isShow, isClosed } = useStore($plan);
  useEffect(() => void joinAfterLogin({ ...t, ...states }), [t, states]);
  if (!isShow || isClosed) return null;
  const { sign, kicker, headline, count, dots, note, joined_note, lang } = plan;
  /** Without a count, the headline or the date is what is large. */
  const isShort = headline.length < 9 && /\p{Script=Han}/u.test(headline);
  const size = isShort ? "lg:text-wrap lg:text-[length:min(12.8vw,11.75rem)]" : "lg:text-[length:clamp(4rem,8.6vw,7.75rem)]";
  const onPress = () => void toggle({ ...t, ...states }, () => location.assign(loginHref));
  return (
    <section
      className="plan in-data-plan:hidden bg-sign text-on-sign relative [&_:focus-visible]:[outline-color:currentColor]"
      aria-labelledby="plan-heading"
      data-joined={isPlan || undefined}
    >
      <div className="wrap relative pt-2 lg:pt-5 lg:grid lg:grid-cols-12 lg:gap-x-gap">
        <div className="flex items-center gap-2.5 min-h-11 font-semibold text-sm lg:col-span-full">
          {sign && (
            <span className="plate bg-on-sign text-sign" lang={lang} aria-hidden="true">
              {sign}
            </span>
          )}
          <span className="wrap-anywhere" lang={lang}>
            {kicker}
          </span>
          <button
            type="button"
            className="icon-button ml-auto hover:bg-[#ffffff29]"
            aria-label={t.close}
            onClick={({ currentTarget }) => {
              close();
              focusHeadingAfter(currentTarget);
            }}
          >
            <X className="icon size-5.5" aria-hidden="true" />
          </button>
        </div>
        <div className={`lg:col-start-1 lg:col-span-8 ${count ? "" : "lg:self-end"}`}>
          {count && (
            <>
              <p
                translate="no"
                className="mt-5 [text-indent:-0.03em] lg:[text-indent:-0.062em] low:mt-2 whitespace-nowrap font-bold text-count leading-[0.78] font-display tracking-[-0.042em] pb-[0.02em] lg:mt-6"
              >
                {count}
              </p>
              <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm mt-3 lg:mt-5">
                <b className="text-lg lg:text-2xl">{t.joinedBy}</b>
                {/* As wide as its words will be, so that it stands at the right, or falls below, from the first of them. */}
                {note && (
                  <span className="grid min-w-[min(18.2em,100%)] wrap-anywhere lg:text-right" lang={lang}>
                    <span className="in-data-joined:invisible [grid-area:1_/_1]">{note}</span>
                    <span className="invisible in-data-joined:visible [grid-area:1_/_1]">{joined_note ?? note}</span>
                  </span>
                )}
              </p>
              <div
                className={`${dots} relative aspect-[43/3] -mx-[.54%] mt-3 low:mt-2 low:max-w-120 lg:mt-4`}
                aria-hidden="true"
              >
                <i className="absolute inset-0 overflow-hidden" />
                <b className="absolute right-0 bottom-0 w-[calc(100%_/_43)] aspect-square bg-sign grid place-items-center" />
              </div>
            </>
          )}
          <h2
            className={`${count ? "lg:mt-7 lg:text-[length:clamp(2.5rem,4vw,3.5rem)]" : `lg:mt-6 lg:leading-[1.04] ${size}`} text-[color:var(--plan-h)] text-title max-[22rem]:text-3xl mt-6 max-w-[14em] whitespace-pre-line low:mt-2 low:text-2xl low:max-w-none low:whitespace-normal`}
            id="plan-heading"
            lang={lang}
          >
            {headline}
          </h2>
          {show && !count && (
            <EventDate
              event={show}
              className="grid gap-3 mt-7 font-semibold lg:hidden"
              size="[text-indent:-0.04em] text-[length:min(40vw,10rem)] leading-[0.8] tracking-[-0.045em]"
            />
          )}
          <div className="mt-6 low:mt-2 flex flex-wrap items-center gap-x-5 gap-y-2 pb-8 lg:pb-11 lg:mt-7">
            <button
              type="button"
              className="button sign button-xl min-w-[min(13rem,100%)] justify-between hover:opacity-90 [--b:var(--on-sign)] [--c:var(--sign)] [--over:var(--b)] [--p:1.25rem] in-data-joined:[--b:none] in-data-joined:[--c:var(--on-sign)] in-data-joined:[box-shadow:inset_0_0_0_2px]"
              aria-pressed={isPlan}
              onClick={onPress}
            >
              <span className="grid text-left">
                <span className="in-data-joined:invisible [grid-area:1_/_1]">{t.join}</span>
                <span className="invisible in-data-joined:visible [grid-area:1_/_1]">{t.joined}</span>
              </span>
              <span className="cell flex-none grid place-items-center h-full w-[var(--h)]">
                {isPlan ? <Check className="icon" aria-hidden="true" /> : <ArrowRight className="icon go" aria-hidden="true" />}
              </span>
            </button>
            {/* As wide as its words will be, while they arrive. */}
            {show && (
              <a className="more in-[:lang(en)]:min-w-[8.5em] hover:text-[inherit] hover:underline" href={show.eventHref}>
                <span>{t.see}</span>
                <ArrowRight className="icon go" aria-hidden="true" />
              </a>
            )}
          </div>
        </div>
        {show && <EventPoster event={show} />}
      </div>
    </section>
  );
}

/** Moves the focus to the next heading that is shown; a page without one has its main part in the place. */
function focusHeadingAfter(element: Element): void {
  const isAfter = (other: Element) => element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  const headings = [...document.querySelectorAll<HTMLElement>("main h2")];
  const next = headings.find((heading) => isAfter(heading) && heading.checkVisibility()) ?? document.querySelector("main");
  if (!next) return;
  next.tabIndex = -1;
  next.focus();
}

/** When and where the event is; `size`: of the date. */
function EventDate({
  event: { date, locale, when, where, lang },
  className,
  size,
}: {
  event: PlanEvent;
  className: string;
  size: string;
}) {
  return (
    <p className={className}>
      <span className={`numeral ${size}`}>
        <Day date={date} form="day" locale={locale} />
      </span>
      <span className="wrap-anywhere lg:flex-1 lg:text-right">
        <span>{when}</span>
        <br />
        <span lang={lang}>{where}</span>
      </span>
    </p>
  );
}

function EventPoster({ event }: { event: PlanEvent }) {
  const { id, eventHref, cover, art, avif } = event;
  return (
    <a
      className="block -mx-gutter relative lg:col-start-9 lg:-col-end-1 lg:mt-6 lg:-mb-18 lg:mx-0 lg:flex lg:flex-col lg:justify-between lg:gap-6"
      href={eventHref}
    >
      <EventDate
        event={event}
        className="hidden lg:flex lg:justify-between lg:border-t-2 lg:border-current lg:pt-3 lg:font-semibold lg:leading-[1.45] lg:text-[0.9375rem]"
        size="lg:text-[2.75rem] lg:leading-none"
      />
      <picture>
        <source media="(max-width:59.99rem)" {...art} />
        {avif && <source type="image/avif" srcSet={avif} sizes={cover.sizes} />}
        <img
          alt=""
          {...cover}
          className={`w-full aspect-[16/11] object-cover [object-position:50%_63%] lg:aspect-[3/4] lg:[object-position:50%_50%] lg:shadow-paper ${cover.className ?? ""}`}
          fetchPriority="high"
          data-transition={`e-${id}`}
        />
      </picture>
    </a>
  );
}

/** Shows the concert plan: a full-bleed panel in the shop's colour with the count, a row of dots and the button that joins it. */
export const ConcertBanner = island(ConcertBannerIsland);
