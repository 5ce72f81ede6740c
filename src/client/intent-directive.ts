// The directive `client:intent`, which src/build/islands.ts registers: queues interactions with an island until it has hydrated, on the first one.

import type { ClientDirective } from "astro";
import { afterLcp } from "#src/lib/page-lifecycle.ts";
import type { Hydration, State } from "#src/lib/replay-interactions.ts";

declare global {
  interface Window {
    /** Listener that records the last button pressed before this directive has loaded (`src/client/head/press.ts`). */
    recordPress?: EventListener & { button?: HTMLElement | null };
  }
}

const fields = "textarea,select,input";

/** Queues a visitor's interactions with an island until React has hydrated it, then replays them in order. Fields still change immediately, and links and forms with an `action` work without React unless an earlier interaction is queued. */
const intent: ClientDirective = (load, options, island) => {
  const detail: Hydration = { queue: [] };
  let started = false;
  let pointerRelease: Promise<unknown> | undefined;
  const listening = new AbortController();
  const capture = { capture: true, signal: listening.signal };
  const { dataset } = island;
  const isMember = document.documentElement.hasAttribute("data-token");

  function preload(): void {
    for (const href of (dataset.deps ?? "").split(" ").filter(Boolean)) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
    dataset.deps = "";
  }

  async function startHydration() {
    if (started) return;
    started = true;
    preload();
    // Lets the pressed state paint first, because hydration takes a while.
    await pointerRelease;
    if (!document.hidden) {
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
    }
    const run = await load();
    island.dispatchEvent(new CustomEvent("hydrate", { bubbles: true, detail }));
    await run();
    // A chunk has failed to load: the next interaction retries, without the queued navigation.
    if (island.hasAttribute("ssr")) {
      started = false;
      detail.queue = detail.queue.filter(([target]) => !target.matches("a,form"));
      return;
    }
    await detail.replay?.();
    listening.abort();
  }

  /** Queues an interaction. It replaces an earlier one on the same field, link, form or toggle, because impatient visitors repeat clicks. Key presses never replace one another. */
  function record(target: HTMLElement, event: Event | null, state?: State) {
    if (detail.isRepeating) return;
    detail.queue = detail.queue.filter(
      (interaction) =>
        interaction[0] !== target || event instanceof KeyboardEvent || !target.matches(`${fields},a,form,[aria-pressed]`),
    );
    detail.queue.push([target, event, state]);
  }

  function queueEvent(target: HTMLElement, event: Event) {
    // Replayed events pass through.
    if (detail.isRepeating) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    record(target, event);
  }

  function on<Name extends keyof HTMLElementEventMap>(name: Name, listener: (event: HTMLElementEventMap[Name]) => void) {
    island.addEventListener(name, listener, capture);
  }

  for (const name of ["pointerup", "click", "submit", "keydown", "focusin", "hydrate-request"])
    island.addEventListener(name, startHydration, capture);
  on("pointerdown", () => {
    preload();
    pointerRelease ??= new Promise((resolve) => {
      for (const name of ["pointerup", "pointercancel"]) addEventListener(name, resolve, capture);
    });
  });
  on("click", (event) => {
    const control = event.target instanceof Element && event.target.closest<HTMLElement>("[type=button],a:not([target])");
    // A link navigates at once, unless an earlier interaction is queued.
    if (control && (control.matches("button") || (detail.queue[0] && !event.ctrlKey && !event.metaKey)))
      queueEvent(control, event);
  });
  on("submit", (event) => {
    const { target } = event;
    // A member's island hydrates without an interaction, so the form can wait for it.
    const isReplayed = isMember || detail.queue.some((interaction) => interaction[1]);
    if (target instanceof HTMLFormElement && (isReplayed || !target.getAttribute("action"))) queueEvent(target, event);
  });
  on("keydown", (event) => {
    const { target, key } = event;
    const isStep =
      /^(Arrow|Home|End)/.test(key) && target instanceof HTMLElement && target.matches("[role=spinbutton],[role=tab]");
    if (isStep) queueEvent(target, event);
  });
  on("input", ({ target }) => {
    if (target instanceof HTMLInputElement)
      record(target, null, /^(radio|checkbox)$/.test(target.type) ? target.checked : target.value);
    else if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) record(target, null, target.value);
  });

  const recorder = window.recordPress;
  if (recorder) {
    removeEventListener("click", recorder, true);
    if (island.contains(recorder.button ?? null)) recorder.button?.click();
  }

  if (options.value === "now") return afterLcp(startHydration);
  // A member's island hydrates when idle, after 2 s at the latest.
  if (isMember) (window.requestIdleCallback ?? setTimeout)(startHydration, { timeout: 2000 });
};

export default intent;
