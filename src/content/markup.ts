import { type MdastNode, markdownToMdast } from "satteri";

// Code in a text could read a member's session. Astro renders Markdown with the same parser.

const elements =
  /^(script|iframe|frame|frameset|fencedframe|object|embed|applet|portal|template|base|link|meta|style|form|body|html)$/;
const address = /^(javascript|vbscript|data(?!:image\/)):/i;
const comment = /<!--[\s\S]*?(?:-->|$)/g;
const tag = /<\/?([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const names: Record<string, string> = { tab: "\t", newline: "\n", colon: ":", lpar: "(" };

interface Fault {
  /** In the Markdown. */
  offset: number;
  message: string;
}

/** A picture of a Markdown text: its address, and where it stands. */
export interface MarkdownPicture {
  url: string;
  start: number;
  end: number;
}

/** What the checks of a shop need of a Markdown text. */
export interface Markdown {
  /** Markup that may run in a page. Code blocks may hold anything. */
  faults: Fault[];
  links: { offset: number; url: string }[];
  pictures: MarkdownPicture[];
  /** Of `<img>`, whose address stays as it is. */
  htmlPictures: { offset: number; url: string }[];
}

const htmlLink = /<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;

const htmlPicture = /<img\s[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)/gi;

/** Parses a Markdown text once for all checks. */
export function parseMarkup(markdown: string): Markdown {
  const result: Markdown = { faults: [], links: [], pictures: [], htmlPictures: [] };
  visit(markdownToMdast(markdown), result);
  return result;
}

/** Returns the line of an offset, from 1. */
export const getLine = (markdown: string, offset: number) => markdown.slice(0, offset).split("\n").length;

function visit(node: MdastNode, result: Markdown): void {
  const offset = node.position?.start.offset ?? 0;
  if (node.type === "html") {
    result.faults.push(...findHtmlFaults(node.value).map((fault) => ({ ...fault, offset: offset + fault.offset })));
    for (const { index, 1: double, 2: single, 3: bare } of node.value.matchAll(htmlLink))
      result.links.push({ offset: offset + index, url: double ?? single ?? bare ?? "" });
    for (const { index, 1: url = "" } of node.value.matchAll(htmlPicture)) {
      result.htmlPictures.push({ offset: offset + index, url });
      if (!/^([a-z][a-z\d+.-]*:|\/|&)/i.test(url))
        result.faults.push({
          offset: offset + index,
          message: `<img> does not find ${url}: a picture beside the text is written such as: ![what it shows](${url})`,
        });
    }
    return;
  }
  if ("url" in node) {
    result.faults.push(...findUrlFaults(node.url).map((message) => ({ offset, message })));
    if (node.type === "image") result.pictures.push({ url: node.url, start: offset, end: node.position?.end.offset ?? offset });
    else result.links.push({ offset, url: node.url });
  }
  if ("children" in node) for (const child of node.children) visit(child, result);
}

function findHtmlFaults(html: string): Fault[] {
  // Blanks keep the offsets.
  const text = html.replace(comment, (match) => match.replace(/[^\n]/g, " "));
  const faults = Array.from(text.matchAll(tag)).flatMap(({ index, 1: name = "", 2: rest = "" }) =>
    findTagFaults(name, rest).map((message) => ({ offset: index, message })),
  );
  const left = text.replace(tag, (match) => " ".repeat(match.length)).search(/<\/?[a-z]/i);
  return left < 0 ? faults : [...faults, { offset: left, message: "a tag does not end before the next empty line" }];
}

function findTagFaults(name: string, rest: string): string[] {
  const element = name.toLowerCase();
  const faults = elements.test(element)
    ? [`<${element}> has no place in a text: a link takes its place, such as: [watch it](https://example.com)`]
    : [];
  for (const [, key = "", double, single, bare] of rest.matchAll(attribute)) {
    const attribute = key.toLowerCase();
    if (/^on/.test(attribute) || attribute === "srcdoc") faults.push(`${attribute} of <${element}> has no place in a text`);
    if (attribute === "style")
      faults.push(`style of <${element}> has no place in a text, and the policy of the pages blocks it`);
    faults.push(...findUrlFaults(double ?? single ?? bare ?? ""));
  }
  return faults;
}

/** Browsers decode entities in a URL and ignore invisible characters. */
function findUrlFaults(text: string): string[] {
  const read = text
    .replace(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/&(\w+);/g, (whole, name: string) => names[name.toLowerCase()] ?? whole)
    .replace(/[\p{Cc}\s]/gu, "");
  const kind = address.exec(read)?.[1];
  return kind ? [`an address that begins with ${kind.toLowerCase()}: has no place in a text`] : [];
}
