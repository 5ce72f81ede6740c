import { basename } from "node:path";
import ts from "typescript";
import { parseScripts, type Source, visit } from "./sources.ts";

/** Participles name no value: what it is goes into its name. Banned as a whole name and as a word of one. */
const participles = ["said", "wanted", "known", "kept", "written", "held", "asked"];

/** Names that had a meaning of their own here, each with the field's term. Only whole names are banned. */
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

/** Generates drawings, in words of its own. */
const isPosterGenerator = (path: string) => path.startsWith("src/build/poster/");

/** The names in a source that the glossary replaces, each as a sentence. */
export function bannedNames(source: Source): string[] {
  if (isPosterGenerator(source.path)) return [];
  const faults: string[] = [];
  const stem = basename(source.path).replace(/\..*$/, "");
  if (replacedFiles.test(stem) || stem.split("-").some((word) => participles.includes(word)))
    faults.push(`${source.path} is named by a word that the glossary replaces`);
  for (const script of parseScripts(source)) {
    visit(script, (node) => {
      if (!ts.isIdentifier(node) || !isDeclared(node)) return;
      const name = node.text;
      const word = name
        .split(/(?=[A-Z])|_|\$/)
        .map((part) => part.toLowerCase())
        .find((part) => participles.includes(part));
      if (word) faults.push(`${source.path} names something ${name}: "${word}" says nothing of the value`);
      else if (Object.hasOwn(replaced, name) && !isHtmlForm(node))
        faults.push(`${source.path} names something ${name}: ${replaced[name]}`);
    });
  }
  return [...new Set(faults)];
}

/** A name is banned where it is given, not where a package or the wire has given it. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.name === node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isClassDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent)) &&
    parent.name === node
  );
}

/** `const form = useRef<HTMLFormElement>()`, a payload or fields that a visitor filled in. */
function isHtmlForm(node: ts.Identifier): boolean {
  if (node.text !== "form") return false;
  const text = node.parent.getText();
  return !/Prefix|here\.|\/zh-CN|\/en-US/.test(text);
}
