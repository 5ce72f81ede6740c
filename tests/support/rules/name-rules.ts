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

/** Participles, which name no value. Banned as a whole name and as a word of one. */
const participles = ["said", "wanted", "known", "kept", "written", "held", "asked"];

/** Replaced names, each with the field's term. Only whole names are banned. */
const replaced: Record<string, string> = {
  World: "Context",
  Seams: "a part handed in through the context",
  unguarded: "a part handed in through the context",
  startOrSay: "runMain",
  Served: "Route",
  servePublic: "publicRoute",
  serveMember: "memberRoute",
  Refusal: "ApiError",
  Refused: "ApiError",
  Unreachable: "NetworkError",
  settle: "recordPayment",
  Settled: "PaymentOutcome",
  sow: "seed",
  glance: "fetchPublic",
  askAhead: "prefetch",
  atBuild: "fetchAtBuild",
  asOrder: "toOrder",
  wakeWhen: "hydrateWhenStale",
  shownOf: "renderKey",
  isThrifty: "prefersReducedData",
  Boxes: "SkeletonLines",
  Loaded: "ResourceView",
  Sheet: "Poster",
  Slab: "Panel",
  luck: "retryRace",
  crowd: "loadUsers",
  rush: "load",
  judge: "assertions",
  untried: "skipped",
  place: "seat, region or index",
  places: "seats, regions or availability",
  form: "prefix, where it is the part of a URL that says the language",
  vip: "package",
  createHost: "createTestServer",
  startHost: "startServer",
};

const replacedFiles =
  /^(world|start-and-end|opening-words|under-way|flood|ceiling|written|digest|quick-loading|glance|at-build|remote|kept|near|wake|thrift|finish|vocabulary|produce|sweep|sow|luck|crowd|rush|spoiled|outside|stand-in|judge|ground|untried|steady|pieces|foreign|house-[\w-]+|Boxes|Loaded|Door|Sheet|Board|Story|Shelf|Headlines|Teaser|HangingPasses|\w+Ahead|\w+Slab|\w+Wake)$/;

/** Returns the names in a source that the glossary replaces, each as a sentence. */
export function bannedNames(source: Source): string[] {
  const faults: string[] = [];
  const parts = source.path.split("/").map((part) => part.replace(/\..*$/, ""));
  if (replacedFiles.test(parts.at(-1) ?? "") || parts.some(findParticiple))
    faults.push(`${source.path} is named by a word that the glossary replaces`);
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
  const isName =
    (ts.isBindingElement(parent) ||
      ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isTypeParameterDeclaration(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isEnumDeclaration(parent) ||
      ts.isEnumMember(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isNamedTupleMember(parent) ||
      ts.isNamespaceImport(parent) ||
      ts.isImportClause(parent) ||
      (ts.isImportSpecifier(parent) && parent.propertyName !== undefined) ||
      ts.isExportSpecifier(parent)) &&
    parent.name === node;
  return isName ? node.text : null;
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
