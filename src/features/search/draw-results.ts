import { findMatches, type SearchGroup, type SearchResult } from "#src/lib/search.ts";

/** Returns the first element that matches. Throws without one: page and script are of one build. */
export function find<Type extends Element>(parent: ParentNode, selector: string, type: new () => Type): Type {
  const element = parent.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page has no ${selector}`);
  return element;
}

const copyTemplate = (root: ParentNode, selector: string) =>
  document.importNode(find(root, `template${selector}`, HTMLTemplateElement).content, true);

/** Draws a group of results from its template: heading, count and rows, and a button that `showMore` belongs to while there are others. */
export function drawGroup(
  root: HTMLElement,
  group: SearchGroup,
  rows: readonly Node[],
  { count, more, showMore }: { count: number; more: string; showMore: () => void },
): Node {
  const section = copyTemplate(root, `[data-group="${group}"]`);
  find(section, "[data-count]", HTMLElement).textContent = String(count);
  find(section, "ol", HTMLElement).append(...rows);
  const button = find(section, "[data-more]", HTMLButtonElement);
  button.hidden = rows.length >= count;
  button.textContent = more;
  button.onclick = showMore;
  return section;
}

/** Draws a result from its template, with marks around what the query found. Tags say that it stands further down in the text, and that a show is over. */
export function drawRow(root: HTMLElement, result: SearchResult, query: string, t: { inText: string; over: string }): Node {
  const row = copyTemplate(root, "[data-row]");
  const { lang } = result;
  const link = find(row, "[data-title]", HTMLAnchorElement);
  link.href = `${root.dataset.prefix ?? ""}${result.path}`;
  for (const field of ["label", "title", "facts", "summary"] as const) {
    const element = find(row, `[data-${field}]`, HTMLElement);
    element.hidden = !result[field];
    if (lang) element.lang = lang;
    element.append(...markMatches(result[field], query));
  }
  const date = find(row, "[data-date]", HTMLElement);
  const [year = "", month, day] = result.date.split(".");
  date.hidden = !day;
  if (day) {
    date.append(`${month}.${day}`);
    const midnight = new Date(Number(year), Number(month) - 1, Number(day));
    find(row, "[data-heard]", HTMLElement).textContent = midnight.toLocaleDateString(document.documentElement.lang, {
      dateStyle: "long",
    });
  }
  find(row, "[data-year]", HTMLElement).textContent = year;
  const picture = find(row, "[data-picture]", HTMLImageElement);
  picture.hidden = !result.picture;
  if (result.picture) picture.src = result.picture;
  const tags = find(row, "p", HTMLElement);
  if (lang) tags.append(drawTag(root, lang === "zh-CN" ? "中文" : "English", lang));
  if (!row.querySelector("mark")) tags.append(drawTag(root, t.inText));
  if (Date.parse(result.ends) < Date.now()) tags.append(drawTag(root, t.over));
  return row;
}

/** Draws that nothing was found: a closed door, a button that `tryAgain` belongs to, and the same query in the other language. */
export function drawNothing(root: HTMLElement, text: string, query: string, tryAgain: () => void): Node {
  const panel = copyTemplate(root, "[data-nothing]");
  find(panel, "h2", HTMLElement).textContent = text;
  const again = find(panel, "[data-again]", HTMLButtonElement);
  const other = find(panel, "[data-other]", HTMLAnchorElement);
  again.onclick = tryAgain;
  other.search = `?${new URLSearchParams({ q: query })}`;
  const isChinese = /\p{Script=Han}/u.test(query);
  // Words in the other language are looked up there first; digits have none.
  if (other.hreflang === "zh-CN" ? isChinese : !isChinese && /[a-z]/i.test(query)) {
    again.before(other);
    other.classList.remove("outline");
    again.classList.add("outline");
  }
  return panel;
}

function drawTag(root: HTMLElement, text: string, lang?: string): Node {
  const tag = copyTemplate(root, "[data-tag]");
  const span = find(tag, "span", HTMLElement);
  span.textContent = text;
  if (lang) span.lang = lang;
  return tag;
}

/** Returns a text as nodes, what the query found in `mark` elements. */
function markMatches(text: string, query: string): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let at = 0;
  for (const [start, end] of findMatches(text, query)) {
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, end);
    nodes.push(text.slice(at, start), mark);
    at = end;
  }
  return [...nodes, text.slice(at)];
}
