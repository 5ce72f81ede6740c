import { type MdastNode, markdownToMdast } from "satteri";

// A text is shown to members too: what runs in it could read their sessions. Astro renders Markdown with the same parser.

const elements =
  /^(script|iframe|frame|frameset|fencedframe|object|embed|applet|portal|template|base|link|meta|style|form|body|html)$/;
const address = /^(javascript|vbscript|data(?!:image\/)):/i;
const comment = /<!--[\s\S]*?(?:-->|$)/g;
const tag = /<\/?([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const names: Record<string, string> = { tab: "\t", newline: "\n", colon: ":", lpar: "(" };

interface Fault {
  /** In the Markdown that it is found in. */
  offset: number;
  what: string;
}

/** Answers what a Markdown file holds that may run in a page, each as `<path>:<line>: <sentence>`. Code is only shown, so it may hold anything. */
export function runningMarkup(path: string, markdown: string): string[] {
  const lineOf = (offset: number) => markdown.slice(0, offset).split("\n").length;
  return faultsOf(markdownToMdast(markdown)).map(({ offset, what }) => `${path}:${lineOf(offset)}: ${what}`);
}

function faultsOf(node: MdastNode): Fault[] {
  const offset = node.position?.start.offset ?? 0;
  if (node.type === "html") return htmlFaults(node.value).map((fault) => ({ ...fault, offset: offset + fault.offset }));
  const own = "url" in node ? addressFaults(node.url).map((what) => ({ offset, what })) : [];
  return "children" in node ? [...own, ...node.children.flatMap(faultsOf)] : own;
}

function htmlFaults(html: string): Fault[] {
  // Places stay where they are, so that lines do.
  const text = html.replace(comment, (found) => found.replace(/[^\n]/g, " "));
  const faults = Array.from(text.matchAll(tag)).flatMap(({ index, 1: name = "", 2: rest = "" }) =>
    tagFaults(name, rest).map((what) => ({ offset: index, what })),
  );
  const left = text.replace(tag, (found) => " ".repeat(found.length)).search(/<\/?[a-z]/i);
  return left < 0 ? faults : [...faults, { offset: left, what: "a tag does not end before the next empty line" }];
}

function tagFaults(name: string, rest: string): string[] {
  const element = name.toLowerCase();
  const faults = elements.test(element) ? [`<${element}> has no place in a text`] : [];
  for (const [, key = "", double, single, bare] of rest.matchAll(attribute)) {
    const attribute = key.toLowerCase();
    if (/^on/.test(attribute) || attribute === "srcdoc") faults.push(`${attribute} of <${element}> has no place in a text`);
    if (attribute === "style")
      faults.push(`style of <${element}> has no place in a text, and the policy of the pages blocks it`);
    faults.push(...addressFaults(double ?? single ?? bare ?? ""));
  }
  return faults;
}

/** Browsers read entities in an address, and leave out what cannot be seen. */
function addressFaults(text: string): string[] {
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
