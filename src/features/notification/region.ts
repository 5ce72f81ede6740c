import css from "./notification.css?inline";
import { $notifications } from "./store.ts";
import { Toast } from "./toast.ts";

/** So many are seen at a time, the newest; older ones come back when there is room, if their time is not over. */
const most = 4;

/**
 * Draws the notifications into the frame's region, without React: readers' pages have none.
 * Its two lists are live regions that stand in the page from the beginning, one polite and one that interrupts, so that what comes is read out once.
 */
export function mount(region: HTMLElement): void {
  const [polite, urgent] = [...region.querySelectorAll("ol")];
  if (!polite || !urgent) return;
  const home = region.parentElement;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  const toasts = new Map<string, Toast>();
  /** Where the focus was before it came here. */
  let before: HTMLElement | null = null;

  /** What a modal dialog does not hold is out of reach while it is open: the region goes with the topmost one. */
  function follow(): void {
    const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? home;
    if (top && region.parentElement !== top) top.append(region);
  }

  function draw(): void {
    const list = $notifications.get();
    let lost: "" | "pointer" | "keyboard" = "";
    for (const [id, toast] of toasts) {
      if (list.some((one) => one.id === id)) continue;
      if (toast.hasFocus) lost = toast.hasVisibleFocus ? "keyboard" : "pointer";
      toast.element.remove();
      toasts.delete(id);
    }
    for (const one of list) {
      const known = toasts.get(one.id);
      if (!known) toasts.set(one.id, new Toast(one, region.dataset.close ?? ""));
      else if (known.one !== one) known.update(one);
      const toast = toasts.get(one.id);
      const place = one.color === "error" ? urgent : polite;
      if (toast && toast.element.parentElement !== place) place?.append(toast.element);
    }
    const newest = [...toasts.values()].slice(-most);
    for (const toast of toasts.values()) toast.element.hidden = !newest.includes(toast) && !toast.hasFocus;
    const wentOn = lost === "keyboard" && [...newest].reverse().some((toast) => toast.focus());
    if (lost && !wentOn && before?.isConnected) before.focus();
  }

  region.addEventListener("focusin", ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !region.contains(relatedTarget)) before = relatedTarget;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || region.contains(document.activeElement)) return;
    const shown = [...toasts.values()].filter(({ element }) => !element.hidden);
    if (document.activeElement instanceof HTMLElement) before = document.activeElement;
    if (shown.reverse().some((toast) => toast.focus())) event.preventDefault();
  });
  for (const change of ["toggle", "close"]) document.addEventListener(change, follow, true);
  $notifications.subscribe(() => {
    follow();
    draw();
  });
}
