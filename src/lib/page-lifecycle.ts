/** Milliseconds after load, for a page that is never idle. */
const latest = 3000;

/** Runs `callback` once the page has loaded and is idle. */
export function whenIdle(callback: () => void): void {
  const start = () =>
    "requestIdleCallback" in window ? requestIdleCallback(callback, { timeout: latest }) : setTimeout(callback, 1500);
  if (document.readyState === "complete") start();
  else addEventListener("load", start, { once: true });
}

/** Runs `callback` whenever the visitor returns to the page or the browser to the network. Returns a function that stops it. */
export function onReturn(callback: () => void): () => void {
  // Nothing returns while the server renders the page.
  if (typeof document === "undefined") return () => {};
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && callback(), { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && callback(), { signal });
  addEventListener("online", callback, { signal });
  return () => stop.abort();
}

/** Milliseconds after which the LCP image is no longer waited for. */
export const latestLcp = 3_000;

async function painted(): Promise<void> {
  // A hidden page paints nothing.
  if (document.hidden) return;
  const picture = document.querySelector<HTMLImageElement>("img[fetchpriority=high]");
  await picture?.decode().catch(() => {});
  await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
}

/** Runs `callback` after the LCP image has painted, at most 3 s later. */
export function afterLcp(callback: () => void): void {
  const late = new Promise((resolve) => setTimeout(resolve, latestLcp));
  void Promise.race([painted(), late]).then(callback);
}
