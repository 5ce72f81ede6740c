/** Milliseconds after load, for a page that is never idle. */
const latest = 3000;

/** Runs `callback` once the page has loaded and is idle. */
export function whenIdle(callback: () => void): void {
  const start = () =>
    "requestIdleCallback" in window ? requestIdleCallback(callback, { timeout: latest }) : setTimeout(callback, 1500);
  if (document.readyState === "complete") start();
  else addEventListener("load", start, { once: true });
}
