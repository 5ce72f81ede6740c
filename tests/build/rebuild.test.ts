// @module-tag full
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { demoFolder } from "#scripts/shop-paths.ts";
import { toSum } from "#src/build/files.ts";
import { copyCaches, startTestSite } from "#tests/support/content/test-site.ts";
import { root } from "#tests/support/rules/sources.ts";

/** One fact of each kind, and what stands before it in its files. */
const facts = {
  brand: ["site.yaml", /(?<=brand: ).*/g],
  news: ["news/tape", /(?<=^title: ).*/m],
  event: ["event/low", /(?<=^title: ).*/m],
  tour: ["campaign/spring", /(?<=^title: ).*/m],
  item: ["goods/tee", /(?<=^title: ).*/m],
  pass: ["package/regular", /(?<=^title: ).*/m],
  terms: ["about/terms", /(?<=^title: ).*/m],
} as const;

/** Writes the demo's shop, in which each of the facts is its name and `value`. */
function writeShop(folder: string, value: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(demoFolder, folder, { recursive: true });
  for (const [name, [path, pattern]] of Object.entries(facts)) {
    const files = path.includes(".") ? [path] : ["zh-CN", "en-US"].map((locale) => `${path}/index.${locale}.md`);
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8");
      expect(text, file).toMatch(pattern);
      writeFileSync(join(folder, file), text.replace(pattern, `${name}-${value}`));
    }
  }
}

describe("a site that is built again", { timeout: 400_000 }, () => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/rebuild-"));
  copyCaches(join(folder, "cache"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Returns the public files of the built site that are texts. */
  function readSite(): Map<string, string> {
    const dist = join(folder, "dist");
    const names = readdirSync(dist, { recursive: true }).map(String);
    // Calendars and the build's manifest hold its time.
    const shown = names.filter((name) => /\.(html|xml|json|js|svg)$/.test(name) && !/^\.hosting|^build\.json/.test(name));
    return new Map(shown.sort().map((name) => [name, readFileSync(join(dist, name), "utf8")]));
  }

  async function build(value: string): Promise<Map<string, string>> {
    rmSync(join(folder, "cache/dist"), { recursive: true, force: true });
    const site = await startTestSite(folder, { write: (content) => writeShop(content, value) });
    await site?.end();
    return readSite();
  }

  it("has each fact that has changed on every page that shows it, and is the same when none has", async () => {
    const [before, after] = [await build("before"), await build("after")];
    const listNames = (site: Map<string, string>, text: string) =>
      Array.from(site, ([name, content]) => (content.includes(text) ? name : "")).filter(Boolean);
    for (const name of Object.keys(facts)) {
      // The folder of a search index has its hash in its name.
      const shown = listNames(before, `${name}-before`).filter((file) => file.endsWith(".html"));
      expect(shown.length, name).toBeGreaterThan(2);
      expect(listNames(after, `${name}-after`), name).toEqual(expect.arrayContaining(shown));
      expect(listNames(after, `${name}-before`), name).toEqual([]);
    }
    const again = await build("after");
    const toSums = (site: Map<string, string>) => Array.from(site, ([name, text]) => [name, toSum(Buffer.from(text))]);
    expect(toSums(again)).toEqual(toSums(after));
  });
});
