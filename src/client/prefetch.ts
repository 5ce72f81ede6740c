import { notAhead } from "./prefetch-rules.ts";

/** So many pages are on their way at once; the rule of the specification. */
const most = 4;
/** Milliseconds a pointer rests on a link before it means it. */
const rest = 80;

/** For browsers without speculation rules: a page is fetched ahead when its link is pointed at, touched or focused. */
export function prefetchOnIntent(): void {
  const asked = new Set<string>([location.pathname + location.search]);
  let under = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function fetchAhead(link: HTMLAnchorElement): void {
    const page = link.pathname + link.search;
    if (under >= most || asked.has(page)) return;
    asked.add(page);
    under += 1;
    const hint = document.createElement("link");
    hint.rel = "prefetch";
    hint.href = page;
    hint.onload = hint.onerror = () => {
      under -= 1;
    };
    document.head.append(hint);
  }

  function intend({ target, type }: Event): void {
    clearTimeout(timer);
    const link = target instanceof Element ? target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.matches(notAhead)) return;
    if (type === "pointerover") timer = setTimeout(fetchAhead, rest, link);
    else fetchAhead(link);
  }
  for (const type of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(type, intend, { passive: true });
}
