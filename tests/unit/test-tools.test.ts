import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { root } from "../../scripts/process.ts";
import { compare } from "../../scripts/screenshots-compare.ts";
import { mergeResults, playwrightResults, vitestResults } from "../../scripts/test-results.ts";
import { findDifferences } from "../support/content/site.ts";

describe("pages of two builds", () => {
  const folder = mkdtempSync(join(tmpdir(), "entrance-pages-"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function differ(before: string, after: string): boolean {
    for (const [name, html] of [
      ["before", before],
      ["after", after],
    ] as const) {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, "index.html"), html);
    }
    return findDifferences(join(folder, "before"), join(folder, "after")).length > 0;
  }

  describe("comparing two builds", () => {
    it.each([
      ["class names", '<p class="a">One</p>', '<p class="b c">One</p>'],
      ["ids, and what points at them", '<a href="#a">x</a><b id="a">', '<a href="#b">x</a><b id="b">'],
      ["hashes and names of files", '<img src="/_astro/a.B1-_x.png">', '<img src="/_astro/other.C2.png">'],
      ["styles and scripts", "<style>a{}</style><script>1</script>", "<style>b{}</style><script>2</script>"],
      ["what is loaded ahead", '<link rel="modulepreload" href="/_astro/a.B.js">', ""],
      ["the attributes of islands", '<astro-island uid="1"><p>x</p>', '<astro-island uid="2" props="{}"><p>x</p>'],
      ["the build and its policy", '<meta name="build" content="1">', '<meta name="build" content="2">'],
    ])("ignores %s", (_, before, after) => {
      expect(differ(before, after)).toBe(false);
    });

    it.each([
      ["text", "<p>One</p>", "<p>Two</p>"],
      ["the order of elements", "<p>1</p><b>2</b>", "<b>2</b><p>1</p>"],
      ["an element", "<p>One</p>", "<div>One</div>"],
      ["a link", '<a href="/mall">x</a>', '<a href="/news">x</a>'],
      ["a label", '<b aria-label="One">', '<b aria-label="Two">'],
      [
        "structured data",
        '<script type="application/ld+json">{"a":1}</script>',
        '<script type="application/ld+json">{}</script>',
      ],
      ["a title", "<title>One</title>", "<title>Two</title>"],
    ])("reports a difference in %s", (_, before, after) => {
      expect(differ(before, after)).toBe(true);
    });
  });
});

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

describe("comparing pictures", () => {
  /** A white picture with a black square of some px. */
  const draw = async (file: string, square: number, height = 60) => {
    const black = { create: { width: square, height: square, channels: 3 as const, background: "#000" } };
    const white = sharp({ create: { width: 80, height, channels: 3, background: "#fff" } });
    await white
      .composite(square ? [{ input: black, left: 5, top: 5 }] : [])
      .png()
      .toFile(file);
    return file;
  };

  it.each([
    ["accepts equal ones", 20, 60, null],
    ["accepts a few pixels, as rounding makes", 3, 60, null],
    ["reports others, and draws where", 21, 60, /^differs in 41 pixels: .*difference\.png$/],
    ["reports another height", 20, 70, /^is 80 x 70, was 80 x 60$/],
  ])("%s", async (_, square, height, expected) => {
    const folder = mkdtempSync(join(tmpdir(), "pictures-"));
    const before = await draw(join(folder, "before.png"), square === 3 ? 0 : 20);
    const after = await draw(join(folder, "after.png"), square, height);
    const result = await compare(before, after, join(folder, "difference.png"));
    if (expected === null) expect(result).toBeNull();
    else expect(result).toMatch(expected);
    expect(existsSync(join(folder, "difference.png"))).toBe(square === 21);
  });
});
