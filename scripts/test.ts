import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { listFullFiles } from "./full-files.ts";
import { cleanStale, endOnSignal, root, startNode, waitForExit } from "./process.ts";
import { mergeResults, noResults, playwrightResults, type Results, vitestResults } from "./test-results.ts";
import { startDemoSite, startLabelSite } from "./test-site.ts";

// `npm test` runs what a shop lives on, within five minutes on two cores, `--full` what that leaves out (tests tagged `full`), `--long` those tagged
// `long` at length. Further arguments are parts and files: `npm test -- unit tests/e2e/order.test.ts`; a file runs whole. The last line is the count.
const parts = ["check", "unit", "stores", "server", "build", "e2e"] as const;
type Part = (typeof parts)[number];

const args = process.argv.slice(2);
const scope = args.includes("--full") ? "full" : args.includes("--long") ? "long" : "quick";
const requested = args.filter((name) => !["--full", "--long"].includes(name));
const files = requested.filter((name) => name.includes("/"));
const getPart = (name: string) => (name.includes("/") ? name.split("/")[1] : name);
const isPart = (name: string | undefined): name is Part => parts.some((part) => part === name);
const unknown = requested.filter((name) => !isPart(getPart(name)));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Arguments are ${parts.join(", ")}, files in tests/, --full and --long.`);
  process.exit(2);
}
/** Tests of these parts alone carry the tags of a scope. */
const scopeParts: Record<typeof scope, readonly Part[]> = {
  quick: parts,
  full: ["unit", "stores", "server", "build", "e2e"],
  long: ["server", "e2e"],
};
const isRequested = (part: Part) =>
  requested.length === 0 ? scopeParts[scope].includes(part) : requested.some((name) => getPart(name) === part);
const getFiles = (names: readonly string[]) => files.filter((name) => names.includes(getPart(name) ?? ""));

endOnSignal(130);
// Each run has a folder, as two may run at once; folders of dead runs are removed.
const folder = join(root, "test-results", String(process.pid));
mkdirSync(folder, { recursive: true });
cleanStale(join(root, "test-results"), /^(\d+)$/);
const results: Results[] = [];
const isSingleStep = requested.length === 1;

/** Runs a step. Its output is printed as it comes if it is the only one, else when the step has failed. Returns the exit status. */
async function run(title: string, command: string[], env: Record<string, string> = {}): Promise<number> {
  const startedAt = performance.now();
  console.log(`… ${title}`);
  const child = startNode(command, { ASTRO_TELEMETRY_DISABLED: "1", FORCE_COLOR: "0", ...env }, [
    "ignore",
    isSingleStep ? "inherit" : "pipe",
    isSingleStep ? "inherit" : "pipe",
  ]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (output += text));
  const [{ status }] = await Promise.all([waitForExit(child), once(child, "close")]);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(status === 0 ? `✓ ${title}: ${seconds} s` : `${output}\n✗ ${title}: ${seconds} s`);
  return status;
}

/** Runs a step that writes a report. A failure status without a failed test counts as one failure. */
async function runTests(
  title: string,
  command: string[],
  env: Record<string, string>,
  read: () => Results | null,
): Promise<void> {
  const status = await run(title, command, env);
  const reported = read() ?? noResults;
  if (status !== 0 && reported.failed.length === 0) reported.failed.push(`${title}: ended with status ${status}`);
  if (status === 0 && reported.passed === 0 && reported.skipped.length === 0)
    reported.failed.push(`${title}: no tests were found`);
  results.push({ ...reported });
}

/** Vitest would import these files to leave out each of their tests. */
const excludeFullFiles = (project: Part) =>
  listFullFiles(join(root, "tests", project)).flatMap((name) => ["--exclude", `tests/${project}/${name}`]);

async function vitest(projects: readonly Part[], env: Record<string, string> = {}): Promise<void> {
  if (projects.length === 0) return;
  const title = projects.join(", ");
  const report = join(folder, `${projects.join("-")}.json`);
  const named = getFiles(projects);
  const tag = scope === "long" ? "long" : "full";
  const isTagged = (tags: readonly string[]) => named.length > 0 || tags.includes(tag) === (scope !== "quick");
  await runTests(
    title,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      ...(named.length > 0 ? named : ["--tagsFilter", scope === "quick" ? `!${tag}` : tag]),
      ...(named.length === 0 && scope === "quick" ? projects.flatMap(excludeFullFiles) : []),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    { ...(scope === "long" ? { TEST_FACTOR: "10" } : {}), ...env },
    () => vitestResults(report, isTagged),
  );
}

async function playwright(env: Record<string, string>): Promise<void> {
  const report = join(folder, "e2e.json");
  const named = getFiles(["e2e"]);
  const scopeEnv: Record<string, string> = named.length > 0 ? {} : { TEST_SCOPE: scope };
  await runTests(
    "e2e",
    ["node_modules/@playwright/test/cli.js", "test", ...named],
    { ...env, ...scopeEnv, E2E_FOLDER: folder },
    () => playwrightResults(report),
  );
}

async function checkAndUnits(): Promise<void> {
  if (isRequested("check")) {
    const status = await run("check", ["scripts/check.ts"]);
    results.push(status === 0 ? { ...noResults, passed: 1 } : { ...noResults, failed: ["check"] });
  }
  await vitest(parts.filter((part) => ["unit", "stores", "server"].includes(part) && isRequested(part)));
}

async function build<Site>(title: string, start: () => Promise<Site | null>): Promise<Site | null> {
  const startedAt = performance.now();
  console.log(`… ${title}`);
  const site = await start();
  console.log(`${site ? "✓" : "✗"} ${title}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  results.push(site ? { ...noResults, passed: 1 } : { ...noResults, failed: [title] });
  return site;
}

async function buildSites() {
  const site = await build("build for tests", () => startDemoSite(folder));
  // All that needs it is tagged `full`.
  const needsLabel = scope === "full" || getFiles(["build", "e2e"]).length > 0;
  const label = needsLabel ? await build("build of a label", () => startLabelSite(join(folder, "label"))) : null;
  if (site && isRequested("build")) await vitest(["build"], { ...site.env, ...label?.env });
  return { site, label };
}

// A build uses one processor and leaves the other to the checks; browser tests use all of them, and so do the others of `--full`.
const checks = checkAndUnits();
if (scope !== "quick") await checks;
const sites = isRequested("build") || isRequested("e2e") ? await buildSites() : null;
await checks;
if (sites?.site && isRequested("e2e")) await playwright({ ...sites.site.env, ...sites.label?.env });
await Promise.all([sites?.site?.end(), sites?.label?.end()]);

const { passed, failed, skipped, flaky } = mergeResults(results);
console.log("");
for (const name of flaky) console.log(`passed on a second try: ${name}`);
for (const name of skipped) console.log(`skipped: ${name}`);
for (const name of failed) console.log(`failed: ${name}`);
console.log(`${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`);
process.exit(failed.length > 0 ? 1 : 0);
