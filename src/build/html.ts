const inside = `(?:[^>"']|"[^"]*"|'[^']*')*`;
const element = new RegExp(
  `<!--[\\s\\S]*?-->|<(script|style|title|textarea)\\b(${inside})>([\\s\\S]*?)</\\1\\s*>|<([a-z][\\w-]*)(${inside})>`,
  "gi",
);
const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", "#x27": "'" };

/** Returns the tags of a page as Astro and React write it: well-formed, attributes quoted. Skips comments. */
export function findTags(html: string): Tag[] {
  const tags: Tag[] = [];
  for (const match of html.matchAll(element)) {
    const name = match[1] ?? match[4];
    if (!name) continue;
    const source = match[2] ?? match[5] ?? "";
    const text = match[1] ? (match[3] ?? "") : null;
    tags.push(new Tag(name.toLowerCase(), source, match.index, match.index + match[0].length, text));
  }
  return tags;
}

/** An opening tag of a built page. Scripts, styles, titles and text areas include their text. */
export class Tag {
  readonly name: string;
  /** Offset of the opening tag. */
  readonly start: number;
  /** Offset after the closing tag of an element with text, otherwise after the opening tag. */
  readonly end: number;
  readonly text: string | null;
  readonly #source: string;
  #attributes: ReadonlyMap<string, string> | undefined;

  constructor(name: string, source: string, start: number, end: number, text: string | null) {
    this.name = name;
    this.#source = source;
    this.start = start;
    this.end = end;
    this.text = text;
  }

  /** Most are never asked for. */
  get attributes(): ReadonlyMap<string, string> {
    this.#attributes ??= parsed.get(this.#source) ?? parseAttributes(this.#source);
    return this.#attributes;
  }
}

/** Those of the header and the footer are the same on thousands of pages. */
const parsed = new Map<string, ReadonlyMap<string, string>>();
const maxParsed = 5000;

function parseAttributes(part: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const isStored = parsed.size < maxParsed;
  // A part of a text keeps the whole page in memory.
  const source = isStored ? Buffer.from(part).toString() : part;
  if (isStored) parsed.set(source, attributes);
  if (!source) return attributes;
  for (const [, name = "", double, single, bare] of source.matchAll(attribute)) {
    attributes.set(name.toLowerCase(), decode(double ?? single ?? bare ?? ""));
  }
  return attributes;
}

function decode(text: string): string {
  return text.includes("&")
    ? text.replace(/&(#?\w+);/g, (entity, name: string) => entities[name.toLowerCase()] ?? entity)
    : text;
}

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Returns the tags of a page after edits, in no order, without reading again what stays. Null when an edit changes a part of a tag. */
export function editTags(tags: readonly Tag[], edits: readonly Edit[]): Tag[] | null {
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  const result = sorted.flatMap(({ text }) => findTags(text));
  let at = 0;
  for (const tag of tags) {
    while ((sorted[at]?.end ?? tag.end) <= tag.start) at++;
    const edit = sorted[at];
    if (!edit || edit.start >= tag.end) result.push(tag);
    else if (edit.start > tag.start || edit.end < tag.end) return null;
  }
  return result;
}

/** Applies non-overlapping edits. */
export function applyEdits(html: string, edits: Edit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    result += html.slice(at, start) + text;
    at = end;
  }
  return result + html.slice(at);
}
