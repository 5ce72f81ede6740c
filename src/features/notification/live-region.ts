import css from "./notification.css?inline";
import { $notifications } from "./store.ts";
import { Toast } from "./toast.ts";

/** Notifications visible at a time, the newest; older ones return when there is room and their time is not over. */
const maxVisible = 4;

/**
 * Renders the notifications into the page's region without React, which public pages do not load.
 * Its two lists, one polite and one assertive, are live regions in the page from the start, so that each notification is read out once.
 */
export function mount(region: HTMLElement): void {
  const [polite, urgent] = [...region.querySelectorAll("ol")];
  if (!polite || !urgent) return;
  const initialParent = region.parentElement;
  const stylesheet = new CSSStyleSheet();
  stylesheet.replaceSync(css);
  document.adoptedStyleSheets.push(stylesheet);
  const toasts = new Map<string, Toast>();
  /** The element that had the focus before the region. */
  let previousFocus: HTMLElement | null = null;

  /** Lifts each notification above those below it. By a transform: the browser counts no layout shift when another one comes or goes. */
  const resizeObserver = new ResizeObserver(() => {
    const gap = Number.parseFloat(getComputedStyle(region).rowGap);
    let lift = 0;
    for (const toast of [...region.querySelectorAll<HTMLElement>(".toast:not([hidden])")].reverse()) {
      toast.style.setProperty("--lift", `${-lift}px`);
      lift += toast.offsetHeight + gap;
    }
  });

  /** Moves the region into the topmost modal dialog: everything outside of it is inert. */
  function moveToTopDialog(): void {
    const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? initialParent;
    if (top && region.parentElement !== top) top.append(region);
  }

  function render(): void {
    const list = $notifications.get();
    let lostFocus: "" | "pointer" | "keyboard" = "";
    for (const [id, toast] of toasts) {
      if (list.some((notification) => notification.id === id)) continue;
      if (toast.hasFocus) lostFocus = toast.hasVisibleFocus ? "keyboard" : "pointer";
      toast.element.remove();
      toasts.delete(id);
    }
    for (const notification of list) {
      const existing = toasts.get(notification.id);
      const toast = existing ?? new Toast(notification, notification.closeLabel ?? region.dataset.close ?? "");
      if (!existing) {
        toasts.set(notification.id, toast);
        resizeObserver.observe(toast.element);
      } else if (existing.notification !== notification) existing.update(notification);
      const target = notification.color === "error" ? urgent : polite;
      if (toast.element.parentElement !== target) target?.append(toast.element);
    }
    const newest = [...toasts.values()].slice(-maxVisible);
    for (const toast of toasts.values()) toast.element.hidden = !newest.includes(toast) && !toast.hasFocus;
    const isRefocused = lostFocus === "keyboard" && [...newest].reverse().some((toast) => toast.focus());
    if (lostFocus && !isRefocused && previousFocus?.isConnected) previousFocus.focus();
  }

  region.addEventListener("focusin", ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !region.contains(relatedTarget)) previousFocus = relatedTarget;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || region.contains(document.activeElement)) return;
    const visible = [...toasts.values()].filter(({ element }) => !element.hidden);
    if (document.activeElement instanceof HTMLElement) previousFocus = document.activeElement;
    if (visible.reverse().some((toast) => toast.focus())) event.preventDefault();
  });
  for (const change of ["toggle", "close"]) document.addEventListener(change, moveToTopDialog, true);
  $notifications.subscribe(() => {
    moveToTopDialog();
    render();
  });
}
