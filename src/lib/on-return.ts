/** Runs something whenever the visitor comes back to the page, or the browser to the network; returns how to stop it. */
export function onReturn(run: () => void): () => void {
  // Nobody comes back to the server that draws the page.
  if (typeof document === "undefined") return () => {};
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && run(), { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && run(), { signal });
  addEventListener("online", run, { signal });
  return () => stop.abort();
}
