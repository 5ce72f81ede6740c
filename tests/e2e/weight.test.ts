import { brotliCompressSync } from "node:zlib";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { prefixPath, readingPaths } from "./support/pages.ts";
import { type LoadedFile, loadUntilIdle, sumBytes } from "./support/weight.ts";

const kib = 1024;
const isReact = ({ path }: LoadedFile) => /\/(react|client)\./.test(path);

/** Checks the budget of a reading page without its HTML. Layout shifts fail every test anyway. */
function expectLight(loaded: LoadedFile[]): void {
  const scripts = loaded.filter(({ type }) => type === "Script");
  const fonts = loaded.filter(({ type }) => type === "Font");
  expect(loaded.filter(isReact)).toEqual([]);
  expect(sumBytes(scripts, "Script")).toBeLessThanOrEqual(8 * kib);
  expect(scripts.length).toBeLessThanOrEqual(7);
  // Styles are inlined.
  expect(sumBytes(loaded, "Stylesheet")).toBe(0);
  // Pictures below the first screens load lazily.
  expect(loaded.length).toBeLessThanOrEqual(28);
  expect(fonts.length).toBeLessThanOrEqual(1);
  expect(sumBytes(fonts, "Font")).toBeLessThanOrEqual(19 * kib);
}

/** `npm test` weighs one page of each layout. */
const sampled: readonly string[] = ["/", "/event", "/event/entrance", "/event/spring"];

test.describe("the weight of reading pages", { tag: "@phone" }, () => {
  inBothLanguages(() => {
    test.use({ allowed: [/status of (404|500)/] });

    for (const path of readingPaths) {
      const tag = sampled.includes(path) ? [] : ["@full"];
      test(`${path} stays within the budgets for HTML, scripts and fonts`, { tag }, async ({ page, prefix }) => {
        const { loaded } = await loadUntilIdle(page, prefixPath(prefix, path));
        expect(sumBytes(loaded(), "Document")).toBeLessThanOrEqual(14 * kib);
        expectLight(loaded());
        // Requests that wait for idle have been sent by now.
        const live = await page.locator("[data-activity], [data-stop]").count();
        expect(loaded().some((one) => one.path.startsWith("/v1/"))).toBe(live > 0);
      });
    }

    test("an article stays within the budgets, its own text excluded", async ({ page, prefix }) => {
      const { loaded, html } = await loadUntilIdle(page, prefixPath(prefix, "/news/sample-1"));
      expectLight(loaded());
      const words = await page.locator("main .prose > [lang], main .prose > div").last().innerHTML();
      expect(html).toContain(words);
      expect(brotliCompressSync(html.replace(words, "")).byteLength).toBeLessThanOrEqual(14 * kib);
    });
  });

  test("the home page loads React on the first interaction, not before", async ({ page }) => {
    const { loaded } = await loadUntilIdle(page, "/");
    expect(loaded().filter(isReact)).toEqual([]);
    await page.locator("astro-island").first().locator("button").first().focus();
    await expect.poll(() => loaded().filter(isReact).length).toBeGreaterThan(0);
  });
});
