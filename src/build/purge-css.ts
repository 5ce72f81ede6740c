// Reduces style sheets to the rules that the pages of a route can use.

import { PurgeCSS } from "purgecss";
import { tints } from "#src/content/picture/tint.ts";
import type { Tag } from "./html.ts";

/** Attributes with prose or URLs, whose words are not class names. */
const prose = new Set("alt aria-label content d datetime href placeholder src srcset title value".split(" "));
/** Paths of icons in code: the `M2` of `M2 9a3 3 0` is not a class. */
const pathData = /(?<=\bd[:=]["'`])m[^"'`]*/gi;
const split = (text: string) => text.split(/[\s"'`\\]+/).filter(Boolean);

/** Names of tags, attributes, classes and ids that the pages of a route use or may use. */
export class UsedNames {
  readonly #tags = new Set<string>(["html", "head", "body"]);
  readonly #attributes = new Set<string>();
  /** Classes, ids, and all words that may be one. */
  readonly #words = new Set<string>();
  readonly #code = new Set<string>();

  /** Adds the names of a page's tags and inline scripts. */
  addTags(tags: readonly Tag[]): void {
    for (const { name, attributes, text } of tags) {
      this.#tags.add(name);
      for (const [attribute, value] of attributes) {
        this.#attributes.add(attribute);
        // Not only of `class`: data attributes and props of islands contain class names too.
        if (!prose.has(attribute)) for (const word of split(value)) this.#words.add(word);
      }
      if (name === "script" && text && attributes.get("type") !== "application/ld+json") this.addCode(text);
    }
  }

  /** Adds all words of code that a page may run. */
  addCode(code: string): void {
    if (this.#code.has(code)) return;
    this.#code.add(code);
    for (const word of split(code.replace(pathData, ""))) this.#words.add(word);
    for (const [word] of code.matchAll(/[a-z][\w-]*/gi)) this.#attributes.add(word.toLowerCase());
    for (const [, key = ""] of code.matchAll(/dataset\.(\w+)/g))
      this.#attributes.add(`data-${key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`);
  }

  /** Reduces a style sheet to what the pages can use: matching rules, and the custom properties and keyframes that they reference. Keeps all `@font-face` rules: custom properties name the fonts, and PurgeCSS does not read those. */
  async purge(css: string): Promise<string> {
    const words = [...this.#words, ...listTints(this.#words)];
    const tags = [...this.#tags, ...this.#attributes];
    const names = { attributes: { names: [], values: [] }, classes: words, ids: words, tags, undetermined: [] };
    const [result] = await new PurgeCSS().purge({
      content: [{ raw: "", extension: "names" }],
      extractors: [{ extensions: ["names"], extractor: () => names }],
      css: [{ raw: css }],
      // Keeps rules for any value of these attributes, because scripts set values that are not in the pages.
      dynamicAttributes: [...this.#attributes],
      // A selector of pseudo-classes alone, as in `:where(:has(.seat))`, matches any element.
      safelist: { standard: [/^:/], variables: [...this.#words].flatMap((word) => word.match(/--[\w-]+/g) ?? []) },
      variables: true,
      keyframes: true,
    });
    return removeUnusedRegistrations(result?.css ?? "");
  }
}

/** Removes the registrations of custom properties that no rule reads, which PurgeCSS keeps. */
function removeUnusedRegistrations(css: string): string {
  return css.replace(/@property (--[\w-]+)\s*\{[^}]*\}/g, (rule, name) => (css.includes(`var(${name}`) ? rule : ""));
}

/** Returns all tints of each lightness in use (the letter after `tint-`: dark, middle, light, grey), because their names are composed at run time. */
function listTints(words: ReadonlySet<string>): string[] {
  const all = Object.keys(tints).map((name) => `tint-${name}`);
  const used = [...words].filter((word) => word.startsWith("tint-")).map((word) => word.slice(0, "tint-".length + 1));
  return all.filter((name) => used.some((start) => name.startsWith(start)));
}
