import { findAgain } from "./find-again.ts";

/** The value of a field, or whether it is checked. */
export type State = string | boolean;
/** A visitor's interaction with an island before hydration: an event that waits for its handler, or the state of a field, which the browser shows at once. */
type QueuedInteraction = [target: HTMLElement, event: Event | null, state?: State];
/** Detail of the `hydrate` event, which an island dispatches when its code has loaded, before React renders. */
export interface Hydration {
  /** Interactions to repeat; more may arrive meanwhile. */
  queue: QueuedInteraction[];
  /** An interaction is being repeated now. */
  isRepeating?: boolean;
  /** Resolves when no interaction is left. */
  replay?: () => Promise<void>;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns the interaction of a field whose state differs from the HTML: autofilled or restored. Of radios, only the checked one counts. */
function toStateInteractions(field: Field): QueuedInteraction[] {
  if (field instanceof HTMLInputElement && /^(radio|checkbox)$/.test(field.type)) {
    const isSame = field.checked === field.defaultChecked || (field.type === "radio" && !field.checked);
    return isSame ? [] : [[field, null, field.checked]];
  }
  const built =
    field instanceof HTMLSelectElement
      ? ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value
      : field.defaultValue;
  return field.value === built ? [] : [[field, null, field.value]];
}

/** Finds the element that stands for one in the HTML of an island. */
type Find = (element: Element) => HTMLElement | undefined;

/** Repeats an interaction as the visitor did it. React's tracker ignores an unchanged state, so another one is set first. */
function repeat([target, event, state]: QueuedInteraction, find: Find): void {
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement)
    target.requestSubmit(event.submitter && find(event.submitter));
  else if (event instanceof KeyboardEvent) target.dispatchEvent(new KeyboardEvent("keydown", event));
  else if (event) target.dispatchEvent(new MouseEvent("click", event));
  else if (target instanceof HTMLInputElement && typeof state === "boolean") {
    target.checked = !state;
    target.click();
  } else {
    const isSelect = target instanceof HTMLSelectElement;
    if (!isSelect) Object.assign(target, { value: `${state} ` });
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value")?.set?.call(target, state);
    target.dispatchEvent(new Event(isSelect ? "change" : "input", { bubbles: true }));
  }
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

interface Before {
  /** Fields whose state differs from the HTML. */
  restored: QueuedInteraction[];
  /** What had the focus. */
  focused: Element | null;
  find: Find;
}

async function replay(island: Element, { restored, focused, find }: Before, hydration: Hydration): Promise<void> {
  let isIdle = false;
  const onIdle = () => {
    isIdle = true;
  };
  // `whenIdle` is not imported: its chunk would bring React to every plain script that shares it.
  if ("requestIdleCallback" in window) requestIdleCallback(onIdle, { timeout: 1000 });
  else setTimeout(onIdle, 200);
  // React commits after `hydrateRoot` returns, in pieces.
  while (!isIdle && restored.length + hydration.queue.length === 0) await nextTask();
  // A discrete event forces the commit, so that the interactions find their handlers.
  island.firstElementChild?.dispatchEvent(new Event("touchcancel", { bubbles: true }));
  if (focused?.isConnected === false) find(focused)?.focus({ preventScroll: true });
  const isLater = ([field]: QueuedInteraction) => hydration.queue.some(([target]) => find(target) === find(field));
  hydration.queue.unshift(...restored.filter((interaction) => !isLater(interaction)));
  // After a key that moves the focus, later keys go to the new element.
  const movedTo = new Map<Element, Element | null>();
  for (let interaction = hydration.queue.shift(); interaction; interaction = hydration.queue.shift()) {
    const [target, event, state] = interaction;
    const isKey = event instanceof KeyboardEvent;
    const next = isKey ? movedTo.get(target) : null;
    const at = next instanceof HTMLElement ? next : find(target);
    const hadFocus = at === document.activeElement;
    hydration.isRepeating = true;
    if (at?.isConnected) repeat([at, event, state], find);
    hydration.isRepeating = false;
    // React renders first: the handlers of the next interaction must see the change.
    await nextTask();
    if (isKey && hadFocus) movedTo.set(target, document.activeElement);
  }
}

// Loads with the island code, not with the page.
if (typeof document !== "undefined") {
  document.addEventListener("hydrate", (event) => {
    const island = event.target;
    if (!(event instanceof CustomEvent && island instanceof Element)) return;
    const detail: Hydration = event.detail;
    const restored = [...island.querySelectorAll<Field>("textarea,select,input")].flatMap(toStateInteractions);
    // Where another has changed the HTML before it, as translations and password managers do, React draws the island anew.
    const former = [...island.children];
    const find: Find = (element) =>
      element.isConnected && element instanceof HTMLElement ? element : findAgain(element, former, island);
    const before = { restored, focused: document.activeElement, find };
    detail.replay = () => replay(island, before, detail);
  });
}
