import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findDifferences } from "../support/content/same-pages.ts";

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
