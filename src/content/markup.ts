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

/** Returns the markup of a Markdown file that may run in a page, each as `<path>:<line>: <sentence>`. Code blocks may hold anything. */
export function findActiveMarkup(path: string, markdown: string): string[] {
  const getLine = (offset: number) => markdown.slice(0, offset).split("\n").length;
  return findFaults(markdownToMdast(markdown)).map(({ offset, message }) => `${path}:${getLine(offset)}: ${message}`);
}

function findFaults(node: MdastNode): Fault[] {
  const offset = node.position?.start.offset ?? 0;
  if (node.type === "html") return findHtmlFaults(node.value).map((fault) => ({ ...fault, offset: offset + fault.offset }));
  const own = "url" in node ? findUrlFaults(node.url).map((message) => ({ offset, message })) : [];
  return "children" in node ? [...own, ...node.children.flatMap(findFaults)] : own;
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
  const faults = elements.test(element) ? [`<${element}> has no place in a text`] : [];
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
