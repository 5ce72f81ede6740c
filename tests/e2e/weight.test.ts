import { brotliCompressSync } from "node:zlib";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { at, readingKinds } from "./support/pages.ts";
import { bytesOf, type Loaded, loadUntilIdle } from "./support/weight.ts";

const kib = 1024;
const isReact = ({ path }: Loaded) => /\/(react|client)\./.test(path);

/** What a reader's page may cost besides its own words. Layout shifts fail every test. */
function expectLight(loaded: Loaded[]): void {
  const scripts = loaded.filter(({ type }) => type === "Script");
  const fonts = loaded.filter(({ type }) => type === "Font");
  expect(loaded.filter(isReact)).toEqual([]);
  expect(bytesOf(scripts, "Script")).toBeLessThanOrEqual(8 * kib);
  expect(scripts.length).toBeLessThanOrEqual(7);
  // Styles stand in the page.
  expect(bytesOf(loaded, "Stylesheet")).toBe(0);
  // Pictures below the first screens come when they are near.
  expect(loaded.length).toBeLessThanOrEqual(28);
  expect(fonts.length).toBeLessThanOrEqual(1);
  expect(bytesOf(fonts, "Font")).toBeLessThanOrEqual(19 * kib);
}

test.describe("a reader's page", { tag: "@phone" }, () => {
  inBothLanguages(() => {
    test.use({ allowed: [/status of (404|500)/] });

    for (const path of readingKinds) {
      test(`${path} weighs no more than promised`, async ({ page, prefix }) => {
        const { loaded } = await loadUntilIdle(page, at(prefix, path));
        expect(bytesOf(loaded(), "Document")).toBeLessThanOrEqual(14 * kib);
        expectLight(loaded());
        // What waits for idle has been waited for.
        const live = await page.locator("[data-activity], [data-stop]").count();
        expect(loaded().some((one) => one.path.startsWith("/v1/"))).toBe(live > 0);
      });
    }

    test("an article weighs no more than promised, its own words left out", async ({ page, prefix }) => {
      const { loaded, html } = await loadUntilIdle(page, at(prefix, "/news/sample-1"));
      expectLight(loaded());
      const words = await page.locator("main .prose > [lang], main .prose > div").last().innerHTML();
      expect(html).toContain(words);
      expect(brotliCompressSync(html.replace(words, "")).byteLength).toBeLessThanOrEqual(14 * kib);
    });
  });

  test("brings React with the first intent, not before", async ({ page }) => {
    const { loaded } = await loadUntilIdle(page, "/");
    expect(loaded().filter(isReact)).toEqual([]);
    await page.locator("astro-island").first().locator("button").first().focus();
    await expect.poll(() => loaded().filter(isReact).length).toBeGreaterThan(0);
  });
});
