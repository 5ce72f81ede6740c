import { startTransition, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Resource } from "../../lib/resource.ts";
import type { OrderSnapshot } from "./store.ts";

function getStatus<Problem>(resource: Resource<OrderSnapshot, Problem>): string | null {
  return resource.state === "ready" ? resource.data.order.status : null;
}

/** Returns `live`; a change of the order's status is drawn in a view transition that carries the product's image to its next position. */
export function useViewTransition<Problem>(live: Resource<OrderSnapshot, Problem>): Resource<OrderSnapshot, Problem> {
  const [shown, setShown] = useState(live);
  useEffect(() => {
    const changed = getStatus(shown) !== null && getStatus(live) !== null && getStatus(live) !== getStatus(shown);
    const skip = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!changed || skip || !("startViewTransition" in document)) {
      startTransition(() => setShown(live));
      return;
    }
    const { ready, finished } = document.startViewTransition(() => flushSync(() => setShown(live)));
    // Both reject when another transition or a hidden tab cuts this one short; the page is right all the same.
    ready.catch(() => {});
    finished.catch(() => {});
  }, [live, shown]);
  return shown;
}
