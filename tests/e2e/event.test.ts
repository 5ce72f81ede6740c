import type { Page } from "@playwright/test";
import { activity } from "../../i18n/activity.ts";
import { event } from "../../i18n/event.ts";
import { getLocale } from "../../i18n/locale.ts";
import { news } from "../../i18n/news.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const hrefs = (page: Page, list: string) =>
  page.locator(`${list} h3 a`).evaluateAll((links) => links.map((link) => link.getAttribute("href")));
const [coming, past] = ["[data-ends]", "[data-board=past] > li"];

inBothLanguages(() => {
  test('an event page replaces its booking and calendar links with "over" once the event has ended', async ({
    page,
    prefix,
  }) => {
    const t = event[getLocale(prefix)];
    const main = page.getByRole("main");
    const over = main.getByText(t.over, { exact: true }).first();
    const book = main.getByRole("link", { name: activity[getLocale(prefix)].book });
    const calendar = main.getByRole("link", { name: t.calendar });
    await page.goto(`${prefix}/event/echo`);
    await expect(book).toBeVisible();
    await expect(calendar).toBeVisible();
    await expect(over).toBeHidden();
    await page.clock.setFixedTime((await page.locator("[data-ends]").getAttribute("data-ends")) ?? "");
    await page.reload();
    await expect(over).toBeVisible();
    // The availability script does not undo it.
    await waitForIdle(page);
    await expect(over).toBeVisible();
    await expect(book).toBeHidden();
    await expect(calendar).toBeHidden();
    await expect(main.getByRole("link", { name: activity[getLocale(prefix)].others })).toBeVisible();
  });

  test("the event list moves events that ended after the build to the past events", async ({ page, prefix }) => {
    await page.goto(prefix || "/");
    const announced = await hrefs(page, coming);
    await page.goto(`${prefix}/event`);
    const shown = await hrefs(page, `[data-board=coming] > ${coming}`);
    const ends = await page.locator(coming).evaluateAll((rows) => rows.map((row) => row.getAttribute("data-ends") ?? ""));
    const before = await hrefs(page, past);
    const [first = ""] = ends;
    const ended = shown.filter((_, at) => Date.parse(ends[at] ?? "") <= Date.parse(first));
    await page.clock.setFixedTime(first);
    await page.reload();
    expect(await hrefs(page, `[data-board=coming] > ${coming}`)).toEqual(shown.filter((href) => !ended.includes(href)));
    expect(await hrefs(page, past)).toEqual([...ended.toReversed(), ...before]);
    await page.goto(prefix || "/");
    expect(await hrefs(page, coming)).toEqual(announced.filter((href) => !ended.includes(href)));
  });

  test("the home page hides upcoming events once all of them have ended", async ({ page, prefix }) => {
    const heading = page.getByRole("heading", { name: event[getLocale(prefix)].comingUp });
    await page.goto(prefix || "/");
    await expect(heading).toBeVisible();
    await page.clock.setFixedTime("2099-01-01T00:00+08:00");
    await page.reload();
    await expect(heading).toBeHidden();
  });

  test("an event that was over at build time links to other events and has no calendar link", async ({ page, prefix }) => {
    const main = page.getByRole("main");
    await page.goto(`${prefix}/event/sample-over`);
    await expect(main.getByRole("link", { name: activity[getLocale(prefix)].others })).toBeVisible();
    await expect(main.getByRole("link", { name: event[getLocale(prefix)].calendar })).toHaveCount(0);
  });
});

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
