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
