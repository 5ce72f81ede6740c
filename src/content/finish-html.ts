import { defaultTreeAdapter, serialize } from "parse5";
import type { Locale } from "#i18n/locale.ts";
import { keepNumbers, removeOrigin, splitEnd, toPhrases } from "#src/lib/format.ts";
import { findElementFaults } from "./element-rules.ts";
import { type HtmlElement, type HtmlNode, type HtmlText, listElements, parseHtml } from "./html-tree.ts";
import { completePictures } from "./picture/body.ts";
import { addScroller } from "./scrollers.ts";

const { createElement, createTextNode, insertBefore, appendChild, detachNode } = defaultTreeAdapter;

/**
 * Returns the HTML of a rendered text as pages show it: with the sizes of its pictures, links within the site as paths, marks where lines may break, and boxes
 * around what scrolls. It is written from the tree that has been checked. Throws for what has no place in a text.
 */
export async function finishHtml(html: string, origin: string | undefined, locale: Locale): Promise<string> {
  const { root } = parseHtml(html);
  const elements = listElements(root);
  const [fault] = elements.flatMap(findElementFaults);
  if (fault) throw new Error(fault);
  for (const parent of [root, ...elements])
    for (const child of [...parent.childNodes]) if (child.nodeName === "#comment") detachNode(child);
  await completePictures(elements);
  for (const element of elements) {
    if (element.tagName === "a") keepHere(element, origin);
    if (/^(blockquote|h[2-4])$/.test(element.tagName)) breakByPhrase(element);
    if (/^(p|li)$/.test(element.tagName)) keepEnd(element);
    addScroller(element, locale);
  }
  return serialize(root);
}

/** Makes links to the site itself paths: only those to other sites are marked. */
function keepHere({ attrs }: HtmlElement, origin: string | undefined): void {
  for (const attribute of attrs) if (attribute.name === "href") attribute.value = removeOrigin(attribute.value, origin);
}

/** Marks where a heading or a quotation may break. */
function breakByPhrase(parent: HtmlElement): void {
  replaceTexts(parent, (text) => {
    const [first = "", ...others] = toPhrases(keepNumbers(text));
    return [createTextNode(first), ...others.flatMap((phrase) => [create(parent, "wbr"), createTextNode(phrase)])];
  });
}

/** Keeps the last words of a paragraph together, so that none stands alone on a line. */
function keepEnd(paragraph: HtmlElement): void {
  const last = paragraph.childNodes.at(-1);
  if (!last || !isText(last)) return;
  const [before, end] = splitEnd(last.value);
  if (!end) return;
  last.value = before;
  const span = create(paragraph, "span", [{ name: "data-end", value: "" }]);
  appendChild(span, createTextNode(end));
  appendChild(paragraph, span);
}

function replaceTexts(parent: HtmlElement, split: (text: string) => HtmlNode[]): void {
  for (const child of [...parent.childNodes]) {
    if ("tagName" in child) replaceTexts(child, split);
    if (!isText(child)) continue;
    for (const node of split(child.value)) insertBefore(parent, node, child);
    detachNode(child);
  }
}

const isText = (node: HtmlNode): node is HtmlText => node.nodeName === "#text";

const create = ({ namespaceURI }: HtmlElement, tagName: string, attributes: HtmlElement["attrs"] = []) =>
  createElement(tagName, namespaceURI, attributes);
