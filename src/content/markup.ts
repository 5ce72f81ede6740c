import type { Definition, Image, Nodes } from "mdast";
import type { Locale } from "#i18n/locale.ts";
import { findElementFaults, findUrlFaults } from "./element-rules.ts";
import { deepest, getAttribute, type HtmlElement, HtmlLimitError, listElements, parseHtml, tooDeep } from "./html-tree.ts";
import { parseTree, renderTree } from "./markdown.ts";
import { findCutAddress, findStrayMarks, type Remark } from "./stray-marks.ts";

/** Characters of a text; the time that a parser needs for odd ones grows with the square. */
const maxCharacters = 100_000;
/** Lists and quotations within one another, and columns of a table. */
const deepestList = 50;
const maxColumns = 50;
/** Signs of bold and italic text in one paragraph. */
const maxMarks = 500;

/** A picture of a Markdown text, or the address of one that stands apart. */
export interface MarkdownPicture {
  line: number;
  /** Its address is the one that the HTML gets. */
  node: Image | Definition;
}

interface Address {
  line: number;
  url: string;
}

/** What the checks of a shop need of a Markdown text. */
export interface Markdown {
  /** Elements, attributes and addresses that have no place in a page. Code blocks may hold anything. */
  faults: Remark[];
  /** What the page shows as it is typed, though it looks like Markdown. */
  advice: Remark[];
  links: Address[];
  pictures: MarkdownPicture[];
  /** Of `<img>`, whose address stays as it is. */
  htmlPictures: Address[];
  /** Renders a text without faults. */
  render: () => string;
}

/** Parses a Markdown text once for all checks, and the HTML that it becomes. */
export function parseMarkup(markdown: string, locale: Locale): Markdown {
  const faults = findSizeFaults(markdown);
  const result: Markdown = { faults, advice: [], links: [], pictures: [], htmlPictures: [], render: () => "" };
  if (faults.length > 0) return result;
  const tree = parseTree(markdown);
  result.render = () => renderTree(tree, locale);
  const html = readNodes(tree, markdown, result);
  // Renderers go down by recursion.
  if (!faults.some(({ message }) => message === tooDeep)) readHtml(result.render(), html, result);
  faults.sort((a, b) => a.line - b.line);
  return result;
}

function findSizeFaults(markdown: string): Remark[] {
  if (markdown.length > maxCharacters)
    return [{ line: 1, message: `the text has ${markdown.length} characters: it has ${maxCharacters} at most, so divide it` }];
  let marks = 0;
  return markdown.split("\n").flatMap((text, index) => {
    marks = text.trim() === "" ? 0 : marks + (text.match(/[*_~]+/g)?.length ?? 0);
    if (marks > maxMarks) {
      marks = Number.NEGATIVE_INFINITY;
      return [{ line: index + 1, message: `a paragraph has ${maxMarks} signs of bold and italic text at most: divide it` }];
    }
    const [markers = ""] = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)]))*/.exec(text) ?? [];
    const depth = markers.match(/[>*+-]|\d+/g)?.length ?? 0;
    // A line of dashes or asterisks alone is a rule.
    if (depth > deepestList && markers.length < text.trimEnd().length)
      return [{ line: index + 1, message: `lists and quotations are nested ${depth} deep: ${deepestList} at most` }];
    if (text.split("|").length - 2 > maxColumns)
      return [{ line: index + 1, message: `a table has ${maxColumns} columns at most` }];
    return [];
  });
}

/** Raw HTML of a text. */
interface RawHtml {
  value: string;
  line: number;
}

