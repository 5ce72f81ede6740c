import { fill } from "../../../i18n/catalogue.ts";
import type { ServerClock } from "../../lib/server-clock.ts";
import { formatCountdown, useCountdown } from "../../lib/use-countdown.ts";

interface TimeLeftProps {
  until: string;
  now: ServerClock;
  text: string;
  onOver: () => void;
}

/** `剩 12:47 付款`, by the server's clock. */
export function TimeLeft({ until, now, text, onOver }: TimeLeftProps) {
  const left = useCountdown(until, now, 500, (before, after) => {
    if (before > 0 && after === 0) onOver();
  });
  const [start = "", end = ""] = fill(text, { time: "\n" }).split("\n");
  return (
    <>
      {start}
      <b className="num">{formatCountdown(left)}</b>
      {end}
    </>
  );
}
