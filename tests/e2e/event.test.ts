import type { Page } from "@playwright/test";
import { activity } from "#i18n/activity.ts";
import { event } from "#i18n/event.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { news } from "#i18n/news.ts";
import { contract } from "#src/api/contract.ts";
import { changeAnswers } from "./support/member.ts";
import { expect, inBothLanguages, onLabel, test } from "./support/page.ts";
import { recordMotion, waitForIdle } from "./support/watch.ts";

const hrefs = (page: Page, list: string) =>
  page.locator(`${list} h3 a`).evaluateAll((links) => links.map((link) => link.getAttribute("href")));
const [coming, past] = ["[data-ends]", "[data-board=past] li:not([hidden])"];

/** The name of the link that stands beside "over": to its news, else to the other shows. */
const onwards = (prefix: Prefix) => {
  const { report, others } = activity[getLocale(prefix)];
  return new RegExp(`^(${report}|${others})$`);
};

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
    for (const way of [book, calendar]) await expect(way).toBeVisible();
    await expect(over).toBeHidden();
    await page.clock.setFixedTime((await page.locator("[data-ends]").getAttribute("data-ends")) ?? "");
    await page.reload();
    await expect(over).toBeVisible();
    // The availability script does not undo it.
    await waitForIdle(page);
    await expect(over).toBeVisible();
    await expect(book).toBeHidden();
    await expect(calendar).toBeHidden();
    await expect(main.getByRole("link", { name: onwards(prefix) })).toBeVisible();
  });

  test("the event list moves events that ended after the build to the past events", async ({ page, prefix }) => {
    await page.goto(prefix || "/");
    const announced = await hrefs(page, coming);
    await page.goto(`${prefix}/event`);
    const shown = await hrefs(page, `[data-board=coming] ${coming}`);
    const ends = await page.locator(coming).evaluateAll((rows) => rows.map((row) => row.getAttribute("data-ends") ?? ""));
    const before = await hrefs(page, past);
    const [first = ""] = ends;
    const ended = shown.filter((_, at) => Date.parse(ends[at] ?? "") <= Date.parse(first));
    await page.clock.setFixedTime(first);
    await page.reload();
    expect(await hrefs(page, `[data-board=coming] ${coming}`)).toEqual(shown.filter((href) => !ended.includes(href)));
    expect(await hrefs(page, past)).toEqual([...ended.toReversed(), ...before]);
    await page.goto(prefix || "/");
    expect(await hrefs(page, coming)).toEqual(announced.filter((href) => !ended.includes(href)));
  });

  test("the board names each year and month once, and one whose shows have ended is gone", async ({ page, prefix }) => {
    await page.goto(`${prefix}/event`);
    const board = page.locator("[data-board=coming]");
    const years = await board.locator("[data-year] > h3").allTextContents();
    expect(new Set(years).size).toBe(years.length);
    const [first = "none", ...months] = await board.locator("h4").allTextContents();
    const month = board.locator("[data-month]:has(h4) li:last-child").first();
    await page.clock.setFixedTime((await month.getAttribute("data-ends")) ?? "");
    await page.reload();
    await expect(board.locator("h4"), first).toHaveText(months);
    await page.clock.setFixedTime("2099-01-01T00:00+08:00");
    await page.reload();
    await expect(board.locator("[data-year]")).toHaveCount(0);
    await expect(board.getByText(event[getLocale(prefix)].noneTitle)).toBeVisible();
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
    await expect(main.getByRole("link", { name: onwards(prefix) })).toBeVisible();
    await expect(main.getByRole("link", { name: event[getLocale(prefix)].calendar })).toHaveCount(0);
  });
});

