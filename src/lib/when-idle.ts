/** Milliseconds after load; a page that is never idle has its turn too. */
const latest = 3000;

/** Runs something once the page has nothing better to do. What it imports is not asked for before. */
export function whenIdle(run: () => void): void {
  const start = () => ("requestIdleCallback" in window ? requestIdleCallback(run, { timeout: latest }) : setTimeout(run, 1500));
  if (document.readyState === "complete") start();
  else addEventListener("load", start, { once: true });
}
