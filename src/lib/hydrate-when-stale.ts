import { onReturn, whenIdle } from "./page-lifecycle.ts";

/**
 * Hydrates the page's island when its data has changed: checks `isStale` once the page is idle and on each return.
 * Without a connection the page stays as it was built.
 */
export function hydrateWhenStale(isStale: () => Promise<boolean>): void {
  const island = document.querySelector("main astro-island[ssr]");
  if (!island) return;
  const stop = onReturn(check);
  async function check(): Promise<void> {
    // A hydrated island loads by itself.
    if (!island?.hasAttribute("ssr")) return stop();
    // `fetch` rejects with a TypeError without a connection; the island reports any other failure.
    const isStaleNow = await isStale().catch((error) => !(error instanceof TypeError));
    if (isStaleNow) island.dispatchEvent(new Event("hydrate-request"));
  }
  whenIdle(() => void check());
}
