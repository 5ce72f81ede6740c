import { useEffect, useState } from "react";

/** Whole seconds until a moment (milliseconds since the epoch), 0 when it has come; redrawn once a second. */
export function useCountdown(moment: number): number {
  const [now, setNow] = useState(moment);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    if (moment <= Date.now()) return;
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [moment]);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}
