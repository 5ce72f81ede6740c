import { type CssNode, type Selector, walk } from "css-tree";
import { tints } from "../../content/picture/tint.ts";
import type { Attributes, Tag } from "../html.ts";

/** Classes and ids, and in lower case elements and attributes. */
export interface Words {
  names: Set<string>;
  words: Set<string>;
  /** Where they stand in the answer to a style sheet, which remembers it here. */
  indexes: Map<unknown, readonly number[]>;
}

export const toWords = (names: Set<string>, words: Set<string>): Words => ({ names, words, indexes: new Map() });

/** Names that a page uses or may use. */
export interface UsedNames {
  names(name: string): boolean;
  words(word: string): boolean;
  /** The same as sets, most of which other pages have too. */
  parts: readonly Words[];
}

/** Pseudo-elements that only these elements have. */
const owners: [part: RegExp, elements: string[]][] = [
  [/^(file-selector-button|-webkit-(date|calendar|search|inner-spin|outer-spin))/, ["input"]],
  [/^placeholder$/, ["input", "textarea"]],
  [/^backdrop$/, ["dialog", "popover"]],
  [/^(details-content|marker)$/, ["details", "summary", "li", "ol", "ul"]],
];

/** Adds the names that decide in `canMatch` whether a selector matches. */
export function collectNames(selector: CssNode, { names, words }: Words): void {
  walk(selector, (node) => {
    if (node.type === "ClassSelector" || node.type === "IdSelector") names.add(toShared(unescapeName(node.name)));
    if (node.type === "TypeSelector") words.add(node.name.toLowerCase());
    if (node.type === "AttributeSelector") words.add(node.name.name.toLowerCase());
    if (node.type === "PseudoElementSelector") for (const element of findOwners(node.name)) words.add(element);
  });
}

const findOwners = (pseudoElement: string) => owners.find(([part]) => part.test(pseudoElement))?.[1] ?? [];

const alternatives = new Set(["is", "where", "has", "matches", "-webkit-any"]);

/** Returns whether a selector can match on a page. Arguments of `:not()` and `:nth-*()` are ignored. */
export function canMatch(selector: Selector, page: UsedNames): boolean {
  return selector.children.toArray().every((node) => partCanMatch(node, page));
}

function partCanMatch(node: CssNode, page: UsedNames): boolean {
  switch (node.type) {
    case "ClassSelector":
    case "IdSelector":
      return page.names(unescapeName(node.name));
    case "TypeSelector":
      return node.name.endsWith("*") || page.words(node.name.toLowerCase());
    case "AttributeSelector":
      return page.words(node.name.name.toLowerCase());
    case "PseudoElementSelector": {
      const elements = findOwners(node.name);
      return elements.length === 0 || elements.some((element) => page.words(element));
    }
    case "PseudoClassSelector": {
      if (!alternatives.has(node.name) || !node.children) return true;
      const lists = node.children.toArray().filter((child) => child.type === "SelectorList");
      const inner = lists.flatMap((list) => list.children.toArray()).filter((child) => child.type === "Selector");
      return inner.length === 0 || inner.some((child) => canMatch(child, page));
    }
    default:
      return true;
  }
}

/** Removes the escapes that css-tree leaves in names: `md\:p-8`, `w-1\/2`, `\31 23`. */
export function unescapeName(name: string): string {
  return name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code: string | undefined, plain: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : plain,
  );
}

/** Begins the classes of the colours behind pictures. A page has all dark ones or none, and so on: a style sheet per set of colours would be one per page. */
const tint = "tint-";
const toShared = (name: string) => (name.startsWith(tint) ? name.slice(0, tint.length + 1) : name);
const allTints = new Set(Object.keys(tints).map((name) => toShared(tint + name)));

