/** Number of cards before the packages. */
const cardsBeforePackages = 5;

/**
 * Creates a function that sorts cards without moving anything in view: at once when the first one that moves is below the viewport, else when the page
 * is hidden. The packages keep their position among them.
 */
export function createCardSorter(grid: HTMLElement, onArranged: () => void): (cards: readonly HTMLElement[]) => void {
  let pendingCards: readonly HTMLElement[] | null = null;
  const getOthers = () => [...grid.children].filter((element) => !element.matches("[data-good], .sk-good"));

  function arrange(): void {
    if (!pendingCards) return;
    const [packages, ...others] = getOthers();
    const removed = [...grid.querySelectorAll<HTMLElement>("[data-good]")].filter((card) => !pendingCards?.includes(card));
    for (const card of removed) card.remove();
    const first = pendingCards.slice(0, cardsBeforePackages);
    grid.append(...first, ...(packages ? [packages] : []), ...pendingCards.slice(cardsBeforePackages), ...others);
    pendingCards = null;
    onArranged();
  }
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && arrange());

  return (cards) => {
    const currentCards = [...grid.querySelectorAll<HTMLElement>("[data-good]")];
    const firstMovedCard = currentCards.find((card, index) => card !== cards[index]);
    pendingCards = firstMovedCard || currentCards.length !== cards.length ? cards : null;
    const edgeCard = firstMovedCard ?? currentCards.at(-1);
    const edge = firstMovedCard ? firstMovedCard.getBoundingClientRect().top : (edgeCard?.getBoundingClientRect().bottom ?? 0);
    // An empty grid has nothing that could move.
    if (!edgeCard || cards.length === 0 || edge >= innerHeight || document.visibilityState === "hidden") arrange();
  };
}
