import { pollInterval } from "./poll-interval.ts";

export interface Polling {
  /** Checks at once; the next check is counted from its answer. */
  now: () => Promise<void>;
  stop: () => void;
}

/**
 * Checks now, and again as long as `waits` says so: the next one only after the previous answer, none while the page is hidden, one at once when it
 * is looked at again or the line is back.
 */
export function poll(check: () => Promise<void>, waits: () => boolean): Polling {
  const began = performance.now();
  const listening = new AbortController();
  const { signal } = listening;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: Promise<void> | undefined;

  function next() {
    asking = undefined;
    if (signal.aborted || document.visibilityState === "hidden" || !waits()) return;
    timer = setTimeout(now, pollInterval(performance.now() - began));
  }
  function now(): Promise<void> {
    clearTimeout(timer);
    asking ??= check().finally(next);
    return asking;
  }
  function look() {
    if (document.visibilityState === "hidden") clearTimeout(timer);
    else void now();
  }
  document.addEventListener("visibilitychange", look, { signal });
  addEventListener("online", () => void now(), { signal });
  void now();
  return {
    now,
    stop() {
      listening.abort();
      clearTimeout(timer);
    },
  };
}
