const beforePasses = 5;

/**
 * Brings cards into their order without moving anything under the reader's eyes: at once where the first that would move is
 * below the view, else when the page is left for a while. The passes keep their place among them.
 */
export function arrangeWhenUnseen(shelf: HTMLElement, onArranged: () => void): (cards: readonly HTMLElement[]) => void {
  let waiting: readonly HTMLElement[] | null = null;
  const rest = () => [...shelf.children].filter((one) => !one.matches("[data-good], .sk-good"));

  function arrange(): void {
    if (!waiting) return;
    const [passes, ...others] = rest();
    const gone = [...shelf.querySelectorAll<HTMLElement>("[data-good]")].filter((card) => !waiting?.includes(card));
    for (const card of gone) card.remove();
    const first = waiting.slice(0, beforePasses);
    shelf.append(...first, ...(passes ? [passes] : []), ...waiting.slice(beforePasses), ...others);
    waiting = null;
    onArranged();
  }
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && arrange());

  return (cards) => {
    const now = [...shelf.querySelectorAll<HTMLElement>("[data-good]")];
    const moved = now.find((card, place) => card !== cards[place]);
    waiting = moved || now.length !== cards.length ? cards : null;
    const at = moved ?? now.at(-1);
    const edge = moved ? moved.getBoundingClientRect().top : (at?.getBoundingClientRect().bottom ?? 0);
    // Where nothing is left, nothing can move.
    if (!at || cards.length === 0 || edge >= innerHeight || document.visibilityState === "hidden") arrange();
  };
}