test("a long word in a show's title does not widen the board", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/event");
  await page.locator("[data-board] h3 a").evaluateAll((links) => {
    for (const link of links) link.textContent = "Donaudampfschifffahrtskapitaen".repeat(2);
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  const name = `the board's words and posters ${reducedMotion === "reduce" ? "do not move with reduced motion" : "turn and travel"}`;
  test(name, async ({ page }) => {
    const moves = reducedMotion === "no-preference";
    await page.emulateMedia({ reducedMotion });
    const readMotion = await recordMotion(page);
    await page.goto("/event");
    await expect(page.locator("[data-activity][data-state]").first()).toBeVisible();
    const show = page.locator("[data-board=coming] h3 a").first();
    await show.hover();
    if (moves) await expect.poll(readMotion).toContain("flap");
    else expect(await readMotion()).toBe("");
    const name = await page.locator("[data-board=coming] img").first().getAttribute("data-transition");
    await show.click();
    await expect(page).toHaveURL(/\/event\/./);
    await waitForIdle(page);
    if (moves) expect(await readMotion()).toContain(`::view-transition-group(${name})`);
    else expect(await readMotion()).toBe("");
  });
}

inBothLanguages(
  () => {
    for (const path of ["/news/sample-1", "/event/entrance"]) {
      test(`the share button of ${path} opens the browser's share dialog`, async ({ page, prefix }) => {
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

      test(`the share button of ${path} copies the URL and confirms it without a share dialog`, async ({
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

      test(`${path} hides the share button when the browser can neither share nor copy`, async ({ page, prefix }) => {
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

test.describe("the shows of a label", () => {
  onLabel();

  inBothLanguages(() => {
    test("/event strikes the old date of a moved show and marks a cancelled one", async ({ page, prefix }) => {
      const t = event[getLocale(prefix)];
      await page.goto(`${prefix}/event`);
      const row = (id: string) => page.locator("article:visible", { has: page.locator(`a[href="${prefix}/event/${id}"]`) });
      await expect(row("paper")).toContainText(t.cancelled);
      await expect(row("tide").locator("s")).toContainText("06.20");
      await expect(row("tide")).toContainText("07.10");
      await expect(row("fog")).toContainText(t.walkIn);
      await page.goto(`${prefix}/event/paper`);
      await expect(page.getByRole("main")).toContainText(t.cancelledBody);
      await expect(page.getByRole("link", { name: activity[getLocale(prefix)].book })).toHaveCount(0);
      await expect(page.getByRole("link", { name: t.calendar })).toHaveCount(0);
      await expect(page.getByRole("heading", { name: t.terms })).toHaveCount(0);
      await page.goto(`${prefix}/event/tide`);
      await expect(page.locator("[data-ends] dl s")).toContainText("06.20");
    });

    test("/event/fog says in place of a button that nobody books it, until it is over", async ({ page, prefix }) => {
      const t = event[getLocale(prefix)];
      await page.goto(`${prefix}/event/fog`);
      await expect(page.getByText(t.walkInBody)).toBeVisible();
      await page.clock.setFixedTime("2036-11-30T12:00+08:00");
      await page.reload();
      await expect(page.getByText(t.over, { exact: true }).first()).toBeVisible();
      await expect(page.getByText(t.walkInBody)).toHaveCount(0);
    });

    test("/event/lantern counts down to the hour of each pass by the server's clock", async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      const t = event[locale];
      const opens = Date.parse("2036-05-18T12:00+08:00");
      let answers = 0;
      await changeAnswers(page, contract.activityInfo, (data) => {
        answers += 1;
        // The second answer comes after the hour.
        return { ...data, server_time: new Date(opens + (answers === 1 ? -2500 : 500)).toISOString() };
      });
      await page.goto(`${prefix}/event/lantern`);
      const hours = page.locator("[data-opens-in] dl > div");
      await expect(hours).toHaveCount(3);
      await expect(page.getByText(activity[locale].toSomePasses, { exact: true })).toBeVisible();
      await expect(hours.nth(1)).toContainText(
        locale === "zh-CN" ? "05.182036年5月18日 周日 12:00" : "05.18May 18, 2036 Sun 12:00",
      );
      await expect(hours.nth(1).locator("[data-opens]")).toHaveText(/00:00:0[1-3]/);
      // The first hour has come long ago, the last one is two days away.
      await expect(hours.nth(0).getByRole("link").last()).toHaveAttribute("href", `${prefix}/mall/order_event/lantern`);
      await expect(hours.nth(0).getByRole("link").first()).toHaveAttribute("href", new RegExp(`^${prefix}/mall/vip/`));
      await expect(hours.nth(2).locator("[data-opens]")).toHaveText(/ 2 (天|days)$|47:59:5\d/);
      await expect(hours.nth(1).getByRole("link", { name: t.openNow })).toBeVisible();
      await expect.poll(() => answers).toBe(2);
    });
  });

  test("calendar files say that a show is cancelled or has moved", async ({ request }) => {
    const read = async (id: string) => (await request.get(`/calendar/zh-CN/${id}.ics`)).text();
    expect(await read("paper")).toContain("STATUS:CANCELLED");
    expect(await read("lantern")).toMatch(/STATUS:CONFIRMED[\s\S]*TRIGGER;VALUE=DATE-TIME:20360520T040000Z/);
    expect(await read("tide")).toMatch(/DTSTART;TZID=Asia\/Shanghai:20360710T200000\r\n[\s\S]*SEQUENCE:[1-9]/);
  });
});
