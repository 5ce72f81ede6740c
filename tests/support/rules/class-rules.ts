import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CssNode, ident, parse, walk } from "css-tree";
import ts from "typescript";
import { parseMarkup, parseScripts, root, type Source, visit } from "./sources.ts";

/** Returns the text of every style sheet in these folders. */
export function styleSheets(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".css"))
      .map((file) => readFileSync(join(root, folder, file), "utf8")),
  );
}

/** Returns every class that these style sheets have rules for. Default: those of the site. */
export function styledClasses(sheets: string[] = styleSheets("src")): Set<string> {
  return new Set(sheets.flatMap((css) => [...classesIn(css)]));
}

/** Returns the classes in the selectors of a stylesheet. */
function classesIn(css: string): Set<string> {
  const classes = new Set<string>();
  walk(parse(css), (node: CssNode) => {
    if (node.type === "ClassSelector") classes.add(ident.decode(node.name));
  });
  return classes;
}

/** Matches text next to an interpolation: `b-` in `b-${size}`. */
interface Joint {
  before: string;
  after: string;
  inClass: boolean;
  text: string;
}

/** The colours behind pictures, which the purge leaves all or none of. */
const wholeFamily = "tint-";

/** Returns class names that a source composes at run time, which the purge of unused styles cannot find. */
export function composedClasses(source: Source, styled: ReadonlySet<string>): string[] {
  const isPart = ({ before, after }: Joint) =>
    (before.endsWith("-") || after.startsWith("-")) &&
    [...styled].some((name) => name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after));
  return findJoints(source)
    .filter(({ before }) => before !== wholeFamily)
    .filter((joint) => (joint.before !== "" || joint.after !== "") && (joint.inClass || isPart(joint)))
    .map(({ text }) => `${source.path} composes ${text}`);
}

const getLastWord = (text: string) => /\S*$/.exec(text)?.[0] ?? "";
const first = (text: string) => /^\S*/.exec(text)?.[0] ?? "";

function findJoints(source: Source): Joint[] {
  const joints: Joint[] = [];
  for (const script of [...parseScripts(source), ...parseMarkup(source)]) {
    visit(script, (node) => {
      const inClass = isInClass(node);
      if (ts.isTemplateExpression(node)) {
        let before = node.head.text;
        for (const { literal } of node.templateSpans) {
          joints.push({ before: getLastWord(before), after: first(literal.text), inClass, text: node.getText() });
          before = literal.text;
        }
      }
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
        const before = ts.isStringLiteralLike(node.left) ? getLastWord(node.left.text) : "";
        const after = ts.isStringLiteralLike(node.right) ? first(node.right.text) : "";
        joints.push({ before, after, inClass, text: node.getText() });
      }
    });
  }
  return joints;
}

function isInClass(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (ts.isJsxAttribute(at)) return /^class(Name|:list)?$/.test(at.name.getText());
  }
  return false;
}
