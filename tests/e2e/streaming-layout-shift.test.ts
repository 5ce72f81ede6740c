import { test as plain } from "./support/page.ts";
import { prefixPath, samplePaths } from "./support/pages.ts";
import { startSlowProxy } from "./support/slow-network.ts";

const test = plain.extend({
  baseURL: async ({ baseURL }, use) => {
    const proxy = await startSlowProxy(baseURL ?? "");
    await use(proxy.origin);
    proxy.close();
  },
});
test.use({ allowed: [/status of (404|500)/] });

for (const [prefix, locale, tag] of [
  ["", "zh-CN", "@phone"],
  ["/en-US", "en-US", "@desktop"],
] as const) {
  test.describe(locale, { tag: [tag, "@full"] }, () => {
    test.use({ prefix, locale });

    // The `watched` fixture of every test reports layout shifts with the page's path.
    test("pages that stream in chunks cause no layout shift", async ({ page }) => {
      for (const path of [...samplePaths, "/mall?category=records", "/mall?category=passes"]) {
        await page.goto(prefixPath(prefix, path), { waitUntil: "load" });
        await page.evaluate(() => window.flushProblems?.());
      }
    });

    test("a list of shows that streams moves ended ones before it is painted", async ({ page }) => {
      await page.clock.setFixedTime("2099-01-01T00:00+08:00");
      await page.goto(prefixPath(prefix, "/event"), { waitUntil: "load" });
      await page.evaluate(() => window.flushProblems?.());
    });
  });
}
