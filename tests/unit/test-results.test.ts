import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/process.ts";
import { mergeResults, playwrightResults, vitestResults } from "../../scripts/test-results.ts";

const folder = mkdtempSync(join(tmpdir(), "results-"));
afterAll(() => rmSync(folder, { recursive: true }));
function report(content: unknown): string {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe("test results", () => {
  it("count a Vitest report with files that fail to load, without tests of other tags", () => {
    const test = (fullName: string, status: string, tags: string[] = []) => ({
      fullName,
      status,
      tags,
      failureMessages: status === "failed" ? ["\u001b[31m1 is not 2\u001b[39m\n    at b.ts:1"] : [],
    });
    const file = report({
      testResults: [
        {
          name: join(root, "a.test.ts"),
          status: "failed",
          message: "",
          assertionResults: [test("one", "passed"), test("two", "failed"), test("three", "skipped")],
        },
        { name: join(root, "b.test.ts"), status: "failed", message: "no such module", assertionResults: [] },
        {
          name: join(root, "c.test.ts"),
          status: "passed",
          message: "",
          assertionResults: [test("four", "todo"), test("five", "passed"), test("six", "skipped", ["full"])],
        },
      ],
    });
    expect(vitestResults(file, (tags) => !tags.includes("full"))).toEqual({
      passed: 2,
      failed: ["a.test.ts: two\n    1 is not 2\n        at b.ts:1", "b.test.ts: the file itself\n    no such module"],
      skipped: ["a.test.ts: three", "c.test.ts: four"],
      flaky: [],
    });
  });

  it("count a Playwright report, with flaky tests and errors outside the tests", () => {
    const errors = (status: string) => (status === "flaky" || status === "unexpected" ? [{ message: "too late" }] : []);
    const spec = (title: string, status: string) => ({
      title,
      tests: [{ projectName: "phone", status, results: [{ errors: errors(status) }] }],
    });
    const file = report({
      suites: [
        {
          title: "a.test.ts",
          specs: [spec("one", "expected"), spec("two", "flaky")],
          suites: [{ title: "inner", specs: [spec("three", "unexpected"), spec("four", "skipped")] }],
        },
      ],
      errors: [{ message: "no module\nstack" }],
    });
    expect(playwrightResults(file)).toEqual({
      passed: 2,
      failed: ["a.test.ts > inner > three [phone]\n    too late", "e2e: no module"],
      skipped: ["a.test.ts > inner > four [phone]"],
      flaky: ["a.test.ts > two [phone]\n    too late"],
    });
  });

  it("are null without a report", () => {
    expect(vitestResults(join(folder, "none.json"), () => true)).toBeNull();
    expect(playwrightResults(join(folder, "none.json"))).toBeNull();
  });

  it("are summed", () => {
    const one = { passed: 1, failed: ["a"], skipped: [], flaky: [] };
    expect(mergeResults([one, one, { passed: 0, failed: [], skipped: ["b"], flaky: ["c"] }])).toEqual({
      passed: 2,
      failed: ["a", "a"],
      skipped: ["b"],
      flaky: ["c"],
    });
  });
});
