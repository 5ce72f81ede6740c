import { isComposition } from "#src/lib/composition.ts";
import { searchGroups } from "#src/lib/search.ts";
import { drawGroup, drawNothing, drawRow, find } from "./draw-results.ts";
import { type Found, IndexFiles } from "./index-files.ts";

/** Milliseconds without a key after which a search begins. */
const typingPause = 120;
/** Milliseconds after which a search that is not done yet says so. */
const patience = 250;
/** Results of a group at first, and with each press of its button. */
const firstResults = 5;
const moreResults = 20;
/** With fewer results, the ways from the search stand below them. */
const fewResults = 3;

/** The texts of the page, as `Search.astro` passes them on. */
type Texts = Record<"one" | "many" | "none" | "inText" | "over" | "more" | "loading" | "hint" | "offline" | "server", string>;

/** Searches for what the page's field has, unless a word `isComposing` there from its sounds, and draws the results below it. */
export function openSearch(root: HTMLElement, isComposing = false): void {
  const t: Texts = JSON.parse(root.dataset.texts ?? "{}");
  const field = find(root, "input", HTMLInputElement);
  let results = find(root, "[data-results]", HTMLElement);
  const index = new IndexFiles(document.documentElement.lang);
  let query = "";
  let hasFailed = false;
  let limits: number[] = [];
  let drawings = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const getLinks = () => [...results.querySelectorAll("a")];

  function show(text: string, { hasWays = false, count = -1, reason = "" } = {}): void {
    const ways = find(root, "[data-ways]", HTMLElement);
    const or = find(root, "[data-or]", HTMLElement);
    find(root, "[data-status]", HTMLElement).textContent = text;
    ways.hidden = !hasWays;
    or.hidden = count < 0;
    // What was found is larger than the ways on.
    ways.toggleAttribute("data-small", count > 0);
    results.toggleAttribute("data-few", hasWays && count > 0);
    or.textContent = (count > 0 ? or.dataset.also : or.dataset.or) ?? "";
    find(root, "[data-failed]", HTMLElement).hidden = !reason;
    find(root, "[data-reason]", HTMLElement).textContent = reason;
    if (count === 0) results.append(drawNothing(root, text, query, tryAgain));
    // A new element below the panel or the results does not move.
    if (hasWays && count >= 0) ways.replaceWith(ways.cloneNode(true));
  }

  function tryAgain(): void {
    field.focus();
    field.select();
  }

  /** Searches for the field's text. Back and a reload find it in the address. */
  function searchNow(): void {
    clearTimeout(timer);
    const typed = field.value.trim();
    // The same words are tried again after a failure.
    if (typed === query && !hasFailed) return;
    query = typed;
    limits = searchGroups.map(() => firstResults);
    history.replaceState(history.state, "", location.pathname + (query && `?${new URLSearchParams({ q: query })}`));
    void draw();
  }

  /** Draws what the query finds; every element is new, their box too, so that none moves. Returns false when a later drawing has overtaken it, or it failed. */
  async function draw(): Promise<boolean> {
    const own = ++drawings;
    const waiting = setTimeout(() => own === drawings && show(t.loading), patience);
    const found = query ? await index.find(query, limits).catch(() => null) : [];
    clearTimeout(waiting);
    if (own !== drawings) return false;
    const focused = getLinks().findIndex((link) => link.matches(":focus"));
    const box = document.importNode(results);
    box.append(...(found ?? []).flatMap((group, at) => (group.count > 0 ? toSection(group, at) : [])));
    results.replaceWith(box);
    results = box;
    if (focused >= 0) (getLinks()[focused] ?? field).focus();
    hasFailed = !found;
    const count = found?.reduce((total, group) => total + group.count, 0) ?? 0;
    if (!found) {
      show("", { reason: navigator.onLine ? t.server : t.offline });
      return false;
    }
    if (!query) show(t.hint, { hasWays: true });
    else if (count > 1) show(t.many.replace("{count}", String(count)), { hasWays: count < fewResults, count });
    else show(count === 1 ? t.one : t.none.replace("{query}", () => query), { hasWays: true, count });
    return true;
  }

  function toSection(found: Found, at: number): Node {
    const shown = found.results.length;
    const group = searchGroups[at] ?? "page";
    const showMore = async () => {
      limits = limits.map((limit, index) => (index === at ? shown + moreResults : limit));
      // The first new result takes the focus that the button had.
      if (await draw()) results.querySelectorAll<HTMLElement>(`[data-found="${group}"] a`)[shown]?.focus();
    };
    const rows = found.results.map((result) => drawRow(root, result, query, t));
    return drawGroup(root, group, rows, {
      count: found.count,
      more: t.more.replace("{count}", String(Math.min(found.count - shown, moreResults))),
      showMore,
    });
  }

  function move(event: KeyboardEvent): void {
    if (isComposition(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const stops: (Element | undefined)[] = [field, ...getLinks()];
    const at = stops.indexOf(document.activeElement ?? undefined);
    if (at < 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const target = event.key === "Escape" ? field : step && stops[at + step];
    if (!(target instanceof HTMLElement)) return;
    event.preventDefault();
    if (event.key === "Escape" && at === 0) field.value = "";
    target.focus();
    searchNow();
  }

  field.addEventListener("input", (event) => {
    clearTimeout(timer);
    // A word that is being composed is no query yet.
    if (!(event instanceof InputEvent && event.isComposing)) timer = setTimeout(searchNow, typingPause);
  });
  field.addEventListener("compositionend", searchNow);
  find(root, "form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    searchNow();
  });
  find(root, "[data-retry]", HTMLElement).addEventListener("click", () => {
    field.focus();
    searchNow();
  });
  root.addEventListener("keydown", move);
  // Typed before this script was here, or in the address.
  field.value ||= new URLSearchParams(location.search).get("q")?.slice(0, field.maxLength) ?? "";
  index.prepare();
  if (!isComposing) searchNow();
}
