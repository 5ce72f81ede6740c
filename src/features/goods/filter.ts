// Shows the items of the category in the URL, and three others where it has none; without it all are shown. The text
// of an inline script after the grid, so that a filtered page never paints the rest first. `mall:changed` runs it on
// other items.
import { getCardSize } from "./card.ts";

const find = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];

function toggle(id: string, isShown: boolean): void {
  document.getElementById(id)?.toggleAttribute("hidden", !isShown);
}

function filter(): void {
  const kind = new URLSearchParams(location.search).get("category") ?? "";
  const cards = find("#mall-list [data-goods]");
  const hasPasses = find("#passes [data-pass]:not([hidden])").length > 0;
  const isLoading = find("#mall-list[aria-busy=true], #failed:not([hidden])").length > 0;
  const isEmpty = !isLoading && cards.length === 0 && !hasPasses;
  const ofKind = cards.filter(({ dataset }) => !kind || dataset.category === kind);
  const showsPasses = hasPasses && (!kind || kind === "passes");
  const isNone = !isLoading && !isEmpty && ofKind.length === 0 && !showsPasses;
  const shown = isNone ? cards.slice(0, 3) : ofKind;
  for (const card of cards) card.hidden = !shown.includes(card);
  for (const [index, card] of shown.entries()) card.dataset.size = getCardSize(index, shown.length);
  toggle("passes", showsPasses);
  toggle("rest", !!kind && ofKind.length > 0 && ofKind.length <= 4);
  toggle("bare", isEmpty);
  toggle("kinds", !isEmpty);
  toggle("none", isNone);
  for (const tab of find("#kinds > [data-kind]")) {
    if (tab.dataset.kind === kind) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
}

filter();
document.documentElement.classList.remove("filtering");
addEventListener("mall:changed", filter);
addEventListener("popstate", filter);
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-kind]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.href !== location.href) history.pushState(null, "", link.href);
  filter();
  scrollTo(0, 0);
});
