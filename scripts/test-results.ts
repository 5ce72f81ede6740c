import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./process.ts";

export interface Results {
  passed: number;
  /** Name and reason of each. */
  failed: string[];
  skipped: string[];
  /** Passed only on a retry. */
  flaky: string[];
}

export const noResults: Results = { passed: 0, failed: [], skipped: [], flaky: [] };

export function mergeResults(all: Results[]): Results {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.flatMap(({ failed }) => failed),
    skipped: all.flatMap(({ skipped }) => skipped),
    flaky: all.flatMap(({ flaky }) => flaky),
  };
}

/** Formats a name with the first lines of its error. */
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
    assertionResults: { fullName: string; status: string; tags: string[]; failureMessages?: string[] }[];
  }[];
}

/** Counts a Vitest report: the tests with tags that were requested. A file that fails to load counts as one failure. */
export function vitestResults(report: string, isRequested: (tags: readonly string[]) => boolean): Results | null {
  if (!existsSync(report)) return null;
  const { testResults }: VitestReport = JSON.parse(readFileSync(report, "utf8"));
  return mergeResults(
    testResults.map(({ name, status, message, assertionResults }) => {
      const file = relative(root, name);
      const filterByStatus = (...statuses: string[]) =>
        assertionResults
          .filter(({ status, tags }) => statuses.includes(status) && isRequested(tags))
          .map((test) => withReason(`${file}: ${test.fullName.trim()}`, test.failureMessages));
      const failed = filterByStatus("failed");
      if (status === "failed" && failed.length === 0) failed.push(withReason(`${file}: the file itself`, [message]));
      const skipped = filterByStatus("pending", "skipped", "todo", "disabled");
      return { ...noResults, passed: filterByStatus("passed").length, failed, skipped };
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

/** Counts a Playwright report. Flaky tests count as passed and are listed. */
export function playwrightResults(report: string): Results | null {
  if (!existsSync(report)) return null;
  const { suites, errors }: { suites: PlaywrightSuite[]; errors: { message?: string }[] } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  const outsideTests = errors.map(({ message = "an error outside the tests" }) => `e2e: ${message.split("\n")[0]}`);
  return mergeResults([...suites.map((suite) => suiteResults(suite, [])), { ...noResults, failed: outsideTests }]);
}

function suiteResults({ title, specs = [], suites = [] }: PlaywrightSuite, parentTitles: string[]): Results {
  const path = [...parentTitles, title];
  const tests = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, status, results }) => {
      const messages = results.flatMap(({ errors }) => errors.map(({ message = "" }) => message));
      return { status, name: withReason(`${[...path, spec.title].join(" > ")} [${projectName}]`, messages) };
    }),
  );
  const filterByStatus = (expected: string) => tests.filter(({ status }) => status === expected).map(({ name }) => name);
  const flaky = filterByStatus("flaky");
  const ownResults = {
    passed: filterByStatus("expected").length + flaky.length,
    failed: filterByStatus("unexpected"),
    skipped: filterByStatus("skipped"),
    flaky,
  };
  return mergeResults([ownResults, ...suites.map((suite) => suiteResults(suite, path))]);
}
