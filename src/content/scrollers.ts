import { defaultTreeAdapter } from "parse5";
import type { Locale } from "#i18n/locale.ts";
import type { HtmlElement } from "./html-tree.ts";

const { createElement, insertBefore, appendChild, detachNode } = defaultTreeAdapter;

const names: Record<Locale, { table: string; pre: string }> = {
  "zh-CN": { table: "表格", pre: "原样排版的文字" },
  "en-US": { table: "Table", pre: "Preformatted text" },
};

/** Lets what cannot break its lines scroll by itself, with the keyboard too: a table gets a box around it. */
export function addScroller(element: HtmlElement, locale: Locale): void {
  const { tagName, attrs, namespaceURI, parentNode } = element;
  if (tagName !== "table" && tagName !== "pre") return;
  const region = [
    { name: "role", value: "region" },
    { name: "tabindex", value: "0" },
    { name: "aria-label", value: names[locale][tagName] },
  ];
  if (tagName === "pre") attrs.push(...region);
  else if (parentNode) {
    const box = createElement("div", namespaceURI, region);
    insertBefore(parentNode, box, element);
    detachNode(element);
    appendChild(box, element);
  }
}
