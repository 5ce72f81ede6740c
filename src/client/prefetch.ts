/** Selector of links whose pages are not prefetched. */
const notPrefetched = "[download],[data-locale],[data-kind],[href*='.']";

/** Speculation rules: the browser prefetches pages on intent, two at a time at most, unless `data-thrifty` marks a visitor who saves data. */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          { selector_matches: "html:not([data-thrifty]) a" },
          { not: { selector_matches: notPrefetched } },
        ],
      },
      eagerness: "moderate",
    },
  ],
});

/** Concurrent prefetches, as the specification requires. */
const maxInFlight = 4;
/** Milliseconds of hovering that count as intent. */
const hoverDelay = 80;

/** Prefetches a page when its link is hovered, touched or focused, in browsers without speculation rules. */
export function prefetchOnIntent(): void {
  const requested = new Set<string>([location.pathname + location.search]);
  let inFlight = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function prefetchPage(link: HTMLAnchorElement): void {
    const page = link.pathname + link.search;
    if (inFlight >= maxInFlight || requested.has(page)) return;
    requested.add(page);
    inFlight += 1;
    const hint = document.createElement("link");
    hint.rel = "prefetch";
    hint.href = page;
    hint.onload = hint.onerror = () => {
      inFlight -= 1;
    };
    document.head.append(hint);
  }

  function onIntent({ target, type }: Event): void {
    clearTimeout(timer);
    const link = target instanceof Element ? target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.matches(notPrefetched)) return;
    if (type === "pointerover") timer = setTimeout(prefetchPage, hoverDelay, link);
    else prefetchPage(link);
  }
  for (const type of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(type, onIntent, { passive: true });
}
