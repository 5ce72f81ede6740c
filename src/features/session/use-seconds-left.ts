import { useEffect, useState } from "react";

/** Returns the whole seconds until `deadlineMs` (since the epoch), 0 afterwards. Renders again twice a second until then. */
export function useSecondsLeft(deadlineMs: number): number {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (deadlineMs <= Date.now()) return;
    const timer = setInterval(() => {
      redraw(Date.now());
      if (deadlineMs <= Date.now()) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [deadlineMs]);
  return Math.max(0, Math.ceil((deadlineMs - Date.now()) / 1000));
}
