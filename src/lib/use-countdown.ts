import { useEffect, useRef, useState } from "react";
import type { ServerClock } from "./date.ts";

/** Returns the whole seconds until a moment, 0 when it has come. */
export function getSecondsLeft(until: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
}

/** `29:59` */
export function formatCountdown(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Returns the minutes left (five or one) to announce to screen readers when a countdown goes from `before` to `after` seconds, else null. */
export function getMinutesToAnnounce(before: number, after: number): 5 | 1 | null {
  const passes = (mark: number) => before > mark && after <= mark && after > 0;
  if (passes(60)) return 1;
  return passes(300) ? 5 : null;
}

/** Counts the seconds until a moment down by the server's clock, every `period` ms. `onTick` receives the seconds left before and now. */
export function useCountdown(
  until: string,
  now: ServerClock,
  period: number,
  onTick: (before: number, after: number) => void,
): number {
  const [left, setLeft] = useState(() => getSecondsLeft(until, now()));
  const latest = useRef(onTick);
  latest.current = onTick;
  useEffect(() => {
    let before = getSecondsLeft(until, now());
    const timer = setInterval(() => {
      const after = getSecondsLeft(until, now());
      latest.current(before, after);
      before = after;
      setLeft(after);
    }, period);
    return () => clearInterval(timer);
  }, [until, now, period]);
  return left;
}
