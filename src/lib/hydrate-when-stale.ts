import { onReturn } from "./on-return.ts";
import { whenIdle } from "./when-idle.ts";

/**
 * Leaves the page's island asleep as long as what it shows is right: `differs` is asked once the page idles and on each
 * return, and what has changed wakes the island, which then draws it. Without a connection the page stays as it was built.
 */
export function hydrateWhenStale(differs: () => Promise<boolean>): void {
  const island = document.querySelector("main astro-island[ssr]");
  if (!island) return;
  const stop = onReturn(check);
  async function check(): Promise<void> {
    // It is awake, and asks for itself.
    if (!island?.hasAttribute("ssr")) return stop();
    // No line rejects with a TypeError; a host that answers nonsense is the island's to tell.
    const wake = await differs().catch((caught) => !(caught instanceof TypeError));
    if (wake) island.dispatchEvent(new Event("wake"));
  }
  whenIdle(() => void check());
}
