import { useEffect, useState } from "react";

/** Returns the whole seconds until `moment` (milliseconds since the epoch), 0 afterwards. Renders again twice a second until then. */
export function useSecondsLeft(moment: number): number {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (moment <= Date.now()) return;
    const timer = setInterval(() => {
      redraw(Date.now());
      if (moment <= Date.now()) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [moment]);
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}
