import { useEffect, useRef, useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { ServerClock } from "../../lib/server-clock.ts";
import { clockText, secondsLeft } from "./poll-interval.ts";

interface TimeLeftProps {
  until: string;
  now: ServerClock;
  text: string;
  onOver: () => void;
}

/** `剩 12:47 付款`, by the host's clock. */
export function TimeLeft({ until, now, text, onOver }: TimeLeftProps) {
  const [left, setLeft] = useState(() => secondsLeft(until, now()));
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    let before = secondsLeft(until, now());
    const timer = setInterval(() => {
      const after = secondsLeft(until, now());
      if (before > 0 && after === 0) over.current();
      before = after;
      setLeft(after);
    }, 500);
    return () => clearInterval(timer);
  }, [until, now]);
  const [start = "", end = ""] = fill(text, { time: "\n" }).split("\n");
  return (
    <>
      {start}
      <b className="num">{clockText(left)}</b>
      {end}
    </>
  );
}
