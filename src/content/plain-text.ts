import type { List, Nodes } from "mdast";
import { parseTree } from "./markdown.ts";

// The text of an item reaches its page through the server, as paragraphs of plain text: the page may be drawn in the browser,
// which sets no markup.

/** Returns the paragraphs of a Markdown text. Headings are paragraphs; entries of a list and rows of a table are lines of one. */
export function toParagraphs(markdown: string): string[] {
  return toBlocks(parseTree(markdown)).filter(Boolean);
}

function toBlocks(node: Nodes): string[] {
  switch (node.type) {
    case "list":
      return [toLines(node, "·")];
    case "table":
      return [node.children.map(({ children }) => children.map(toText).map(tidy).join(" | ")).join("\n")];
    case "root":
    case "blockquote":
    case "footnoteDefinition":
      return node.children.flatMap(toBlocks);
    default:
      return [tidy(toText(node))];
  }
}

/** Returns the entries of a list, each on a line of its own, those of a list within it with another sign. */
function toLines({ children, ordered, start }: List, sign: "·" | "–"): string {
  return children
    .map((item, index) => {
      const blocks = item.children.flatMap((block) => (block.type === "list" ? [toLines(block, "–")] : toBlocks(block)));
      return `${ordered ? `${(start ?? 1) + index}.` : sign} ${blocks.join("\n")}`;
    })
    .join("\n");
}

/** A line end of Markdown that breaks no line. */
const softBreak = "\r";
const chinese = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3001-\\u303f\\uff01-\\uff60";
/** Marks that Chinese shares with Latin. */
const shared = "“”‘’…—·";
/** Where a line goes on in the next one: Chinese has no blank there. */
const seam = new RegExp(
  `(?<=[${chinese}])${softBreak}(?=[${chinese}${shared}])|(?<=[${shared}])${softBreak}(?=[${chinese}])`,
  "gu",
);

const tidy = (text: string) =>
  text
    .replace(seam, "")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .join("\n")
    .trim();

/** Returns the words of a node. Lines break where Markdown breaks them. */
function toText(node: Nodes): string {
  if (node.type === "break") return "\n";
  if (node.type === "code") return node.value;
  if (node.type === "html") return node.value.replace(/<br\b[^>]*>/gi, "\n").replace(/<!--[\s\S]*?-->|<[^>]*>/g, "");
  if ("children" in node) return node.children.map(toText).join("");
  return "value" in node ? node.value.replace(/\s*\n/g, softBreak) : "";
}
