import { fill } from "../../../i18n/catalogue.ts";
import type { ServerClock } from "../../lib/server-clock.ts";
import { formatCountdown, getMinutesToAnnounce, useCountdown } from "../../lib/use-countdown.ts";

interface ClockProps {
  until: string;
  now: ServerClock;
  /** Runs when five minutes are left, and one. */
  onMinutes: (n: number) => void;
  /** Runs when the time has come while the page is open. */
  onOver: () => void;
  t: { timeLeft: string };
}

/** Counts the time to pay down by the server's clock. */
export function Clock({ until, now, onMinutes, onOver, t }: ClockProps) {
  const left = useCountdown(until, now, 250, (before, after) => {
    const minutes = getMinutesToAnnounce(before, after);
    if (minutes) onMinutes(minutes);
    if (before > 0 && after === 0) onOver();
  });
  return (
    <p className="clock" role="timer" aria-label={fill(t.timeLeft, { minutes: Math.floor(left / 60), seconds: left % 60 })}>
      {formatCountdown(left)}
    </p>
  );
}
