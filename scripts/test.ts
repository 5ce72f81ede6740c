import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cleanStale } from "./clean-stale.ts";
import { endOnSignal, root, startNode, waitForExit } from "./process.ts";
import { writeTestContent } from "./test-content.ts";
import { mergeResults, noResults, playwrightResults, type Results, vitestResults } from "./test-results.ts";
import { startTestSite, type TestSite } from "./test-site.ts";

// `npm test` runs everything, `npm test -- unit e2e` these parts, `npm test -- tests/unit/site.test.ts` one file. The last line is the count.
const parts = ["check", "unit", "stores", "server", "build", "e2e"];
const requested = process.argv.slice(2).map((name) => ({ name, part: name.split("/")[1] ?? name, isFile: name.includes("/") }));
const unknown = requested.filter(({ part }) => !parts.includes(part)).map(({ name }) => name);
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Arguments are ${parts.join(", ")}, and files in tests/.`);
  process.exit(2);
}
const isRequested = (part: string) => requested.length === 0 || requested.some((argument) => argument.part === part);
const getFiles = (part: string) =>
  requested.filter((argument) => argument.isFile && argument.part === part).map(({ name }) => name);

endOnSignal(130);
// Each run has a folder, as two may run at once; folders of dead runs are removed.
const folder = join(root, "test-results", String(process.pid));
mkdirSync(folder, { recursive: true });
cleanStale(join(root, "test-results"), /^(\d+)$/);
const results: Results[] = [];

async function run(title: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  console.log(`\n== ${title}`);
  const { status } = await waitForExit(
    startNode(args, { ASTRO_TELEMETRY_DISABLED: "1", ...env }, ["ignore", "inherit", "inherit"]),
  );
  return status;
}

/** Runs a step that counts as one test, in parallel with others; prints its output at the end. */
async function check(title: string, args: string[]): Promise<void> {
  const child = startNode(args, { ASTRO_TELEMETRY_DISABLED: "1" }, ["ignore", "pipe", "pipe"]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (output += text));
  const [{ status }] = await Promise.all([waitForExit(child), once(child, "close")]);
  console.log(`\n== ${title}\n${output}`);
  results.push(status === 0 ? { ...noResults, passed: 1 } : { ...noResults, failed: [title] });
}

/** Runs a step that writes a report. A failure status without a failed test counts as one failure. */
async function runWithReport(
  title: string,
  args: string[],
  env: Record<string, string>,
  read: () => Results | null,
): Promise<void> {
  const status = await run(title, args, env);
  const reported = read() ?? noResults;
  if (status !== 0 && reported.failed.length === 0) reported.failed.push(`${title}: ended with status ${status}`);
  if (status === 0 && reported.passed === 0 && reported.skipped.length === 0)
    reported.failed.push(`${title}: no tests were found`);
  results.push({ ...reported });
}

async function vitest(project: string, env: Record<string, string> = {}): Promise<void> {
  const report = join(folder, `${project}.json`);
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  await runWithReport(
    `vitest: ${project}`,
    ["node_modules/vitest/vitest.mjs", "run", "--project", project, ...output, ...getFiles(project)],
    env,
    () => vitestResults(report),
  );
}

async function playwright({ env }: TestSite): Promise<void> {
  const report = join(folder, "e2e.json");
  await runWithReport(
    "playwright",
    ["node_modules/@playwright/test/cli.js", "test", ...getFiles("e2e")],
    { ...env, E2E_FOLDER: folder },
    () => playwrightResults(report),
  );
}

if (isRequested("check")) {
  const astro = "node_modules/astro/bin/astro.mjs";
  // Generates the content types for both.
  await check("astro sync", [astro, "sync"]);
  await Promise.all([
    check("astro check", [astro, "check", "--noSync"]),
    check("tsc", ["node_modules/typescript/bin/tsc", "-p", ".", "--noEmit"]),
    check("biome", ["node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off"]),
  ]);
}
for (const project of ["unit", "stores", "server"]) if (isRequested(project)) await vitest(project);
if (isRequested("build") || isRequested("e2e")) {
  console.log("\n== build for tests");
  const site = await startTestSite(folder, writeTestContent);
  results.push(site ? { ...noResults, passed: 1 } : { ...noResults, failed: ["build for tests"] });
  if (site) {
    if (isRequested("build")) await vitest("build", site.env);
    if (isRequested("e2e")) await playwright(site);
    await site.end();
  }
}

const { passed, failed, skipped, flaky } = mergeResults(results);
console.log("");
for (const name of flaky) console.log(`passed on a second try: ${name}`);
for (const name of skipped) console.log(`skipped: ${name}`);
for (const name of failed) console.log(`failed: ${name}`);
console.log(`${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`);
process.exit(failed.length > 0 ? 1 : 0);
