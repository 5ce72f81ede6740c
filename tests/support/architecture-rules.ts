import ts from "typescript";
import { type Source, scriptsOf, visit } from "./sources.ts";

/** What the house does not do, by source text. The files that look for it name it themselves. */
const texts: [what: string, pattern: RegExp][] = [
  ["switches the compiler or the linter off", /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable/],
  ["mocks our own code", /\bvi\.(mock|doMock)\(/],
];

/** What is wrong with a source, each as a sentence. */
export function faultsOf(source: Source): string[] {
  const faults = texts.filter(([, pattern]) => pattern.test(source.text)).map(([what]) => what);
  if (source.text.split("\n").length > 251) faults.push("has over 250 lines");
  if (/(^|\/)(utils?|helpers?|common|misc)\.[a-z]+$|(^|\/)index\.tsx$/.test(source.path))
    faults.push("has a name that says nothing");
  if (
    /\bclient:[a-z]+[ =/>]/.test(source.text) &&
    source.path.endsWith(".astro") &&
    !/^src\/(pages|layouts)\//.test(source.path)
  ) {
    faults.push("starts an island outside pages and layouts");
  }
  if (/^src\/(features|layouts|lib|ui)\//.test(source.path) && /\b(?!e\.)\w+\.(payload|errors)\b/.test(source.text)) {
    faults.push("reads what browsers do not have of a call");
  }
  const scripts = scriptsOf(source);
  for (const script of scripts) visit(script, (node) => faults.push(...nodeFaults(node)));
  const isBarrel = scripts.every(
    (script) => script.statements.length > 0 && script.statements.every((one) => ts.isExportDeclaration(one)),
  );
  if (isBarrel) faults.push("only passes on what others export");
  return [...new Set(faults)].map((fault) => `${source.path} ${fault}`);
}

function nodeFaults(node: ts.Node): string[] {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return ["says any"];
  if (ts.isExportAssignment(node)) return ["exports by default"];
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) {
    return ["exports by default"];
  }
  const silenced =
    ts.isAsExpression(node) && (ts.isAsExpression(node.expression) || /^(never|unknown)$/.test(node.type.getText()));
  return silenced ? ["silences the compiler"] : [];
}

/** Each with its reason. */
export const excused = new Set([
  // What an answer of the host holds is what a test is about.
  "tests/support/test-server.ts says any",
  "tests/support/test-server.ts switches the compiler or the linter off",
  // Astro takes a directive's default export.
  "src/build/intent-client.ts exports by default",
  // ofetch that of destr.
  "src/build/ofetch-replacements/destr.ts exports by default",
  // So do the test runners with what comes before all tests.
  "tests/e2e/support/servers.ts exports by default",
  "tests/support/pglite-setup.ts exports by default",
  "tests/support/postgres-setup.ts exports by default",
  // The floor that pages are measured against is a site of its own.
  "bench/floor/astro.config.mjs exports by default",
  "bench/floor/src/pages/floor-island.astro starts an island outside pages and layouts",
  "bench/floor/src/pages/floor-island-hero.astro starts an island outside pages and layouts",
  // Says at its place why: the cookie store is not in every browser, the boxes never change.
  "src/client/main.ts switches the compiler or the linter off",
  "src/ui/SkeletonLines.tsx switches the compiler or the linter off",
]);
