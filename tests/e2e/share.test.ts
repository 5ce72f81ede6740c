import { getLocale } from "../../i18n/locale.ts";
import { news } from "../../i18n/news.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

inBothLanguages(
  () => {
    for (const path of ["/news/sample-1", "/event/entrance"]) {
      const tag = path.startsWith("/news") ? [] : ["@full"];
      test(`the share button of ${path} opens the browser's share dialog`, { tag }, async ({ page, prefix }) => {
        await page.addInitScript(() => {
          const share = async (data: ShareData) => void Object.assign(window, { shared: data });
          Object.defineProperty(navigator, "share", { value: share });
        });
        await page.goto(prefix + path);
        const button = page.getByRole("button", { name: news[getLocale(prefix)].share });
        await button.click();
        expect(await page.evaluate(() => Reflect.get(window, "shared"))).toEqual({
          title: await page.title(),
          url: page.url(),
        });
        await expect(button).toBeVisible();
      });

      test(`the share button of ${path} copies the URL and confirms it without a share dialog`, { tag }, async ({
        page,
        prefix,
        context,
      }) => {
        const t = news[getLocale(prefix)];
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        await page.addInitScript(() => Object.defineProperty(navigator, "share", { value: undefined }));
        await page.goto(prefix + path);
        await page.getByRole("button", { name: t.share }).click();
        await expect(page.getByRole("button", { name: t.copied })).toBeVisible();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
      });

      test(`${path} hides the share button when the browser can neither share nor copy`, { tag }, async ({ page, prefix }) => {
        await page.addInitScript(() => {
          for (const name of ["share", "clipboard"]) Object.defineProperty(navigator, name, { value: undefined });
        });
        await page.goto(prefix + path);
        await waitForIdle(page);
        await expect(page.getByRole("button", { name: news[getLocale(prefix)].share })).toHaveCount(0);
        await expect(page.locator("[data-share]")).toBeHidden();
      });
    }
  },
  { tag: "@phone" },
);
