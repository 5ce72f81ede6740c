import { withPrefix } from "../../i18n/locale.ts";
import { matchRoute } from "../../src/routes.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

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
        await expect(main.locator("[aria-busy=true]:visible, .sk:visible")).toHaveCount(0);

        const hrefs = await main
          .locator("a[href]")
          .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
        const targets = [...new Set(hrefs)].filter((href) => matchRoute(href)?.name === kind);
        expect(targets.length).toBeGreaterThan(0);
        for (const href of targets) {
          const entry = main.locator(`:is(article, li, section, a):has(a[href="${href}"]), a[href="${href}"]`).last();
          await expect(entry, href).toBeVisible();
          await expect(entry, href).toHaveText(/\S/);
          expect((await page.request.get(href)).status(), href).toBe(200);
        }

        await main.locator(`a[href="${targets[0]}"]`).last().click();
        await expect(page).toHaveURL(targets[0] ?? "");
        await expect(page.locator("h1")).toBeVisible();
        await expect(main.locator(".prose").last()).toBeVisible();
        await expect(main.locator(".prose").last()).toHaveText(/\S/);
        await expect(main.locator("[aria-busy=true]:visible, .sk:visible")).toHaveCount(0);
        await main.locator(`a[href="${prefix}${back}"]`).first().click();
        await expect(page).toHaveURL(`${prefix}${back}`);
      });
  },
  { tag: "@phone" },
);
