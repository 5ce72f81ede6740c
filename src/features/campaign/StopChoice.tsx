import type { campaign as texts } from "#i18n/campaign.ts";
import { fill } from "#i18n/catalogue.ts";
import { Day } from "#src/ui/Day.tsx";
import type { Campaign } from "./store.ts";

interface StopChoiceProps {
  t: Pick<(typeof texts)["zh-CN"], "stop" | "left" | "full" | "cancelled" | "movedFrom">;
  stops: Campaign["campaign"]["stops"];
  /** The server's time, in ms. */
  now: number;
  chosen: string;
  /** The stop of the member's booking, which stays available when it is full. */
  ownStop: string | undefined;
  onChoose: (stop: string) => void;
  error: string | undefined;
}

/** When a stop that has moved was to start, struck out. */
export function Former({ text, date }: { text: string; date: string }) {
  const [before, after] = text.split("{date}");
  return (
    <small className="block text-sm">
      <span>{before}</span>
      <s>
        <Day date={date} form="dayTime" />
      </s>
      <span>{after}</span>
    </small>
  );
}

/** Chooses one stop of the campaign by native radios; full and cancelled ones and those that have begun are disabled. */
export function StopChoice({ t, stops, now, chosen, ownStop, onChoose, error }: StopChoiceProps) {
  return (
    <fieldset aria-describedby={error ? "stop-error" : undefined} data-wrong={error ? "" : undefined}>
      <legend className="mb-2.5 font-semibold text-sm">{t.stop}</legend>
      <div className="tiers grid gap-x-4 gap-y-2 md:grid-cols-2">
        {stops.map(({ stop, city, starts_at, places_left, status, moved_from }) => {
          const isCancelled = status === "cancelled";
          const isOver = Date.parse(starts_at) <= now;
          return (
            <label className="relative flex items-center gap-3 min-h-14 px-4 py-2 rounded-control" key={stop}>
              <input
                className="appearance-none size-5 rounded-full m-0 flex-none"
                type="radio"
                name="stop"
                value={stop}
                checked={chosen === stop}
                disabled={isOver || isCancelled || (places_left <= 0 && stop !== ownStop)}
                onChange={() => onChoose(stop)}
              />
              <span className="wrap-anywhere">
                <b>{city}</b>{" "}
                <span className="font-display tabular-nums">
                  <Day date={starts_at} form="day" />
                </span>
                {moved_from && <Former text={t.movedFrom} date={moved_from} />}
              </span>
              <span className="numeral ml-auto text-base leading-none whitespace-nowrap [word-spacing:0.15em]">
                {isCancelled ? t.cancelled : !isOver && (places_left > 0 ? fill(t.left, { n: places_left }) : t.full)}
              </span>
            </label>
          );
        })}
      </div>
      {error && (
        <p className="text-danger" id="stop-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
