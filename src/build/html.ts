/** Matches where a tag begins. */
const opening = /<([a-z][\w-]*)([^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>/iy;
/** The end tags of elements whose text holds no tags. */
const closing = new Map(["script", "style", "title", "textarea"].map((name) => [name, new RegExp(`</${name}\\s*>`, "gi")]));
const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", "#x27": "'" };

/** An opening tag of a built page. Scripts, styles, titles and text areas include their text. */
export interface Tag {
  name: string;
  attributes: Attributes;
  /** Offset of the opening tag. */
  start: number;
  /** Offset after the closing tag of an element with text, otherwise after the opening tag. */
  end: number;
  text: string | null;
}

/** Returns the tags of a page as Astro and React write it: well-formed, attributes quoted. Skips comments. */
export function findTags(html: string): Tag[] {
  const tags: Tag[] = [];
  let end = 0;
  for (let start = html.indexOf("<"); start >= 0; start = html.indexOf("<", end)) {
    end = start + 1;
    if (html.startsWith("<!--", start)) end = Math.max(end, html.indexOf("-->", start));
    opening.lastIndex = start;
    const [whole, element, source = ""] = opening.exec(html) ?? [];
    if (whole === undefined || element === undefined) continue;
    const name = element.toLowerCase();
    const from = start + whole.length;
    const close = findClosing(html, name, from);
    end = close ? close.index + close[0].length : from;
    tags.push({ name, attributes: getAttributes(source), start, end, text: close && html.slice(from, close.index) });
  }
  return tags;
}

function findClosing(html: string, name: string, from: number): RegExpExecArray | null {
  const close = closing.get(name);
  if (!close) return null;
  close.lastIndex = from;
  return close.exec(html);
}

/** Tags of the last hundreds of pages with the same attributes share them, as most of header and footer do. */
export type Attributes = ReadonlyMap<string, string>;

/** By their source. When the first map is full, it becomes the second, whose entries are given up unless they are asked for again. */
const parsed: [recent: Map<string, Attributes>, older: Map<string, Attributes>] = [new Map(), new Map()];
const mostRecent = 3000;

function getAttributes(part: string): Attributes {
  const [recent, older] = parsed;
  const stored = recent.get(part);
  if (stored) return stored;
  // A part of a text keeps the whole page in memory.
  const source = Buffer.from(part).toString();
  const attributes = older.get(source) ?? parseAttributes(source);
  if (recent.size === mostRecent) parsed.splice(0, 2, new Map(), recent);
  parsed[0].set(source, attributes);
  return attributes;
}

function parseAttributes(source: string): Attributes {
  const attributes = new Map<string, string>();
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
