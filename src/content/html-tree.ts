import { type DefaultTreeAdapterTypes, defaultTreeAdapter, type ParserError, parseFragment } from "parse5";

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlText = DefaultTreeAdapterTypes.TextNode;
type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** A long article has some hundred elements, nested about ten deep. */
export const deepest = 100;
export const tooDeep = `elements are nested more than ${deepest} deep`;
const maxElements = 20_000;

/** The element around a text. */
const [context] = parseFragment("<div></div>").childNodes;

/** Thrown where a parser would need more time and memory than any text is worth. */
export class HtmlLimitError extends Error {
  /** Where the element that is too much begins, in the HTML. */
  readonly offset: number;

  constructor(message: string, element: HtmlElement) {
    super(message);
    this.offset = element.sourceCodeLocation?.startOffset ?? 0;
  }
}

interface HtmlTree {
  root: DefaultTreeAdapterTypes.DocumentFragment;
  /** Set when the HTML ends within a tag or a comment: a browser reads none of what follows its beginning. */
  unclosed: "tag" | "comment" | null;
}

/** Parses HTML as browsers do (WHATWG), as the content of a `div`. Throws HtmlLimitError. */
export function parseHtml(html: string): HtmlTree {
  let unclosed: HtmlTree["unclosed"] = null;
  let depth = 0;
  let count = 0;
  const root = parseFragment(context && "tagName" in context ? context : null, html, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code }: ParserError) => {
      if (code === "eof-in-tag") unclosed = "tag";
      if (code === "eof-in-comment") unclosed = "comment";
    },
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush: (element: HtmlElement) => {
        depth += 1;
        count += 1;
        if (depth > deepest) throw new HtmlLimitError(tooDeep, element);
        if (count > maxElements) throw new HtmlLimitError(`the text has more than ${maxElements} elements`, element);
      },
      onItemPop: () => {
        depth -= 1;
      },
    },
  });
  return { root, unclosed };
}

/** Returns the elements within a node, in the order of the document. */
export function listElements(node: HtmlNode | HtmlParent): HtmlElement[] {
  if (!("childNodes" in node)) return [];
  return node.childNodes.flatMap((child) => ("tagName" in child ? [child, ...listElements(child)] : []));
}

export const getAttribute = (element: HtmlElement, name: string) =>
  element.attrs.find((attribute) => attribute.name === name)?.value;
