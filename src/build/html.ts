// Finds tags in built HTML with parse5, and applies edits by source offset.

import { type DefaultTreeAdapterTypes, parse } from "parse5";

/** An opening tag of a built page. That of a script, style, title or text area comes with the element's text. */
export interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Offset of the opening tag. */
  start: number;
  /** Offset after the closing tag of an element with text, otherwise after the opening tag. */
  end: number;
  text: string | null;
  /** Source range of each attribute. */
  ranges: Readonly<Record<string, { startOffset: number; endOffset: number }>>;
}

const withText = new Set(["script", "style", "title", "textarea"]);

/** Parses a page as browsers do, and returns its tags in source order. */
export function findTags(html: string): Tag[] {
  const tags: Tag[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("tagName" in node) {
      const location = node.sourceCodeLocation;
      // Elements that the parser inserts have no location.
      if (location?.startTag) {
        const { tagName: name } = node;
        const attributes = new Map(node.attrs.map((attribute) => [attribute.name.toLowerCase(), attribute.value]));
        const hasText = withText.has(name) && location.endTag;
        const text = hasText ? html.slice(location.startTag.endOffset, location.endTag?.startOffset) : null;
        const end = hasText ? location.endOffset : location.startTag.endOffset;
        tags.push({ name, attributes, start: location.startOffset, end, text, ranges: location.attrs ?? {} });
      }
    }
    if ("content" in node) visit(node.content);
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }));
  return tags.sort((a, b) => a.start - b.start);
}

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies non-overlapping edits. */
export function applyEdits(html: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    result += html.slice(at, start) + text;
    at = end;
  }
  return result + html.slice(at);
}
