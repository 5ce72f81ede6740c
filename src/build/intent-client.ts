import type { ClientDirective } from "astro";
import { afterFirstPaint } from "../lib/first-paint.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type State = string | boolean;
/** What somebody did: an event that waits for its handler, or the state of a field, which the browser shows at once. */
type Act = [target: HTMLElement, event: Event | null, state?: State];

const fields = "textarea,select,input";
const isField = (target: EventTarget | null): target is Field => target instanceof HTMLElement && target.matches(fields);
const stateOf = (field: Field): State =>
  field.matches("[type=radio],[type=checkbox]") && "checked" in field ? field.checked : field.value;

/** The state of a field that is not as the page was built: filled in by the browser, or restored. Of radios, the one that is checked says all. */
function changed(field: Field): Act[] {
  const isAs = "options" in field ? field.selectedIndex < 1 : field.value === field.defaultValue;
  const isSame =
    "checked" in field ? isAs && (field.checked === field.defaultChecked || (field.type === "radio" && !field.checked)) : isAs;
  return isSame ? [] : [[field, null, stateOf(field)]];
}

/** Lets it happen as a visitor does it. React's tracker ignores a state that it has seen: it sees another one first. */
function repeat([target, event, state]: Act): void {
  if (event instanceof KeyboardEvent) (document.activeElement ?? target).dispatchEvent(new KeyboardEvent("keydown", event));
  else if (event instanceof SubmitEvent && target instanceof HTMLFormElement) target.requestSubmit(event.submitter);
  else if (event) target.dispatchEvent(new MouseEvent("click", event));
  else if (typeof state === "boolean") {
    Object.assign(target, { checked: !state });
    target.click();
  } else if (isField(target)) {
    if (!("options" in target)) target.value = `${state} `;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value")?.set?.call(target, state);
    target.dispatchEvent(new Event("options" in target ? "change" : "input", { bubbles: true }));
  }
}

const soon = () => new Promise((resolve) => setTimeout(resolve));

/** Holds what a visitor does to an island until React is there, and then lets it happen in the same order. Fields change at once; links lead on and forms with an action are sent as HTML, unless something is held that comes before. */
const intent: ClientDirective = (load, options, island) => {
  let acts: Act[] = [];
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

  async function go() {
    if (started) return;
    started = true;
    preload();
    // What was pressed is seen first: hydrating takes a while.
    await released;
    if (!document.hidden) await new Promise(requestAnimationFrame).then(soon);
    const run = await load();
    acts = [
      ...[...island.querySelectorAll<Field>(fields)]
        .filter((field) => !acts.some(([target]) => target === field))
        .flatMap(changed),
      ...acts,
    ];
    await run();
    // A chunk that did not come leaves the island as it was: the next intent tries again, but leads nowhere unasked.
    if (island.hasAttribute("ssr")) {
      started = false;
      acts = acts.filter(([target]) => !target.matches("a,form"));
      return;
    }
    // React commits later than hydrate() returns, in pieces; a discrete event makes it commit now, so that what was held finds its handlers.
    if (acts[0]) island.firstElementChild?.dispatchEvent(new Event("touchcancel", { bubbles: true }));
    listening.abort();
    for (const act of acts) {
      if (act[0].isConnected) repeat(act);
      // It is drawn first: the handlers of what follows must see it.
      await soon();
    }
  }

  /** Instead of what was done to it before, where only the last counts: fields, and what sends, leads on or switches, as whoever does that again while nothing shows is impatient. */
  function note(target: HTMLElement, event: Event | null, state?: State) {
    acts = [
      ...acts.filter((act) => act[0] !== target || !target.matches(`${fields},a,form,[aria-pressed]`)),
      [target, event, state],
    ];
  }

  function hold(target: HTMLElement, event: Event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    note(target, event);
  }

  for (const name of ["pointerup", "click", "submit", "keydown", "focusin", "wake"]) island.addEventListener(name, go, capture);
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
      if (control && (control.matches("button") || (acts[0] && !event.ctrlKey && !event.metaKey))) hold(control, event);
    },
    capture,
  );
  island.addEventListener(
    "submit",
    (event) => {
      const { target } = event;
      // A member's page is about to start.
      const isHeld = isMember || acts.some((act) => act[1]);
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
      if (isField(target)) note(target, null, stateOf(target));
    },
    capture,
  );

  if (options.value === "now") return afterFirstPaint(go);
  // A member's: in its turn, but not never.
  if (isMember) (window.requestIdleCallback ?? setTimeout)(go, { timeout: 2000 });
};

export default intent;
