import type { ClientDirective } from "astro";
import { afterFirstPaint } from "../lib/first-paint.ts";
import type { Hydration, State } from "../lib/replay.ts";

const fields = "textarea,select,input";

const soon = () => new Promise((resolve) => setTimeout(resolve));

/** Holds what a visitor does to an island until React is there, and then lets it happen in the same order. Fields change at once; links lead on and forms with an action are sent as HTML, unless something is held that comes before. */
const intent: ClientDirective = (load, options, island) => {
  const detail: Hydration = { acts: [] };
  let started = false;
  let released: Promise<unknown> | undefined;
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

  async function hydrate() {
    if (started) return;
    started = true;
    preload();
    // What was pressed is seen first: hydrating takes a while.
    await released;
    if (!document.hidden) await new Promise(requestAnimationFrame).then(soon);
    const run = await load();
    island.dispatchEvent(new CustomEvent("hydrate", { bubbles: true, detail }));
    await run();
    // A chunk that did not come leaves the island as it was: the next intent tries again, but leads nowhere unasked.
    if (island.hasAttribute("ssr")) {
      started = false;
      detail.acts = detail.acts.filter(([target]) => !target.matches("a,form"));
      return;
    }
    await detail.replay?.();
    listening.abort();
  }

  /** Instead of what was done to it before, where only the last counts: what a field holds, and what sends, leads on or switches, as whoever does that again while nothing shows is impatient. Each key that steps counts. */
  function record(target: HTMLElement, event: Event | null, state?: State) {
    if (detail.isRepeating) return;
    detail.acts = [
      ...detail.acts.filter(
        (act) => act[0] !== target || event instanceof KeyboardEvent || !target.matches(`${fields},a,form,[aria-pressed]`),
      ),
      [target, event, state],
    ];
  }

  function hold(target: HTMLElement, event: Event) {
    // It is happening again.
    if (detail.isRepeating) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    record(target, event);
  }

  for (const name of ["pointerup", "click", "submit", "keydown", "focusin", "wake"])
    island.addEventListener(name, hydrate, capture);
  island.addEventListener(
    "pointerdown",
    () => {
      preload();
      released ??= new Promise((resolve) => {
        for (const name of ["pointerup", "pointercancel"]) addEventListener(name, resolve, capture);
      });
    },
    capture,
  );
  island.addEventListener(
    "click",
    (event) => {
      const control = event.target instanceof Element && event.target.closest<HTMLElement>("[type=button],a:not([target])");
      // A link leads on at once, or in another tab, unless something comes before.
      if (control && (control.matches("button") || (detail.acts[0] && !event.ctrlKey && !event.metaKey))) hold(control, event);
    },
    capture,
  );
  island.addEventListener(
    "submit",
    (event) => {
      const { target } = event;
      // A member's page is about to start.
      const isHeld = isMember || detail.acts.some((act) => act[1]);
      if (target instanceof HTMLFormElement && (isHeld || !target.getAttribute("action"))) hold(target, event);
    },
    capture,
  );
  island.addEventListener(
    "keydown",
    (event) => {
      const { target, key } = event;
      const isStep =
        /^(Arrow|Home|End)/.test(key) && target instanceof HTMLElement && target.matches("[role=spinbutton],[role=tab]");
      if (isStep) hold(target, event);
    },
    capture,
  );
  island.addEventListener(
    "input",
    ({ target }) => {
      if (target instanceof HTMLInputElement)
        record(target, null, /^(radio|checkbox)$/.test(target.type) ? target.checked : target.value);
      else if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) record(target, null, target.value);
    },
    capture,
  );

  if (options.value === "now") return afterFirstPaint(hydrate);
  // A member's: in its turn, but not never.
  if (isMember) (window.requestIdleCallback ?? setTimeout)(hydrate, { timeout: 2000 });
};

export default intent;
