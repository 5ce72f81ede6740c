import { getAttribute, type HtmlElement } from "./html-tree.ts";

// What a text may hold: code in it could read a member's session, and names or styles of the site's own could imitate its pages.

const toSet = (names: string) => new Set(names.split(" "));

const everywhere = toSet("aria-label dir lang title translate");
const media = "src controls height loop muted playsinline poster preload width";

/** The elements of a text, with their attributes beside those that every element may have. */
const elements: Record<string, ReadonlySet<string>> = {
  ...Object.fromEntries(
    [
      "abbr b bdi bdo br caption center cite code dd dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i kbd",
      "mark p picture pre q rp rt ruby s samp section small span strike strong sub summary sup tbody tfoot thead tr u ul var wbr",
    ].flatMap((names) => names.split(" ").map((name) => [name, toSet("")])),
  ),
  a: toSet("href hreflang rel target"),
  audio: toSet(media),
  blockquote: toSet("cite"),
  col: toSet("span"),
  colgroup: toSet("span"),
  del: toSet("cite datetime"),
  details: toSet("open"),
  img: toSet("alt decoding height loading sizes src srcset width"),
  // Of a list of tasks, as Markdown writes it.
  input: toSet("checked disabled type"),
  ins: toSet("cite datetime"),
  li: toSet("value"),
  ol: toSet("reversed start type"),
  source: toSet("height media sizes src srcset type width"),
  table: toSet(""),
  td: toSet("abbr align colspan headers rowspan"),
  th: toSet("abbr align colspan headers rowspan scope"),
  time: toSet("datetime"),
  track: toSet("default kind label src srclang"),
  video: toSet(media),
};

/** Attributes that Markdown itself writes, with their values. */
const generated: readonly (readonly [elements: RegExp, attribute: string, values: RegExp])[] = [
  [/^h[1-6]$/, "id", /./],
  [/^(a|li)$/, "id", /^user-content-fn/],
  [
    /^(h2|section|a|ul|li|code)$/,
    "class",
    /^(sr-only|footnotes|data-footnote-backref|contains-task-list|task-list-item|language-.+)$/,
  ],
  [/^a$/, "aria-describedby", /^footnote-label$/],
  [/^(a|section)$/, "data-footnote-ref", /^$/],
  [/^(a|section)$/, "data-footnote-backref", /^$/],
  [/^section$/, "data-footnotes", /^$/],
];

/** Returns what is wrong with an element of a text, each as a sentence. */
export function findElementFaults(element: HtmlElement): string[] {
  const { tagName, attrs } = element;
  const allowed = Object.hasOwn(elements, tagName) ? elements[tagName] : undefined;
  if (!allowed || (tagName === "input" && getAttribute(element, "type") !== "checkbox"))
    return [`<${tagName}> has no place in a text: a link takes its place, such as: [watch it](https://example.com)`];
  return attrs.flatMap(({ name, value }) => {
    const isAllowed = allowed.has(name) || everywhere.has(name) || isGenerated(tagName, name, value);
    if (!isAllowed) return [`${name} of <${tagName}> has no place in a text`];
    return /^(cite|href|poster|src)$/.test(name) ? findUrlFaults(value) : [];
  });
}

const isGenerated = (tagName: string, name: string, value: string) =>
  generated.some(([elements, attribute, values]) => attribute === name && elements.test(tagName) && values.test(value));

const scheme = /^(javascript|vbscript|data(?!:image\/)):/i;

/** Browsers ignore control characters and blanks in the scheme of an address. */
export function findUrlFaults(url: string): string[] {
  const name = scheme.exec(url.replace(/[\p{Cc}\s]/gu, ""))?.[1];
  return name ? [`an address that begins with ${name.toLowerCase()}: has no place in a text`] : [];
}
