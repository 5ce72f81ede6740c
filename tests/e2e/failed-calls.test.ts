import type { Page, Route } from "@playwright/test";
import { event } from "../../i18n/event.ts";
import { logIn, logInHere } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, test } from "./support/page.ts";

const json = (body: unknown, status = 200) => ({ status, json: body });
const refused = "今天不行";
type Reason = "offline" | "timeout" | "server" | "unreadable";

/** What may happen to a call on its way, and the text that the page shows for it. */
const faults: Record<string, [happen: (route: Route) => Promise<void>, shown: Reason | typeof refused]> = {
  "no connection": [(route) => route.abort("internetdisconnected"), "offline"],
  "a connection that breaks": [(route) => route.abort("connectionreset"), "offline"],
  "a 500": [(route) => route.fulfill(json({ code: 10500, msg: "", data: {} }, 500)), "server"],
  "a page of HTML": [
    (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Wi-Fi</title>" }),
    "unreadable",
  ],
  "broken JSON": [(route) => route.fulfill({ contentType: "application/json", body: '{"code":1,' }), "unreadable"],
  "a refusal": [(route) => route.fulfill(json({ code: 10006, msg: refused, data: {} })), refused],
  "data of another shape": [(route) => route.fulfill(json({ code: 1, msg: "", data: { list: 7, info: "?" } })), "unreadable"],
  "no answer in time": [async () => {}, "timeout"],
};

/** A page of each kind, and how a member comes to have it. */
const pages: Record<string, (page: Page) => Promise<string>> = {
  "one's own page": async () => "/user/info",
  "the orders": async () => "/user/order/list?tab=packages",
  "an order": async (page) => `/mall/order/${await orderTote(page)}`,
  "what is about to be ordered": async () => "/mall/order/confirm/tote?sku=tote&quantity=1",
  "an activity": async () => "/mall/order_event/entrance",
  "a good that is new": async () => "/mall/item/not-known-at-build",
  "the campaign's form": async () => "/event/spring",
};

// The short run has every page and every fault once, the long one all pairs.
const places = Object.entries(pages);
const all = Object.entries(faults);
const rows = places.flatMap(([place, open], row) =>
  all
    .filter((_, column) => process.env.LONG || column % places.length === row || row % all.length === column)
    .map(([fault, [happen, shown]]) => ({ place, open, fault, happen, shown })),
);
const calls = /\/v1\/(?!user\/info|marsx|main)/;

test.describe("with", { tag: "@desktop" }, () => {
  test.use({ allowed: [/Failed to load resource/] });
  for (const { place, open, fault, happen, shown } of rows)
    test(`${fault}, ${place} shows why, and a retry works`, async ({ page, t }) => {
      await logIn(page, "");
      const path = await open(page);
      await page.route(calls, happen);
      await page.goto(path);
      const main = page.getByRole("main");
      const retry = main.getByRole("button", { name: t.state.retry });
      await expect(retry.first()).toBeVisible({ timeout: 25_000 });
      await expect(main.locator("[aria-busy=true]:visible")).toHaveCount(0, { timeout: 25_000 });
      await expect(main).toContainText(shown === refused ? refused : t.state[shown]);
      await page.unrouteAll();
      // A page of several parts has a way on for each.
      await expect
        .poll(async () => {
          if (await retry.first().isVisible()) await retry.first().click();
          return retry.count();
        })
        .toBe(0);
      await expect(main.locator("[aria-busy=true]:visible")).toHaveCount(0);
      await expect(page.locator("#failure")).toBeHidden();
    });

  // 10001 is no failure; the calls of a page for visitors do not answer it.
  const forVisitors = ["a good that is new", "the campaign's form"];
  for (const [place, open] of places.filter(([place]) => !forVisitors.includes(place)))
    test(`a session that is over, ${place} leads to login and back`, async ({ page }) => {
      await logIn(page, "");
      const path = await open(page);
      await page.route(calls, (route) => route.fulfill(json({ code: 10001, msg: "", data: null })));
      await page.goto(path);
      await expect(page).toHaveURL(`/user/login?${new URLSearchParams({ redirect: path })}`);
      expect(await page.evaluate(() => localStorage.getItem("TOKEN"))).toBeFalsy();
      await page.unrouteAll();
      await logInHere(page, "");
      await expect(page).toHaveURL(path);
    });

  test("a session that is over, the campaign's form becomes a visitor's, whose way leads to login and back", async ({
    page,
  }) => {
    await logIn(page, "");
    await page.evaluate(() => localStorage.setItem("TOKEN", "x".repeat(43)));
    await page.goto("/event/spring");
    await page.getByRole("main").getByRole("link", { name: event["zh-CN"].springBook }).click();
    await expect(page).toHaveURL("/user/login?redirect=%2Fevent%2Fspring");
    await logInHere(page, "");
    await expect(page).toHaveURL("/event/spring");
  });
});
