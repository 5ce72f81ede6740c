export interface Polling {
  /** Checks at once; the next check is counted from its response. */
  now: () => Promise<void>;
  stop: () => void;
}

/** Returns the milliseconds from one response to the next check, by the milliseconds for which a payment has been pending. */
export function getPollInterval(elapsed: number): number {
  if (elapsed < 60_000) return 2_000;
  return elapsed < 300_000 ? 5_000 : 15_000;
}

/**
 * Checks now, and again while `shouldContinue` returns true. A check starts only after the previous response, none while the page is hidden, and one
 * at once when the page is visible again or the connection is back.
 */
export function poll(check: () => Promise<void>, shouldContinue: () => boolean): Polling {
  const startedAt = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: Promise<void> | undefined;

  function schedule() {
    inFlight = undefined;
    if (signal.aborted || document.visibilityState === "hidden" || !shouldContinue()) return;
    timer = setTimeout(now, getPollInterval(performance.now() - startedAt));
  }
  function now(): Promise<void> {
    clearTimeout(timer);
    inFlight ??= check().finally(schedule);
    return inFlight;
  }
  function onVisibilityChange() {
    if (document.visibilityState === "hidden") clearTimeout(timer);
    else void now();
  }
  document.addEventListener("visibilitychange", onVisibilityChange, { signal });
  addEventListener("online", () => void now(), { signal });
  void now();
  return {
    now,
    stop() {
      controller.abort();
      clearTimeout(timer);
    },
  };
}
