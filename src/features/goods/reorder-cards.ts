/** Number of cards before the packages. */
const cardsBeforePackages = 5;

/**
 * Sorts cards without moving anything in view: at once when the first one that moves is below the viewport, else when the page
 * is hidden. The packages keep their position among them.
 */
export function arrangeWhenUnseen(shelf: HTMLElement, onArranged: () => void): (cards: readonly HTMLElement[]) => void {
  let waiting: readonly HTMLElement[] | null = null;
  const getOthers = () => [...shelf.children].filter((element) => !element.matches("[data-good], .sk-good"));

  function arrange(): void {
    if (!waiting) return;
    const [packages, ...others] = getOthers();
    const removed = [...shelf.querySelectorAll<HTMLElement>("[data-good]")].filter((card) => !waiting?.includes(card));
    for (const card of removed) card.remove();
    const first = waiting.slice(0, cardsBeforePackages);
    shelf.append(...first, ...(packages ? [packages] : []), ...waiting.slice(cardsBeforePackages), ...others);
    waiting = null;
    onArranged();
  }
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && arrange());

  return (cards) => {
    const now = [...shelf.querySelectorAll<HTMLElement>("[data-good]")];
    const moved = now.find((card, index) => card !== cards[index]);
    waiting = moved || now.length !== cards.length ? cards : null;
    const at = moved ?? now.at(-1);
    const edge = moved ? moved.getBoundingClientRect().top : (at?.getBoundingClientRect().bottom ?? 0);
    // An empty grid has nothing that could move.
    if (!at || cards.length === 0 || edge >= innerHeight || document.visibilityState === "hidden") arrange();
  };
}
