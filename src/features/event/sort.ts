/** An old build does not lie: what has ended since it was made moves from the coming events to the past ones. */
export function sortByToday(now = Date.now()): void {
  const past = document.querySelector("[data-board=past]");
  for (const item of document.querySelectorAll<HTMLElement>("[data-board=coming] > [data-ends]")) {
    if (Date.parse(item.dataset.ends ?? "") > now) continue;
    item.querySelector(".row")?.classList.add("sold");
    item.querySelector("[data-activity]")?.remove();
    past?.prepend(item);
  }
}
