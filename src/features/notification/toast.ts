import { getFallback } from "#src/lib/avatar.ts";
import { drawIcon } from "./icons.ts";
import { act, type Notification, pause, remove, resume } from "./store.ts";

const icons = { primary: "check", info: "info", warning: "alert", error: "alert" } as const;
const classes = { primary: "", info: "info", warning: "warning", error: "error" };

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string, ...content: (Node | string)[]) {
  const created = document.createElement(tag);
  created.className = name;
  created.append(...content);
  return created;
}

function button(name: string, click: () => void): HTMLButtonElement {
  const created = element("button", name);
  created.type = "button";
  created.onclick = click;
  return created;
}

/** Draws an avatar as `Avatar` does: its picture, and without one, or when it fails, what stands for it; for a nameless one the colour's icon. */
function drawAvatar({ alt, src, text }: NonNullable<Notification["avatar"]>, { color, icon }: Notification): Element {
  const disc = element("span", "avatar");
  const name = alt ? { role: "img", "aria-label": alt } : { "aria-hidden": "true" };
  for (const [key, value] of Object.entries(name)) disc.setAttribute(key, value);
  const fallback = getFallback(alt, text, icon && drawIcon(icon)) || drawIcon(icons[color]);
  if (src) {
    const picture = element("img", "");
    picture.alt = "";
    picture.onerror = () => disc.replaceChildren(fallback);
    picture.src = src;
    disc.append(picture);
  } else disc.append(fallback);
  return disc;
}

/** One notification on the screen. An update changes its elements in place, so that focus stays. */
export class Toast {
  readonly element = element("li", "toast");
  notification: Notification;
  #icon: Element = element("i", "");
  #iconKey = "";
  #isHovered = false;
  readonly #title = element("b", "");
  readonly #description = element("p", "");
  readonly #actions = element("div", "actions");
  readonly #close: HTMLButtonElement;
  readonly #bar = element("span", "time-left");
  #animation: Animation | undefined;

  constructor(notification: Notification, closeLabel: string) {
    this.notification = notification;
    this.#close = button("close", () => remove(this.notification.id));
    this.#close.setAttribute("aria-label", closeLabel);
    this.#close.append(drawIcon("close"));
    this.#bar.setAttribute("aria-hidden", "true");
    this.element.append(this.#icon, this.#title, this.#close, this.#description, this.#actions, this.#bar);
    this.#listen();
    this.update(notification);
  }

  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  /** Whether the focus came by keyboard, by `:focus-visible`. */
  get hasVisibleFocus(): boolean {
    return this.element.querySelector(":focus-visible") !== null;
  }

  /** Focuses the first action, else the close button. Returns false without either. */
  focus(): boolean {
    const first = this.element.querySelector<HTMLElement>(".actions button") ?? (this.#close.hidden ? null : this.#close);
    first?.focus();
    return first !== null;
  }

  update(notification: Notification): void {
    this.notification = notification;
    this.element.className = `toast ${classes[notification.color]}`;
    if (notification.lang) this.element.lang = notification.lang;
    this.#setIcon();
    if (this.#title.textContent !== notification.title) this.#title.textContent = notification.title;
    if (this.#description.textContent !== (notification.description ?? ""))
      this.#description.textContent = notification.description ?? "";
    this.#description.hidden = !notification.description;
    this.#close.hidden = !notification.closeButton;
    this.#setActions();
    this.#setBar();
  }

  #setIcon(): void {
    const { color, icon, avatar } = this.notification;
    const iconKey = JSON.stringify([color, icon, avatar]);
    if (iconKey === this.#iconKey) return;
    this.#iconKey = iconKey;
    const next = avatar ? drawAvatar(avatar, this.notification) : drawIcon(icon ?? icons[color]);
    this.#icon.replaceWith(next);
    this.#icon = next;
  }

  /** Reuses the buttons by index. */
  #setActions(): void {
    const { actions } = this.notification;
    const buttons = [...this.#actions.children];
    actions.forEach((action, index) => {
      const existing = buttons[index];
      const current = existing ?? button(`button button-sm ${index > 0 ? "ghost" : ""}`, () => this.#act(index));
      if (current.textContent !== action.label) current.textContent = action.label;
      if (!existing) this.#actions.append(current);
    });
    for (const surplus of buttons.slice(actions.length)) surplus.remove();
    this.#actions.hidden = actions.length === 0;
  }

  #act(index: number): void {
    const action = this.notification.actions[index];
    if (action) act(this.notification.id, action);
  }

  /** Animates the remaining time; in steps of a second with reduced motion. */
  #setBar(): void {
    const { timeout } = this.notification;
    this.#animation?.cancel();
    this.#bar.hidden = timeout <= 0;
    const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const easing = isReduced ? `steps(${Math.max(1, Math.round(timeout / 1000))}, end)` : "linear";
    this.#animation = this.#bar.animate([{ scale: "1 1" }, { scale: "0 1" }], { duration: timeout, easing, fill: "forwards" });
    if (this.#isPaused) this.#animation.pause();
  }

  get #isPaused(): boolean {
    return this.hasFocus || this.#isHovered;
  }

  #listen(): void {
    const onEnter = () => {
      pause(this.notification.id);
      this.#animation?.pause();
    };
    const onLeave = () => {
      if (this.#isPaused) return;
      resume(this.notification.id);
      if (this.notification.timeout > 0) this.#animation?.play();
    };
    this.element.addEventListener("pointerenter", () => {
      this.#isHovered = true;
      onEnter();
    });
    this.element.addEventListener("pointerleave", () => {
      this.#isHovered = false;
      onLeave();
    });
    this.element.addEventListener("focusin", onEnter);
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.element.contains(relatedTarget))) onLeave();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      remove(this.notification.id);
    });
  }
}
