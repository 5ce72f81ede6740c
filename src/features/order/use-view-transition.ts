import { startTransition, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Resource } from "../../lib/resource.ts";
import type { Seen } from "./store.ts";

function statusOf<Problem>(remote: Resource<Seen, Problem>): string | null {
  return remote.state === "ready" ? remote.data.order.status : null;
}

/** The same, a moment later when the order's state has changed: its picture is carried over to where it stands next. */
export function useViewTransition<Problem>(live: Resource<Seen, Problem>): Resource<Seen, Problem> {
  const [shown, setShown] = useState(live);
  useEffect(() => {
    const changed = statusOf(shown) !== null && statusOf(live) !== null && statusOf(live) !== statusOf(shown);
    const still = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!changed || still || !("startViewTransition" in document)) {
      startTransition(() => setShown(live));
      return;
    }
    const { ready, finished } = document.startViewTransition(() => flushSync(() => setShown(live)));
    // Cut short by another one, or by a tab that is left: the page is as it should be all the same.
    ready.catch(() => {});
    finished.catch(() => {});
  }, [live, shown]);
  return shown;
}
