import type { Page } from "@playwright/test";
import { withPrefix } from "../../i18n/locale.ts";
import { matchRoute } from "../../src/routes.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

/** One script for each way of loading it: its file, a page that needs it, and a check that it works. */
const scripts: Record<string, { file: string; path: string; expectWorking: (page: Page) => Promise<void> }> = {
  "the script of every page": {
    file: "**/_astro/Base.astro*",
    path: "/about/terms",
    expectWorking: async (page) => {
      await page.getByRole("contentinfo").locator("[data-mode=dark]").click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    },
  },
  "the island runtime of member pages": {
    file: "**/_astro/islands.*.js",
    path: "/user/info",
    expectWorking: async (page) => {
      await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
    },
  },
  "a chunk that is imported on demand": {
    file: "**/_astro/calls.*.js",
    path: "/about/terms",
    expectWorking: async (page) => {
      const requests = () => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      await expect.poll(() => page.evaluate(requests)).toContain("/v1/user/info");
    },
  },
};

inBothLanguages(
  () => {
    // The importing script does not catch the failed import.
    test.use({ allowed: [/ERR_FAILED|Failed to fetch|^uncaught: $/] });
    for (const [name, { file, path, expectWorking }] of Object.entries(scripts)) {
      test(`shows a working reload button when ${name} fails to load`, async ({ page, prefix, t }) => {
        await logIn(page);
        await page.route(file, (route) => route.abort());
        await page.goto(prefix + path);
        const notice = page.getByRole("alert").filter({ hasText: t.frame.failureTitle });
        await expect(notice).toBeVisible();
        await expect(page.locator("h1")).toBeVisible();
        await page.unroute(file);
        const reloaded = page.waitForEvent("load");
        await notice.getByRole("button", { name: t.frame.reload }).click();
        await reloaded;
        await expectWorking(page);
        await expect(notice).toBeHidden();
      });

      test(`reloads once and then shows a reload button when a newer build has removed ${name}`, {
        tag: name === "the script of every page" ? [] : ["@full"],
      }, async ({ page, prefix, t }) => {
        await logIn(page);
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
        await waitForIdle(page);
        expect(loads).toBe(2);
      });
    }
  },
  { tag: "@phone" },
);

/** Reading pages, each with the kind of entries that it lists. */
const lists = [
  { path: "/", kind: "event", back: "/event" },
  { path: "/", kind: "news", back: "/news" },
  { path: "/event", kind: "event", back: "/event" },
  { path: "/news", kind: "news", back: "/news" },
] as const;

inBothLanguages(
  () => {
    test.use({ javaScriptEnabled: false });
    for (const { path, kind, back } of lists)
      test(`without JavaScript ${path} can be read and links to each ${kind} and back`, {
        tag: path === "/" ? ["@full"] : [],
      }, async ({ page, prefix }) => {
        await page.goto(withPrefix(prefix, path));
        const main = page.getByRole("main");
        await expect(page.locator("h1")).toBeVisible();
        await expect(page.locator("h1")).not.toBeEmpty();
        await expect(main.locator("[aria-busy=true]:visible, .skeleton:visible")).toHaveCount(0);

        const hrefs = await main
          .locator("a[href]")
          .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
        const targets = [...new Set(hrefs)].filter((href) => matchRoute(href)?.name === kind);
        expect(targets.length).toBeGreaterThan(0);
        for (const href of targets) {
          const entry = main
            .locator(`:is(article, li, section, a):has(a[href="${href}"]), a[href="${href}"]`)
            .filter({ visible: true })
            .last();
          await expect(entry, href).toBeVisible();
          await expect(entry, href).toHaveText(/\S/);
          expect((await page.request.get(href)).status(), href).toBe(200);
        }

        await main.locator(`a[href="${targets[0]}"]`).filter({ visible: true }).last().click();
        await expect(page).toHaveURL(targets[0] ?? "");
        await expect(page.locator("h1")).toBeVisible();
        await expect(main.locator(".prose").last()).toBeVisible();
        await expect(main.locator(".prose").last()).toHaveText(/\S/);
        await expect(main.locator("[aria-busy=true]:visible, .skeleton:visible")).toHaveCount(0);
        await main.locator(`a[href="${prefix}${back}"]`).first().click();
        await expect(page).toHaveURL(`${prefix}${back}`);
      });
  },
  { tag: "@phone" },
);
