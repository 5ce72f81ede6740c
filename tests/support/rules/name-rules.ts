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

/** The colours behind pictures: the purge keeps all of a lightness (`src/build/purge-css.ts`). */
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

/** Participles, which name no value. Banned as a whole name and as a word of one. */
const participles = ["said", "wanted", "known", "kept", "written", "held", "asked"];

/** Names for which the glossary has others. Only whole names are banned. */
const replaced: Record<string, string> = {
  Sheet: "Poster",
  place: "seat, region or index",
  places: "seats, regions or availability",
  form: "prefix, where it is the part of a URL that says the language",
  vip: "package",
};

/** Returns the names in a source that the glossary replaces, each as a sentence. */
export function bannedNames(source: Source): string[] {
  const faults: string[] = [];
  const parts = source.path.split("/").map((part) => part.replace(/\..*$/, ""));
  if (parts.some(findParticiple)) faults.push(`${source.path} is named by a participle`);
  for (const script of [...parseScripts(source, "with inline"), ...parseMarkup(source)]) {
    visit(script, (node) => {
      const name = getDeclaredName(node);
      if (name === null) return;
      const participle = findParticiple(name);
      if (participle) faults.push(`${source.path} names something ${name}: "${participle}" says nothing of the value`);
      else if (/[a-z]Of$/.test(name) && isFunction(node) && !/^(is|one|all|any)/.test(name))
        faults.push(`${source.path} names a function ${name}: get…, to…, format… or parse… says what it does`);
      else if (Object.hasOwn(replaced, name) && !isExternalKey(node) && !isHtmlForm(node))
        faults.push(`${source.path} names something ${name}: ${replaced[name]}`);
    });
  }
  return [...new Set(faults)];
}

/** Returns the participle among the words of a name: `isAsked`, `ASKED_AT` and `last-asked` contain `asked`. */
function findParticiple(name: string): string | undefined {
  const words = name.split(/[-_$]|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((word) => word.toLowerCase());
  return participles.find((participle) => words.includes(participle));
}

/** Returns the name that a node declares, and null for names that a package or the wire defines. */
function getDeclaredName(node: ts.Node): string | null {
  if (!ts.isIdentifier(node) && !ts.isStringLiteral(node)) return null;
  const { parent } = node;
  const isUse = ts.isPropertyAccessExpression(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isJsxAttribute(parent);
  const isImported = ts.isImportSpecifier(parent) && parent.propertyName === undefined;
  return "name" in parent && parent.name === node && !isUse && !isImported ? node.text : null;
}

function isFunction({ parent }: ts.Node): boolean {
  if (ts.isVariableDeclaration(parent)) return !!parent.initializer && ts.isFunctionLike(parent.initializer);
  return ts.isFunctionLike(parent);
}

/** Whether a node is a key of an object literal, which a package or the wire may define. */
const isExternalKey = ({ parent }: ts.Node) => ts.isPropertyAssignment(parent);

/** `const form = useRef<HTMLFormElement>()`, a payload or fields that a visitor filled in. */
function isHtmlForm(node: ts.Node): boolean {
  if (node.getText() !== "form") return false;
  const text = node.parent.getText();
  return !/Prefix|here\.|\/zh-CN|\/en-US/.test(text);
}
