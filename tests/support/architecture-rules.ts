import ts from "typescript";
import { parseScripts, type Source, visit } from "./sources.ts";

/** Rules of the architecture that are checked on source text. Files that contain the checks are exempt. */
const texts: [what: string, pattern: RegExp][] = [
  ["switches the compiler or the linter off", /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable/],
  ["mocks our own code", /\bvi\.(mock|doMock)\(/],
];

/** Returns the violations of a source, each as a sentence. */
export function findViolations(source: Source): string[] {
  const faults = texts.filter(([, pattern]) => pattern.test(source.text)).map(([what]) => what);
  if (source.text.split("\n").length > 251) faults.push("has over 250 lines");
  if (/(^|\/)(utils?|helpers?|common|misc)\.[a-z]+$|(^|\/)index\.tsx$/.test(source.path)) faults.push("has a meaningless name");
  if (
    /\bclient:[a-z]+[ =/>]/.test(source.text) &&
    source.path.endsWith(".astro") &&
    !/^src\/(pages|layouts)\//.test(source.path)
  ) {
    faults.push("starts an island outside pages and layouts");
  }
  if (/^src\/(features|layouts|lib|ui)\//.test(source.path) && /\b(?!e\.)\w+\.(payload|errors)\b/.test(source.text)) {
    faults.push("reads a part of a call that browser bundles lack");
  }
  const scripts = parseScripts(source);
  for (const script of scripts) visit(script, (node) => faults.push(...nodeFaults(node)));
  const isBarrel = scripts.every(
    (script) => script.statements.length > 0 && script.statements.every((one) => ts.isExportDeclaration(one)),
  );
  if (isBarrel) faults.push("only re-exports");
  return [...new Set(faults)].map((fault) => `${source.path} ${fault}`);
}

function nodeFaults(node: ts.Node): string[] {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return ["uses any"];
  if (ts.isExportAssignment(node)) return ["exports by default"];
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) {
    return ["exports by default"];
  }
  const silenced =
    ts.isAsExpression(node) && (ts.isAsExpression(node.expression) || /^(never|unknown)$/.test(node.type.getText()));
  return silenced ? ["silences the compiler"] : [];
}

/** Exceptions, each with its reason. */
export const exceptions = new Set([
  // Astro requires a default export for client directives.
  "src/build/intent-directive.ts exports by default",
  // Test runners require default exports for global setup.
  "tests/e2e/support/servers.ts exports by default",
  "tests/support/pglite-setup.ts exports by default",
  "tests/support/postgres-setup.ts exports by default",
  // The baseline that pages are measured against is a separate site.
  "bench/floor/astro.config.mjs exports by default",
  "bench/floor/src/pages/[floor].astro starts an island outside pages and layouts",
  // Each states its reason in place: browsers without a cookie store, and boxes that never change.
  "src/client/main.ts switches the compiler or the linter off",
  "src/ui/SkeletonLines.tsx switches the compiler or the linter off",
]);
