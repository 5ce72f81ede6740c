/** Matches where a tag begins. */
const opening = /<([a-z][\w-]*)[^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>/iy;
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
    // Half of all are end tags.
    if (html[end] === "/") continue;
    if (html.startsWith("!--", end)) {
      end = Math.max(end, html.indexOf("-->", end));
      continue;
    }
    const tag = readOpening(html, start);
    if (!tag) continue;
    const { name, attributes, length } = tag;
    const from = start + length;
    const close = findClosing(html, name, from);
    end = close ? close.index + close[0].length : from;
    tags.push({ name, attributes, start, end, text: close && html.slice(from, close.index) });
  }
  return tags;
}

function findClosing(html: string, name: string, from: number): RegExpExecArray | null {
  const close = closing.get(name);
  if (!close) return null;
  close.lastIndex = from;
  return close.exec(html);
}

/** Equal tags of the last hundreds of pages share them, as most of header and footer do. */
export type Attributes = ReadonlyMap<string, string>;

interface Opening {
  name: string;
  attributes: Attributes;
  /** In characters. */
  length: number;
}

/** By their source. When the first map is full, it becomes the second, whose entries are given up unless they are asked for again. */
const openings: [recent: Map<string, Opening>, older: Map<string, Opening>] = [new Map(), new Map()];
const mostRecent = 3000;

/** Reads the opening tag at an offset; null where there is none. */
function readOpening(html: string, start: number): Opening | null {
  const [recent, older] = openings;
  // Most have been read before, and have no ">" inside.
  const stored = recent.get(html.slice(start, html.indexOf(">", start) + 1));
  if (stored) return stored;
  opening.lastIndex = start;
  const [whole, name] = opening.exec(html) ?? [];
  if (whole === undefined || name === undefined) return null;
  // A part of a text keeps the whole page in memory.
  const source = Buffer.from(whole).toString();
  const read = recent.get(source) ?? older.get(source) ?? parseOpening(source, name);
  if (recent.size >= mostRecent) openings.splice(0, 2, new Map(), recent);
  openings[0].set(source, read);
  return read;
}

const parseOpening = (source: string, name: string): Opening => ({
  name: name.toLowerCase(),
  attributes: parseAttributes(source.slice(1 + name.length, -1)),
  length: source.length,
});

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

/** Returns the tags of a page after edits, in no order, without reading again what stays. Throws when an edit changes a part of a tag. */
export function editTags(tags: readonly Tag[], edits: readonly Edit[]): Tag[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  const result = sorted.flatMap(({ text }) => findTags(text));
  let at = 0;
  for (const tag of tags) {
    while ((sorted[at]?.end ?? tag.end) <= tag.start) at++;
    const edit = sorted[at];
    if (!edit || edit.start >= tag.end) result.push(tag);
    else if (edit.start > tag.start || edit.end < tag.end) throw new Error(`an edit changes a part of <${tag.name}>`);
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
