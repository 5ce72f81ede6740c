import type { CssNode, Selector } from "css-tree";
import type { Tag } from "../html.ts";

/** Names that a page uses or may use: `names` are classes and ids, `words` elements and attributes in lower case. */
export interface UsedNames {
  names(name: string): boolean;
  words(word: string): boolean;
}

/** Pseudo-elements that only these elements have. */
const owners: [part: RegExp, elements: string[]][] = [
  [/^(file-selector-button|-webkit-(date|calendar|search|inner-spin|outer-spin))/, ["input"]],
  [/^placeholder$/, ["input", "textarea"]],
  [/^backdrop$/, ["dialog", "popover"]],
  [/^(details-content|marker)$/, ["details", "summary", "li", "ol", "ul"]],
];

const alternatives = new Set(["is", "where", "has", "matches", "-webkit-any"]);

/** Returns whether a selector can match on a page. Arguments of `:not()` and `:nth-*()` are ignored. */
export function canMatch(selector: Selector, page: UsedNames): boolean {
  return selector.children.toArray().every((node) => partCanMatch(node, page));
}

function partCanMatch(node: CssNode, page: UsedNames): boolean {
  switch (node.type) {
    case "ClassSelector":
    case "IdSelector":
      return page.names(unescaped(node.name));
    case "TypeSelector":
      return node.name.endsWith("*") || page.words(node.name.toLowerCase());
    case "AttributeSelector":
      return page.words(node.name.name.toLowerCase());
    case "PseudoElementSelector": {
      const elements = owners.find(([part]) => part.test(node.name))?.[1];
      return !elements || elements.some((element) => page.words(element));
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
function unescaped(name: string): string {
  return name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code: string | undefined, plain: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : plain,
  );
}

interface Words {
  names: Set<string>;
  words: Set<string>;
  hasTint: boolean;
}

/** Begins the classes of the colours behind pictures. A page has all of them or none: a style sheet per set of colours would be one per page. */
const tint = "tint-";
const hasTint = (names: Set<string>) => [...names].some((name) => name.startsWith(tint));

// Elements that the parser adds.
const implied = ["html", "head", "body", "tbody", "colgroup"];
const scanned = new Map<string, Words>();

/** Collects the names of a page: everything in its tags, and every string and word of the code that it may run. */
export function collectUsedNames(tags: Tag[], code: string[]): UsedNames {
  const names = new Set<string>();
  const words = new Set<string>(implied);
  for (const { name, attributes } of tags) {
    words.add(name);
    for (const [attribute, value] of attributes) {
      words.add(attribute);
      // Not only `class`: data attributes and props of islands hold class names too.
      if (value) for (const token of value.split(separator)) names.add(token);
      for (const [property] of value.matchAll(custom)) names.add(property);
    }
  }
  const inline = tags.flatMap((tag) => (tag.name === "script" && tag.text ? [tag.text] : []));
  const all: Words[] = [{ names, words, hasTint: hasTint(names) }, ...[...inline, ...code].map(scan)];
  return {
    names: (name) => all.some((part) => (name.startsWith(tint) ? part.hasTint : part.names.has(name))),
    words: (word) => all.some((part) => part.words.has(word)),
  };
}

const separator = /[\s"'`\\]+/;
const custom = /--[\w-]+/g;

/** Splits code at quotes and spaces, which finds every class in a string literal. */
function scan(code: string): Words {
  const cached = scanned.get(code);
  if (cached) return cached;
  const names = new Set([...code.split(separator), ...Array.from(code.matchAll(custom), ([property]) => property)]);
  const words = new Set<string>();
  for (const [word] of code.matchAll(/[a-z][\w-]*/gi)) words.add(word.toLowerCase());
  for (const [, key = ""] of code.matchAll(/dataset\.(\w+)/g)) {
    words.add(`data-${key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`);
  }
  const result = { names, words, hasTint: hasTint(names) };
  scanned.set(code, result);
  return result;
}
