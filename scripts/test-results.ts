import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./child.ts";

export interface Results {
  passed: number;
  /** By name, so that the end of a long output says which. */
  failed: string[];
  skipped: string[];
}

export const nothing: Results = { passed: 0, failed: [], skipped: [] };

export function sum(all: Results[]): Results {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.flatMap(({ failed }) => failed),
    skipped: all.flatMap(({ skipped }) => skipped),
  };
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** Counts a Vitest report. A file that could not even be read counts as one failure. */
export function vitestResults(report: string): Results | null {
  if (!existsSync(report)) return null;
  const { testResults }: VitestReport = JSON.parse(readFileSync(report, "utf8"));
  return sum(
    testResults.map(({ name, status, assertionResults }) => {
      const file = relative(root, name);
      const named = (...states: string[]) =>
        assertionResults.filter((test) => states.includes(test.status)).map((test) => `${file}: ${test.fullName.trim()}`);
      const failed = named("failed");
      if (status === "failed" && failed.length === 0) failed.push(`${file}: the file itself`);
      return { passed: named("passed").length, failed, skipped: named("pending", "skipped", "todo", "disabled") };
    }),
  );
}

interface PlaywrightSuite {
  title: string;
  specs?: { title: string; tests: { projectName: string; status: string }[] }[];
  suites?: PlaywrightSuite[];
}

/** Counts a Playwright report. What only passed on a second try has failed. */
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
    spec.tests.map(({ projectName, status }) => ({ name: `${[...path, spec.title].join(" > ")} [${projectName}]`, status })),
  );
  const named = (wanted: (status: string) => boolean) => tests.filter(({ status }) => wanted(status)).map(({ name }) => name);
  const own = {
    passed: named((status) => status === "expected").length,
    failed: named((status) => status === "unexpected" || status === "flaky"),
    skipped: named((status) => status === "skipped"),
  };
  return sum([own, ...suites.map((suite) => suiteResults(suite, path))]);
}
