import type { Page, Route } from "@playwright/test";
import { logIn } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, test } from "./support/page.ts";

const json = (body: unknown, status = 200) => ({ status, json: body });
/** What may happen to a call on its way. */
const faults: Record<string, (route: Route) => Promise<void>> = {
  "no connection": (route) => route.abort("internetdisconnected"),
  "a connection that breaks": (route) => route.abort("connectionreset"),
  "a 500": (route) => route.fulfill(json({ code: 10500, msg: "", data: {} }, 500)),
  "a page of HTML": (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Wi-Fi</title>" }),
  "broken JSON": (route) => route.fulfill({ contentType: "application/json", body: '{"code":1,' }),
  "a refusal": (route) => route.fulfill(json({ code: 10006, msg: "今天不行", data: {} })),
  "data of another shape": (route) => route.fulfill(json({ code: 1, msg: "", data: { list: 7, info: "?" } })),
  "no answer in time": async () => {},
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

// Every one of both in the short run, all pairs in the long one.
const rows = Object.entries(pages).flatMap(([place, open], index) =>
  Object.entries(faults)
    .filter((_, column) => process.env.LONG || column === index)
    .map(([fault, happen]) => ({ place, open, fault, happen })),
);

test.describe("with", { tag: "@desktop" }, () => {
  test.use({ allowed: [/Failed to load resource/] });
  for (const { place, open, fault, happen } of rows)
    test(`${fault}, ${place} says so, and a retry works`, async ({ page, t }) => {
      await logIn(page, "");
      const path = await open(page);
      await page.route(/\/v1\/(?!user\/info|marsx|main)/, happen);
      await page.goto(path);
      const main = page.getByRole("main");
      const retry = main.getByRole("button", { name: t.state.retry });
      await expect(retry.first()).toBeVisible({ timeout: 25_000 });
      await expect(main.locator("[aria-busy=true]:visible")).toHaveCount(0, { timeout: 25_000 });
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
});
