import type { Root } from "mdast";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkStrikethrough from "remark-cjk-friendly-gfm-strikethrough";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype, { type Options } from "remark-rehype";
import remarkSmartypants from "remark-smartypants";
import { type PluggableList, unified } from "unified";
import type { Locale } from "#i18n/locale.ts";
import { bareAddresses } from "./bare-address.ts";

// The one reading and rendering of Markdown: pages, search, items and checks have it from here.

/** One tilde is a range, such as 19:30~21:00. */
const strikethrough = { singleTilde: false };

const parser = unified()
  .use(remarkParse)
  .use(remarkGfm, strikethrough)
  .use(remarkCjkFriendly)
  .use(remarkStrikethrough, strikethrough)
  .use(bareAddresses)
  .freeze();

/** Parses Markdown. Lines and offsets of the tree are those of the text. */
export const parseTree = (markdown: string): Root => parser.parse(toBlanks(markdown));

/** Makes the blanks of Chinese keyboards, and those that do not break, plain ones after the sign of a heading or an entry, and on an empty line. */
function toBlanks(markdown: string): string {
  return markdown
    .replace(/^([ \t>]*(?:#{1,6}|[-*+]|\d{1,9}[.)]))[^\S \t\n]/gm, "$1 ")
    .replace(/^[^\S\n]+$/gm, (blanks) => " ".repeat(blanks.length));
}

const footnotes: Record<Locale, Options> = {
  "zh-CN": {
    footnoteLabel: "脚注",
    footnoteBackLabel: (index, time) => `回到正文中的脚注 ${index + 1}${time > 1 ? `（第 ${time} 处）` : ""}`,
  },
  "en-US": {
    footnoteLabel: "Footnotes",
    footnoteBackLabel: (index, time) => `Back to footnote ${index + 1} in the text${time > 1 ? ` (place ${time})` : ""}`,
  },
};

/** Between Chinese characters nothing says on which side of a word a straight quotation mark stands. */
const typography: Record<Locale, PluggableList> = {
  "zh-CN": [],
  "en-US": [[remarkSmartypants, { dashes: "oldschool" }]],
};

const createRenderer = (locale: Locale) =>
  unified()
    .use(typography[locale])
    .use(remarkRehype, { ...footnotes[locale], allowDangerousHtml: true })
    .use(rehypeSlug)
    .use(rehypeStringify, { allowDangerousHtml: true })
    .freeze();

const renderers = {
  "zh-CN": createRenderer("zh-CN"),
  "en-US": createRenderer("en-US"),
};

/** Renders a tree as HTML, in which raw HTML stands as it is. */
export function renderTree(tree: Root, locale: Locale): string {
  const renderer = renderers[locale];
  return renderer.stringify(renderer.runSync(tree));
}
