import type { ClientDirective } from "astro";
import { afterFirstPaint } from "../lib/first-paint.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const typable = "textarea,select,input:not([type=checkbox],[type=radio],[type=submit],[type=button],[type=image],[type=reset])";

function original(field: Field): string {
  if (field instanceof HTMLSelectElement)
    return [...field.options].find((option) => option.defaultSelected)?.value ?? field.options[0]?.value ?? "";
  return field.defaultValue;
}

/** React 19 resets a controlled field while hydrating, and ignores a value that its tracker has seen: it is set again as if by the browser. */
function tellTyped(field: Field, value: string): void {
  if (!(field instanceof HTMLSelectElement)) field.value = `${value} `;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}

/** Holds what a visitor does to an island until React is there, and then lets it happen. */
const intent: ClientDirective = (load, options, island) => {
  const held = new Map<HTMLElement, Event>();
  const listening = new AbortController();
  let started = false;

  async function hydrate() {
    for (const href of (island.dataset.deps ?? "").split(" ").filter(Boolean)) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
    const run = await load();
    const fields = [...island.querySelectorAll<Field>(typable)];
    // Typed, filled in by the browser, or restored: all the same.
    const typed = fields.filter((field) => field.value !== original(field)).map((field) => [field, field.value] as const);
    await run();
    island.removeAttribute("data-busy");
    // A chunk that did not come leaves the island as it was: the next intent may try again.
    if (island.hasAttribute("ssr")) {
      started = false;
      held.clear();
      return;
    }
    // React commits later than hydrate() returns, in pieces; a discrete event makes it commit now, so that what was held finds its handlers.
    if (held.size + typed.length > 0) island.firstElementChild?.dispatchEvent(new Event("touchcancel", { bubbles: true }));
    listening.abort();
    for (const [field, value] of typed) tellTyped(field, value);
    // What was typed is drawn first: the handlers of what follows must see it.
    if (typed.length > 0) await new Promise((resolve) => setTimeout(resolve));
    for (const [target, event] of held) {
      if (!target.isConnected) continue;
      if (event instanceof SubmitEvent && target instanceof HTMLFormElement) target.requestSubmit(event.submitter);
      else target.dispatchEvent(new MouseEvent("click", event));
    }
  }

  function go() {
    if (started) return;
    started = true;
    void hydrate();
  }

  function hold(event: Event) {
    go();
    const target =
      event.target instanceof Element ? event.target.closest<HTMLElement>("button,a,label,form,input,select,textarea") : null;
    if (!target || (event.type === "click" && target.matches(`a[href],${typable}`))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.set(target, event);
    island.setAttribute("data-busy", "");
  }

  const capture = { capture: true, signal: listening.signal };
  for (const name of ["pointerdown", "touchstart", "keydown", "focusin", "wake"]) {
    island.addEventListener(name, go, { ...capture, passive: true });
  }
  for (const name of ["click", "submit"]) island.addEventListener(name, hold, capture);

  if (options.value === "now") return afterFirstPaint(go);
  // A member's: in its turn, but not never.
  if (document.documentElement.hasAttribute("data-token")) (window.requestIdleCallback ?? setTimeout)(go, { timeout: 2000 });
};

export default intent;
