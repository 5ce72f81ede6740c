import { drawIcon } from "./icons.ts";
import { act, type Notification, pause, remove, resume } from "./store.ts";

const icons = { primary: "check", info: "info", warning: "alert", error: "alert" } as const;
const classes = { primary: "", info: "info", warning: "warning", error: "err" };

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string, ...content: (Node | string)[]) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...content);
  return made;
}

function button(name: string, click: () => void): HTMLButtonElement {
  const made = element("button", name);
  made.type = "button";
  made.onclick = click;
  return made;
}

/** One notification on the screen. Its elements live as long as it does: an update changes them, so that focus stays where it is. */
export class Toast {
  readonly element = element("li", "toast");
  one: Notification;
  #sign: Element = element("i", "");
  #signedBy = "";
  #hovered = false;
  readonly #title = element("b", "");
  readonly #description = element("p", "");
  readonly #acts = element("div", "acts");
  readonly #close: HTMLButtonElement;
  readonly #bar = element("span", "bar");
  #drain: Animation | undefined;

  constructor(one: Notification, closeLabel: string) {
    this.one = one;
    this.#close = button("x", () => remove(this.one.id));
    this.#close.setAttribute("aria-label", closeLabel);
    this.#close.append(drawIcon("close"));
    this.#bar.setAttribute("aria-hidden", "true");
    this.element.append(this.#sign, this.#title, this.#close, this.#description, this.#acts, this.#bar);
    this.#listen();
    this.update(one);
  }

  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  /** Focus that came by the keyboard, as the browser judges it. */
  get hasVisibleFocus(): boolean {
    return this.element.querySelector(":focus-visible") !== null;
  }

  /** Puts the focus on the first thing that can be done about it. False when there is nothing. */
  focus(): boolean {
    const first = this.element.querySelector<HTMLElement>(".acts button") ?? (this.#close.hidden ? null : this.#close);
    first?.focus();
    return first !== null;
  }

  update(one: Notification): void {
    this.one = one;
    this.element.className = `toast ${classes[one.color]}`;
    this.#setSign();
    if (this.#title.textContent !== one.title) this.#title.textContent = one.title;
    if (this.#description.textContent !== (one.description ?? "")) this.#description.textContent = one.description ?? "";
    this.#description.hidden = !one.description;
    this.#close.hidden = !one.closeButton;
    this.#setActions();
    this.#setBar();
  }

  #setSign(): void {
    const { color, icon = icons[color], avatar } = this.one;
    const signedBy = JSON.stringify([icon, avatar]);
    if (signedBy === this.#signedBy) return;
    this.#signedBy = signedBy;
    const drawn = drawIcon(icon);
    let sign: Element = drawn;
    if (avatar) {
      const picture = element("img", "toast-av");
      picture.alt = avatar.alt;
      picture.onerror = () => {
        if (this.#sign === picture) this.#replaceSign(drawn);
      };
      picture.src = avatar.src;
      sign = picture;
    }
    this.#replaceSign(sign);
  }

  #replaceSign(sign: Element): void {
    this.#sign.replaceWith(sign);
    this.#sign = sign;
  }

  /** The same place keeps the same button. */
  #setActions(): void {
    const { actions } = this.one;
    const buttons = [...this.#acts.children];
    actions.forEach((action, place) => {
      const known = buttons[place];
      const made = known ?? button(`btn b-sm ${place > 0 ? "ghost" : ""}`, () => this.#act(place));
      if (made.textContent !== action.label) made.textContent = action.label;
      if (!known) this.#acts.append(made);
    });
    for (const left of buttons.slice(actions.length)) left.remove();
    this.#acts.hidden = actions.length === 0;
  }

  #act(place: number): void {
    const action = this.one.actions[place];
    if (action) act(this.one.id, action);
  }

  /** What is left of its time. Without motion it goes in steps of a second. */
  #setBar(): void {
    const { timeout } = this.one;
    this.#drain?.cancel();
    this.#bar.hidden = timeout <= 0;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const easing = still ? `steps(${Math.max(1, Math.round(timeout / 1000))}, end)` : "linear";
    this.#drain = this.#bar.animate([{ scale: "1 1" }, { scale: "0 1" }], { duration: timeout, easing, fill: "forwards" });
    if (this.#isHeld) this.#drain.pause();
  }

  get #isHeld(): boolean {
    return this.hasFocus || this.#hovered;
  }

  #listen(): void {
    const hold = () => {
      pause(this.one.id);
      this.#drain?.pause();
    };
    const letGo = () => {
      if (this.#isHeld) return;
      resume(this.one.id);
      if (this.one.timeout > 0) this.#drain?.play();
    };
    this.element.addEventListener("pointerenter", () => {
      this.#hovered = true;
      hold();
    });
    this.element.addEventListener("pointerleave", () => {
      this.#hovered = false;
      letGo();
    });
    this.element.addEventListener("focusin", hold);
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.element.contains(relatedTarget))) letGo();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      remove(this.one.id);
    });
  }
}
