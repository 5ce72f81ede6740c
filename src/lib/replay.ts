/** The state of a field: what is typed or chosen, or whether it is checked. */
export type State = string | boolean;
/** What somebody did to an island before React was there: an event that waits for its handler, or the state of a field, which the browser shows at once. */
export type Act = [target: HTMLElement, event: Event | null, state?: State];
/** Asked of an island's page once its code is there, before React draws: how to let the acts happen. */
export interface Hydration {
  /** What has not happened yet; it grows while earlier acts are repeated. */
  acts: Act[];
  /** An act is being repeated at this moment. */
  isRepeating?: boolean;
  /** Resolves when nothing is left. */
  replay?: () => Promise<void>;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The state of a field that is not as the page was built: filled in by the browser, or restored. Of radios, the one that is checked says all. */
function changed(field: Field): Act[] {
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

/** Lets it happen as a visitor does it. React's tracker ignores a state that it has seen: it sees another one first. */
function repeat([target, event, state]: Act): void {
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) target.requestSubmit(event.submitter);
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

const soon = () => new Promise((resolve) => setTimeout(resolve));

async function replay(island: Element, restored: Act[], hydration: Hydration): Promise<void> {
  let isIdle = false;
  const rest = () => {
    isIdle = true;
  };
  // Nothing is imported here: its chunk would take it along, and bring React to every script that shares it.
  if ("requestIdleCallback" in window) requestIdleCallback(rest, { timeout: 1000 });
  else setTimeout(rest, 200);
  // React commits later than hydrating returns, in pieces that leave room for whoever taps.
  while (!isIdle && restored.length + hydration.acts.length === 0) await soon();
  // A discrete event makes it commit now at the latest, so that what was held finds its handlers.
  island.firstElementChild?.dispatchEvent(new Event("touchcancel", { bubbles: true }));
  const isLater = ([field]: Act) => hydration.acts.some(([target]) => target === field);
  hydration.acts.unshift(...restored.filter((act) => !isLater(act)));
  // A key that moves the focus takes those after it along.
  const movedTo = new Map<Element, Element | null>();
  for (let act = hydration.acts.shift(); act; act = hydration.acts.shift()) {
    const [target, event, state] = act;
    const isKey = event instanceof KeyboardEvent;
    const focused = isKey ? movedTo.get(target) : null;
    const at = focused instanceof HTMLElement ? focused : target;
    const hadFocus = at === document.activeElement;
    hydration.isRepeating = true;
    if (at.isConnected) repeat([at, event, state]);
    hydration.isRepeating = false;
    // It is drawn first: the handlers of what follows must see it. What is done meanwhile waits for its turn.
    await soon();
    if (isKey && hadFocus) movedTo.set(target, document.activeElement);
  }
}

// Comes with the code of every island, as a page pays for each byte that it carries itself.
if (typeof document !== "undefined") {
  document.addEventListener("hydrate", (event) => {
    const island = event.target;
    if (!(event instanceof CustomEvent && island instanceof Element)) return;
    const detail: Hydration = event.detail;
    const restored = [...island.querySelectorAll<Field>("textarea,select,input")].flatMap(changed);
    detail.replay = () => replay(island, restored, detail);
  });
}
