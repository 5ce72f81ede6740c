import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./process.ts";

export interface Results {
  passed: number;
  /** By name and with the reason below it, so that the end of a long output says which and why. */
  failed: string[];
  skipped: string[];
  /** Passed, but only when tried again. */
  unsteady: string[];
}

export const nothing: Results = { passed: 0, failed: [], skipped: [], unsteady: [] };

export function sum(all: Results[]): Results {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.flatMap(({ failed }) => failed),
    skipped: all.flatMap(({ skipped }) => skipped),
    unsteady: all.flatMap(({ unsteady }) => unsteady),
  };
}

/** A name, and under it the first lines of what was wrong. */
function withReason(name: string, [message = ""]: string[] = []): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return [name, ...lines.slice(0, 8).map((line) => `    ${line.slice(0, 300)}`)].join("\n");
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}

/** Counts a Vitest report. A file that could not even be read counts as one failure. */
export function vitestResults(report: string): Results | null {
  if (!existsSync(report)) return null;
  const { testResults }: VitestReport = JSON.parse(readFileSync(report, "utf8"));
  return sum(
    testResults.map(({ name, status, message, assertionResults }) => {
      const file = relative(root, name);
      const named = (...states: string[]) =>
        assertionResults
          .filter((test) => states.includes(test.status))
          .map((test) => withReason(`${file}: ${test.fullName.trim()}`, test.failureMessages));
      const failed = named("failed");
      if (status === "failed" && failed.length === 0) failed.push(withReason(`${file}: the file itself`, [message]));
      const skipped = named("pending", "skipped", "todo", "disabled");
      return { ...nothing, passed: named("passed").length, failed, skipped };
    }),
  );
}

interface PlaywrightTest {
  projectName: string;
  status: string;
  results: { errors: { message?: string }[] }[];
}

interface PlaywrightSuite {
  title: string;
  specs?: { title: string; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
}

/** Counts a Playwright report. What only passed on a second try has passed, and is named. */
export function playwrightResults(report: string): Results | null {
  if (!existsSync(report)) return null;
  const { suites, errors }: { suites: PlaywrightSuite[]; errors: { message?: string }[] } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  const outside = errors.map(({ message = "an error outside the tests" }) => `e2e: ${message.split("\n")[0]}`);
  return sum([...suites.map((suite) => suiteResults(suite, [])), { ...nothing, failed: outside }]);
}

function suiteResults({ title, specs = [], suites = [] }: PlaywrightSuite, above: string[]): Results {
  const path = [...above, title];
  const tests = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, status, results }) => {
      const messages = results.flatMap(({ errors }) => errors.map(({ message = "" }) => message));
      return { status, name: withReason(`${[...path, spec.title].join(" > ")} [${projectName}]`, messages) };
    }),
  );
  const named = (wanted: string) => tests.filter(({ status }) => status === wanted).map(({ name }) => name);
  const unsteady = named("flaky");
  const own = {
    passed: named("expected").length + unsteady.length,
    failed: named("unexpected"),
    skipped: named("skipped"),
    unsteady,
  };
  return sum([own, ...suites.map((suite) => suiteResults(suite, path))]);
}
