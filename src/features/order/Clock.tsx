import { useEffect, useRef, useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { ServerClock } from "../../lib/server-clock.ts";
import { clockText, minutesToAnnounce, secondsLeft } from "./poll-interval.ts";

interface ClockProps {
  until: string;
  now: ServerClock;
  /** Five minutes are left, or one. */
  onMinutes: (n: number) => void;
  /** Its time has come, while it was looked at. */
  onOver: () => void;
  t: { timeLeft: string };
}

/** Counts down by the host's clock. */
export function Clock({ until, now, onMinutes, onOver, t }: ClockProps) {
  const [left, setLeft] = useState(() => secondsLeft(until, now()));
  const tell = useRef({ onMinutes, onOver });
  tell.current = { onMinutes, onOver };
  useEffect(() => {
    let before = secondsLeft(until, now());
    const timer = setInterval(() => {
      const after = secondsLeft(until, now());
      const minutes = minutesToAnnounce(before, after);
      if (minutes) tell.current.onMinutes(minutes);
      if (before > 0 && after === 0) tell.current.onOver();
      before = after;
      setLeft(after);
    }, 250);
    return () => clearInterval(timer);
  }, [until, now]);
  return (
    <p className="clock" role="timer" aria-label={fill(t.timeLeft, { minutes: Math.floor(left / 60), seconds: left % 60 })}>
      {clockText(left)}
    </p>
  );
}
