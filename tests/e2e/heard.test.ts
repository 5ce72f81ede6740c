import type { Page } from "@playwright/test";
import { fill } from "#i18n/catalogue.ts";
import { goods } from "#i18n/goods.ts";
import { getLocale } from "#i18n/locale.ts";
import { checkout, order } from "#i18n/order.ts";
import { contract } from "#src/api/contract.ts";
import { callServer, homeAddress, logIn, orderTote, preRegistration } from "./support/member.ts";
import { expect, inBothLanguages, prefixPath, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

// What people hear who see nothing of the page.

/** Returns the dates that are heard as numbers: 03.20, 2027.03.20. Prices are none. */
async function findDrawnDates(page: Page): Promise<string[]> {
  const heard = await page.locator("body").ariaSnapshot();
  return heard.match(/.*(?<![¥\d.])(?:\d{4}\.)?(?:0[1-9]|1[0-2])\.[0-3]\d(?![\d.]).*/g) ?? [];
}

/** Returns what has no name, or a table whose rows differ in their number of columns. */
function findUnnamed(): string[] {
  const isNamed = (element: Element) => Boolean(element.getAttribute("aria-label")?.trim() || element.textContent?.trim());
  const countColumns = (row: HTMLTableRowElement) => Array.from(row.cells).reduce((sum, { colSpan }) => sum + colSpan, 0);
  return [
    ...Array.from(document.querySelectorAll("fieldset > :first-child:not(legend)"), () => "fieldset without a legend"),
    ...Array.from(document.querySelectorAll("th, legend, search, [role=search]")).flatMap((element) =>
      isNamed(element) ? [] : `${element.tagName} without a name`,
    ),
    ...Array.from(document.querySelectorAll("form:has([type=search])")).flatMap((form) =>
      form.querySelector("button[type=submit][aria-label]") ? [] : "search form without a button",
    ),
    ...Array.from(document.querySelectorAll("table")).flatMap(({ rows }) =>
      new Set(Array.from(rows, countColumns)).size > 1 ? "table with rows of several widths" : [],
    ),
  ];
}

inBothLanguages(
  () => {
    test("an item, a pass and the checkout say price and quantity when they change", async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      const [t, c, o] = [goods[locale], checkout[locale], order[locale]];
      const status = page.getByRole("status");
      await page.goto(`${prefix}/mall/item/vinyl`);
      await page.getByRole("radio", { name: locale === "zh-CN" ? "签名" : "Signed" }).click();
      await expect(status.filter({ hasText: fill(t.sum, { n: 1, sum: "¥368" }) })).toHaveCount(1);
      await page.getByRole("button", { name: t.more }).click();
      await expect(status.filter({ hasText: fill(t.sum, { n: 2, sum: "¥736" }) })).toHaveCount(1);

      await page.goto(`${prefix}/mall/vip/regular`);
      await page.getByRole("radio").first().check({ force: true });
      await expect(page.locator("[aria-live=polite]").filter({ hasText: "¥98" })).toHaveCount(1);

      await logIn(page);
      await callServer(page, contract.addressAdd, homeAddress);
      await page.goto(`${prefix}/mall/order/confirm/tote?sku=tote&quantity=99`);
      await page.getByRole("button", { name: new RegExp(c.take.replace("{n}", "\\d+")) }).click();
      await expect(status.filter({ hasText: new RegExp(`${c.quantity.replace("{n}", "\\d+")} ${o.due} ¥\\d`) })).toHaveCount(1);
    });

    test("fieldsets, table headers and search forms have names, and rows of a table as many columns", async ({
      page,
      prefix,
    }) => {
      for (const path of ["/", "/search", "/mall/item/vinyl", "/mall/vip/regular", "/user/ui", "/user/login"]) {
        await page.goto(prefixPath(prefix, path));
        await waitForIdle(page);
        expect(await page.evaluate(findUnnamed), path).toEqual([]);
      }
    });

    test("the login leads to itself in the other language, with the way back", async ({ page, prefix, t }) => {
      await page.goto(`${prefix}/user/login?redirect=%2Fmall`);
      await page.getByRole("link", { name: t.frame.otherLabel }).click();
      await expect(page).toHaveURL(`${prefix ? "" : "/en-US"}/user/login?redirect=%2Fmall`);
    });
  },
  { tag: "@phone" },
);

/** Returns what is heard as a number of a page that has loaded. */
async function listDrawnDates(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  await expect(page.getByRole("main").locator("[aria-busy=true]:visible")).toHaveCount(0);
  await waitForIdle(page);
  return (await findDrawnDates(page)).map((line) => `${path}: ${line.trim()}`);
}

const datedPages = ["/", "/event", "/event/entrance", "/news", "/news/ferry-log", "/search", "/about/terms"];

inBothLanguages(() => {
  for (const path of datedPages)
    test(`dates of ${path} are heard as dates`, { tag: "@full" }, async ({ page, prefix }) => {
      expect(await listDrawnDates(page, prefixPath(prefix, path))).toEqual([]);
    });

  test("dates of a member's bookings are heard as dates", { tag: "@full" }, async ({ page, prefix }) => {
    await logIn(page);
    await callServer(page, contract.makeBooking, { ...preRegistration, stop: "kunming" });
    await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
    for (const path of ["/user/info", "/mall/order_event/entrance", "/event/spring"])
      expect(await listDrawnDates(page, prefix + path)).toEqual([]);
  });

  test("dates of a member's orders are heard as dates", { tag: "@full" }, async ({ page, prefix }) => {
    await logIn(page);
    const order_sn = await orderTote(page);
    for (const path of ["/user/order/list", `/mall/order/${order_sn}`])
      expect(await listDrawnDates(page, prefix + path)).toEqual([]);
  });
});