// Elements that the parser adds.
const implied = ["html", "head", "body", "tbody", "colgroup"];
/** Attributes with prose or addresses, whose words are no class names. */
const prose = new Set([
  "alt",
  "aria-label",
  "content",
  "d",
  "datetime",
  "href",
  "placeholder",
  "src",
  "srcset",
  "title",
  "value",
]);
/** Data blocks for search engines: the browser never runs them. */
const isCode = ({ name, attributes, text }: Tag) =>
  name === "script" && text && attributes.get("type") !== "application/ld+json";

/** Collects the names of a page: those of its tags, and every string and word of the code that it may run. Pages with the same array of `code` share its names. */
export function collectUsedNames(tags: Tag[], code: readonly string[]): UsedNames {
  const elements = new Set([...implied, ...tags.map(({ name }) => name)]);
  const scripts = tags.filter(isCode).map(({ text }) => scan(text ?? ""));
  const attributes = new Set(tags.map((tag) => tag.attributes));
  const parts = [merge(code), ...scripts, ...Array.from(elements, toElementWords), ...Array.from(attributes, listNames)];
  // Most pages have the styles of one before, and are not asked.
  let all: Words | undefined;
  const join = () => (all ??= joinWords(parts));
  return { names: (name) => join().names.has(toShared(name)), words: (word) => join().words.has(word), parts };
}

const joinWords = (parts: readonly Words[]) =>
  toWords(new Set(parts.flatMap(({ names }) => [...names])), new Set(parts.flatMap(({ words }) => [...words])));

const elementWords = new Map<string, Words>();

function toElementWords(name: string): Words {
  const words = elementWords.get(name) ?? toWords(new Set(), new Set([name]));
  elementWords.set(name, words);
  return words;
}

/** Pages share most attributes. */
const listed = new WeakMap<Attributes, Words>();

function listNames(attributes: Attributes): Words {
  const before = listed.get(attributes);
  if (before) return before;
  const names = new Set<string>();
  for (const [attribute, value] of attributes) {
    if (!value || prose.has(attribute)) continue;
    // Not only `class`: data attributes and props of islands hold class names too.
    for (const name of attribute === "class" ? splitClass(value) : split(value)) names.add(name);
    if (value.includes("--")) for (const [property] of value.matchAll(custom)) names.add(property);
  }
  const words = toWords(names, new Set(attributes.keys()));
  listed.set(attributes, words);
  return words;
}

const separator = /[\s"'`\\]+/;
const split = (text: string) => text.split(separator).map(toShared);

/** The same few hundred stand on all pages. */
const classes = new Map<string, string[]>();

function splitClass(value: string): string[] {
  const names = classes.get(value) ?? split(value);
  classes.set(value, names);
  return names;
}

const custom = /--[\w-]+/g;

const merged = new WeakMap<readonly string[], Words>();
const scanned = new Map<string, Words>();

/** Returns the names of several files of code. */
function merge(code: readonly string[]): Words {
  const cached = merged.get(code);
  if (cached) return cached;
  const result = joinWords(code.map(scan));
  merged.set(code, result);
  return result;
}

/** The shapes of icons in code: `M2 9a3 3 0` is no class `M2`. */
const pathData = /(?<=\bd[:=]["'`])m[^"'`]*/gi;

/** Splits code at quotes and spaces, which finds every class in a string literal. */
function scan(code: string): Words {
  const cached = scanned.get(code);
  if (cached) return cached;
  const names = new Set([
    ...code.replace(pathData, "").split(separator),
    ...Array.from(code.matchAll(custom), ([property]) => property),
  ]);
  if ([...names].some((name) => name.startsWith(tint))) for (const name of allTints) names.add(name);
  const words = new Set<string>();
  for (const [word] of code.matchAll(/[a-z][\w-]*/gi)) words.add(word.toLowerCase());
  for (const [, key = ""] of code.matchAll(/dataset\.(\w+)/g)) {
    words.add(`data-${key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`);
  }
  const result = toWords(names, words);
  scanned.set(code, result);
  return result;
}
