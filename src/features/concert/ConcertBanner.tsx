import { type ImgHTMLAttributes, type SourceHTMLAttributes, useEffect } from "react";
import ArrowRight from "~icons/lucide/arrow-right";
import Check from "~icons/lucide/check";
import X from "~icons/lucide/x";
import type { concert } from "../../../i18n/concert.ts";
import { useStore } from "../../lib/use-store.ts";
import { type IslandTexts, island } from "../../ui/Island.tsx";
import { $plan, close, joinAfterLogin, toggle } from "./store.ts";

interface PlanWords {
  sign?: string | undefined;
  kicker?: string | undefined;
  headline: string;
  /** How many have joined: fixed text, not read from the server. */
  count?: string | undefined;
  note?: string | undefined;
  joined_note?: string | undefined;
  /** The language of the words when it is not the page's. */
  lang?: string;
}

interface ConcertBannerProps {
  states: IslandTexts;
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
  date: string;
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

function ConcertBannerIsland({ t, plan, loginHref, show }: ConcertBannerProps) {
  const { isPlan, isShow, isClosed } = useStore($plan);
  useEffect(() => void joinAfterLogin(t), [t]);
  if (!isShow || isClosed) return null;
  const { sign, kicker, headline, count, note, joined_note, lang } = plan;
  const onPress = () => void toggle(t, () => location.assign(loginHref));
  return (
    <section className="plan" aria-labelledby="plan-heading" data-joined={isPlan || undefined}>
      <div className="wrap">
        <div className="plan-k">
          {sign && (
            <span className="plate" lang="zh-CN" aria-hidden="true">
              {sign}
            </span>
          )}
          <span lang={lang}>{kicker}</span>
          <button type="button" className="ib x" aria-label={t.close} onClick={close}>
            <X className="icon" aria-hidden="true" />
          </button>
        </div>
        <div className="plan-b">
          {count && (
            <>
              <p className="count">{count}</p>
              <div className="queue" aria-hidden="true">
                <i />
                <b />
              </div>
              <p className="plan-note">
                <b>{t.joinedBy}</b>
                {note && (
                  <span className="stack" lang={lang}>
                    <span className="if-out">{note}</span>
                    <span className="if-in">{joined_note ?? note}</span>
                  </span>
                )}
              </p>
            </>
          )}
          <h1 id="plan-heading" lang={lang}>
            {headline}
          </h1>
          <div className="plan-cta">
            <button type="button" className="button sign button-xl join" aria-pressed={isPlan} onClick={onPress}>
              <span className="stack">
                <span className="if-out">{t.join}</span>
                <span className="if-in">{t.joined}</span>
              </span>
              <span className="cell">{isPlan ? <Check className="icon" /> : <ArrowRight className="icon go" />}</span>
            </button>
            {show && (
              <a className="more" href={show.eventHref}>
                {t.see}
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

function EventPoster({ event }: { event: PlanEvent }) {
  const { id, date, when, where, lang, eventHref, cover, art, avif } = event;
  return (
    <a className="plan-door" href={eventHref}>
      <p className="plan-when">
        <span className="numeral">{date}</span>
        <span>
          {when}
          <br />
          <span lang={lang}>{where}</span>
        </span>
      </p>
      <picture>
        <source media="(max-width:59.99rem)" {...art} />
        {avif && <source type="image/avif" srcSet={avif} sizes={cover.sizes} />}
        <img alt="" {...cover} fetchPriority="high" data-sheet={`e-${id}`} />
      </picture>
    </a>
  );
}

/** Shows the concert plan: a full-bleed panel in the shop's colour with the count, a row of dots and the button that joins it. */
export const ConcertBanner = island(ConcertBannerIsland);