/** Reads the links and pictures that Markdown writes. Returns the raw HTML in the order of the page, which has footnotes at its end. */
function readNodes(root: Nodes, markdown: string, result: Markdown): RawHtml[] {
  const html: RawHtml[] = [];
  const footnotes: RawHtml[] = [];
  const definitions: Definition[] = [];
  const shown = new Set<string>();
  // Without recursion: emphasis may be nested as deep as the text is long.
  const waiting: { node: Nodes; target: RawHtml[]; depth: number }[] = [{ node: root, target: html, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    const target = node.type === "footnoteDefinition" ? footnotes : next.target;
    const line = node.position?.start.line ?? 1;
    if (depth > deepest) {
      result.faults.push({ line, message: tooDeep });
      break;
    }
    if (node.type === "html") target.push({ value: node.value, line });
    if (node.type === "text") result.advice.push(...findStrayMarks(node, markdown));
    if (node.type === "imageReference") shown.add(node.identifier);
    if ("url" in node) result.faults.push(...findUrlFaults(node.url).map((message) => ({ line, message })));
    if (node.type === "image") result.pictures.push({ line, node });
    if (node.type === "link") {
      result.links.push({ line, url: node.url });
      result.advice.push(...findCutAddress(node, markdown));
    }
    if (node.type === "definition") definitions.push(node);
    if ("children" in node)
      for (const child of node.children.toReversed()) waiting.push({ node: child, target, depth: depth + 1 });
  }
  for (const node of definitions) {
    const line = node.position?.start.line ?? 1;
    if (shown.has(node.identifier)) result.pictures.push({ line, node });
    else result.links.push({ line, url: node.url });
  }
  return [...html, ...footnotes];
}

/** Reads what a text has become as browsers read it: raw HTML may reach into the paragraphs below. */
function readHtml(html: string, raw: readonly RawHtml[], result: Markdown): void {
  const findLine = createLineFinder(html, raw);
  // What Markdown itself writes has been read with its lines.
  const reported = new Set(result.faults.map(({ message }) => message));
  const report = (offset: number, message: string) => {
    const line = findLine(offset);
    if (line !== null || !reported.has(message)) result.faults.push({ line: line ?? 1, message });
  };
  try {
    const { root, unclosed } = parseHtml(html);
    const elements = listElements(root);
    for (const element of elements) {
      const offset = element.sourceCodeLocation?.startOffset ?? 0;
      for (const message of findElementFaults(element)) report(offset, message);
      readAddress(element, findLine(offset), result);
    }
    if (unclosed) {
      const tags = elements.map(({ sourceCodeLocation: at }) => (at?.endTag ?? at?.startTag)?.endOffset ?? 0);
      const end = Math.max(0, ...tags);
      report(html.indexOf(unclosed === "tag" ? "<" : "<!--", end), `a ${unclosed} does not end before the next empty line`);
    }
  } catch (error) {
    if (!(error instanceof HtmlLimitError)) throw error;
    report(error.offset, error.message);
  }
}

function readAddress(element: HtmlElement, line: number | null, { faults, links, htmlPictures }: Markdown): void {
  if (line === null) return;
  const href = element.tagName === "a" ? getAttribute(element, "href") : undefined;
  if (href !== undefined) links.push({ line, url: href });
  const url = element.tagName === "img" ? getAttribute(element, "src") : undefined;
  if (url === undefined) return;
  htmlPictures.push({ line, url });
  if (!/^([a-z][a-z\d+.-]*:|\/|&)/i.test(url))
    faults.push({
      line,
      message: `<img> does not find ${url}: a picture beside the text is written such as: ![what it shows](${url})`,
    });
}

/** Returns a function that finds the line of the Markdown for an offset in the HTML; null for what Markdown itself writes. Raw HTML is rendered as it is. */
function createLineFinder(html: string, raw: readonly RawHtml[]): (offset: number) => number | null {
  const lines = new Uint32Array(html.length);
  let end = 0;
  for (const { value, line } of raw) {
    const start = html.indexOf(value, end);
    if (start < 0) continue;
    let current = line;
    for (end = start; end < start + value.length; end += 1) {
      lines[end] = current;
      if (html[end] === "\n") current += 1;
    }
  }
  return (offset) => lines[offset] || null;
}
