import type { Tag } from "../html.ts";
import type { UsedNames } from "./selectors.ts";

interface Words {
  names: Set<string>;
  words: Set<string>;
}

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
  const all: Words[] = [{ names, words }, ...[...inline, ...code].map(scan)];
  return {
    names: (name) => all.some((part) => part.names.has(name)),
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
  const result = { names, words };
  scanned.set(code, result);
  return result;
}
