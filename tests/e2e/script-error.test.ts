import type { Page } from "@playwright/test";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

/** The ways in which a page asks for a script, one that comes in each, where a member meets it, and what works once it is there. */
const scripts: Record<string, { file: string; path: string; works: (page: Page) => Promise<void> }> = {
  "the script of every page": {
    file: "**/_astro/Base.astro*",
    path: "/about/terms",
    works: async (page) => {
      await page.getByRole("contentinfo").locator("[data-mode=dark]").click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    },
  },
  "the script that starts the islands of members' pages": {
    file: "**/_astro/islands.*.js",
    path: "/user/info",
    works: async (page) => {
      await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
    },
  },
  "a part that is imported when it is needed": {
    file: "**/_astro/calls.*.js",
    path: "/about/terms",
    works: async (page) => {
      const requests = () => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      await expect.poll(() => page.evaluate(requests)).toContain("/v1/user/info");
    },
  },
};

inBothLanguages(
  () => {
    // The import that fails is not caught by whoever asked for it.
    test.use({ allowed: [/ERR_FAILED|Failed to fetch|^uncaught: $/] });
    for (const [name, { file, path, works }] of Object.entries(scripts)) {
      test(`${name} does not come: the member is shown a way to reload, which helps`, async ({ page, prefix, t }) => {
        await logIn(page, prefix);
        await page.route(file, (route) => route.abort());
        await page.goto(prefix + path);
        const notice = page.getByRole("alert").filter({ hasText: t.frame.failureTitle });
        await expect(notice).toBeVisible();
        await expect(page.locator("h1")).toBeVisible();
        await page.unroute(file);
        const reloaded = page.waitForEvent("load");
        await notice.getByRole("button", { name: t.frame.reload }).click();
        await reloaded;
        await works(page);
        await expect(notice).toBeHidden();
      });

      test(`${name} is gone with a newer build: the page reloads once, then shows the way`, async ({ page, prefix, t }) => {
        await logIn(page, prefix);
        await page.route(file, (route) => route.abort());
        await page.route("**/build.json", (route) => route.fulfill({ json: { id: "next", code: "next" } }));
        let loads = 0;
        page.on("request", (request) => {
          if (request.isNavigationRequest()) loads += 1;
        });
        // The reload may come before the page has loaded.
        await page.goto(prefix + path, { waitUntil: "commit" });
        await expect.poll(() => loads).toBe(2);
        await expect(page.getByRole("alert").filter({ hasText: t.frame.failureTitle })).toBeVisible();
        await page.waitForLoadState("networkidle");
        expect(loads).toBe(2);
      });
    }
  },
  { tag: "@phone" },
);
