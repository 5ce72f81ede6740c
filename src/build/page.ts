import type { Chunks } from "./chunks.ts";
import { findForbidden, type Origins, toPolicy } from "./content-security-policy.ts";
import { applyEdits, type Edit, editTags, findTags, type Tag } from "./html.ts";
import { islandEdits, type Shared, shareIslandScript } from "./islands.ts";
import { purge } from "./purge/purge.ts";
import { collectUsedNames } from "./purge/selectors.ts";
import { deferModules, scriptEdits } from "./scripts.ts";
import { findGraphFaults } from "./structured-data.ts";

export interface ProcessedPage {
  html: string;
  policy: string;
  /** A script file that it shares with other pages. */
  shared: Shared | null;
  /** Characters of inline styles, before and after. */
  css: { before: number; after: number };
}

/** The style sheets of a build, by address. */
export type Sheets = ReadonlyMap<string, string>;

/** Finishes a built page: puts the styles it uses into it, adds preloads of islands, and its content security policy. Throws when the policy cannot allow the page. */
export function processPage(html: string, chunks: Chunks, origins: Origins, sheets: Sheets = new Map()): ProcessedPage {
  const tags = findTags(html);
  const fault = findForbidden(tags);
  if (fault) throw new Error(`the policy forbids ${fault.slice(0, 200)}`);
  for (const { name, attributes, text } of tags) {
    if (name !== "script" || attributes.get("type") !== "application/ld+json") continue;
    const [first] = findGraphFaults(text ?? "");
    if (first) throw new Error(`structured data: ${first}`);
  }
  const urls = [...new Set(Array.from(html.matchAll(/\/_astro\/[\w.@~-]+\.js/g), ([url]) => url))].sort();
  const code = chunks.reachable(urls);
  const { edits, css } = purgeStyles(tags, code, sheets);
  const { shared, moved, recorder } = shareIslandScript(tags);
  const own = tags.filter(({ start }) => !moved.some((edit) => edit.start === start));
  const inline = [...edits, ...moved, ...scriptEdits(own, recorder)];
  const others = [...deferModules(own), ...islandEdits(html, tags, chunks), ...removeRepeatedPosters(html, tags)];
  // The policy names what stands in the page, and nothing that the other edits change.
  const policy = toPolicy(editTags(tags, inline), origins);
  const charset =
    tags.find(({ name, attributes }) => name === "meta" && attributes.has("charset")) ??
    tags.find(({ name }) => name === "head");
  const meta = `<meta http-equiv="content-security-policy" content="${policy}">`;
  // First in the head, so that it covers everything after it.
  const first = charset ? [{ start: charset.end, end: charset.end, text: meta }] : [];
  return { html: applyEdits(html, [...first, ...inline, ...others]), policy, shared, css };
}

/** Returns the Chinese page without prefix of the one under `/zh-CN`; null where more than its links has the prefix. */
export function removePrefix(html: string): string | null {
  const other = html.replace(/( (?:href|action)=")\/zh-CN(?:\/|(?=["?#]))/g, "$1/");
  return /\/zh-CN(?![\w.-])/.test(other) ? null : other;
}

/** Returns whether the JSON of a shop's texts has an address under `/zh-CN`, which `removePrefix` would change; that of the site itself, which pages make a path, is one. Ids such as `"terms/zh-CN"` are none. */
export const namesPrefix = (json: string): boolean => /(?<!"[\w-]+)\/zh-CN(?![\w.-])/.test(json);

const joined = new WeakMap<Sheets, Map<string, string>>();

/** Joins style sheets. Pages with the same ones have one string, which is found among thousands without being read. */
function joinSheets(sheets: Sheets, found: readonly { css: string; key: string }[]): string {
  const all = joined.get(sheets) ?? new Map<string, string>();
  joined.set(sheets, all);
  const key = found.map((sheet) => sheet.key).join("\n");
  const text = all.get(key) ?? found.map(({ css }) => css).join("\n");
  all.set(key, text);
  return text;
}

/** Merges all style sheets into one: they use each other's names, and each would cost a hash. */
function purgeStyles(tags: Tag[], code: readonly string[], sheets: Sheets): { edits: Edit[]; css: ProcessedPage["css"] } {
  const found = tags.flatMap((tag) => {
    const { name, attributes } = tag;
    if (name === "style" && attributes.size === 0) return [{ tag, css: tag.text ?? "" }];
    const linked = name === "link" && attributes.get("rel") === "stylesheet" ? attributes.get("href") : undefined;
    const css = sheets.get(linked ?? "");
    if (linked !== undefined && css === undefined) throw new Error(`the style sheet ${linked} is not in the build`);
    return css === undefined ? [] : [{ tag, css }];
  });
  const before = joinSheets(
    sheets,
    found.map(({ tag, css }) => ({ css, key: tag.attributes.get("href") ?? css })),
  );
  const after = before && purge(before, collectUsedNames(tags, code));
  const edits = found.map(({ tag: { start, end } }, index) => ({
    start,
    end,
    text: index === 0 && after ? `<style>${after}</style>` : "",
  }));
  return { edits, css: { before: before.length, after: after.length } };
}

/** Leaves `data-transition` on the first of several equal posters: the browser skips a view transition with a repeated name. */
function removeRepeatedPosters(html: string, tags: Tag[]): Edit[] {
  const names = new Set<string>();
  const isRepeated = (name: string) => names.size === names.add(name).size;
  return tags
    .filter(({ name, attributes }) => name === "img" && attributes.has("data-transition"))
    .filter(({ attributes }) => isRepeated(attributes.get("data-transition") ?? ""))
    .map(({ start, end }) => ({ start, end, text: html.slice(start, end).replace(/ data-transition="[^"]*"/, "") }));
}
