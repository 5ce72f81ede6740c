import { test as plain } from "./support/page.ts";
import { at, kinds } from "./support/pages.ts";
import { startSlowLine } from "./support/slow-network.ts";

const test = plain.extend({
  baseURL: async ({ baseURL }, use) => {
    const line = await startSlowLine(baseURL ?? "");
    await use(line.origin);
    line.end();
  },
});
test.use({ allowed: [/status of (404|500)/] });

for (const [prefix, locale, tag] of [
  ["", "zh-CN", "@phone"],
  ["/en-US", "en-US", "@desktop"],
] as const) {
  test.describe(locale, { tag }, () => {
    test.use({ prefix, locale });

    // The watch over every test reports layout shifts, with the page's path.
    test("pages arrive in pieces, and nothing that is seen moves", async ({ page }) => {
      for (const path of [...kinds, "/mall?category=records", "/mall?category=passes"]) {
        await page.goto(at(prefix, path), { waitUntil: "load" });
        await page.evaluate(() => window.flushProblems?.());
      }
    });
  });
}
