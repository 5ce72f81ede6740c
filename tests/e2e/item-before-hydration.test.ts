import type { Page } from "@playwright/test";
import { goods } from "../../i18n/goods.ts";
import { checkout } from "../../i18n/order.ts";
import { getRoute, matchRoute } from "../../src/routes.ts";
import { builtPages } from "../support/site.ts";
import { controlsOf, hydrated, listening, outcomeOf, use, withhold } from "./support/before-hydration.ts";
import { logIn } from "./support/member.ts";
import { expect, test } from "./support/page.ts";

const t = goods["zh-CN"];
const phone = { tag: "@phone" };

/** 400 ms to the server and back, 50 KB/s, a processor four times slower. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const line = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 };
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", line);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

const chip = (page: Page, value: string) => page.locator(".choices label", { has: page.locator(`text="${value}"`) });
const buy = (page: Page) => page.locator(".buybar .btn");
const loginFor = (path: string) => `/user/login?redirect=${encodeURIComponent(path)}`;

test.describe("on a slow line, before the islands are there", phone, () => {
  test.use({ allowed: [/layout shift/] });
  test.beforeEach(({ page }) => slowDown(page));
  const open = (page: Page, path: string) => page.goto(path, { waitUntil: "commit" });

  test("the size that is tapped is the size that goes to checkout", async ({ page }) => {
    await open(page, "/mall/item/tee");
    await chip(page, "XL").tap();
    await buy(page).tap();
    await expect(page).toHaveURL(loginFor("/mall/order/confirm/tee?sku=tee-xl&quantity=1"));
  });

  test("so does the size that is chosen by key, and a form that is sent by Enter", async ({ page }) => {
    await open(page, "/mall/item/tee");
    await page.getByRole("radio", { name: "S", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("radio", { name: "L", exact: true })).toBeChecked();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(loginFor("/mall/order/confirm/tee?sku=tee-l&quantity=1"));
  });

  test("pieces that are added count, one for each tap, and what is chosen after them", async ({ page }) => {
    await open(page, "/mall/item/tee");
    await listening(page);
    const more = page.getByRole("button", { name: t.more });
    await more.tap();
    await more.tap();
    await chip(page, "XL").tap();
    await buy(page).tap();
    await expect(page).toHaveURL(loginFor("/mall/order/confirm/tee?sku=tee-xl&quantity=3"));
  });

  test("a quantity counts that is typed, or stepped to by key", async ({ page }) => {
    await open(page, "/mall/item/tee");
    const amount = page.getByRole("spinbutton", { name: t.quantity });
    await amount.fill("2");
    await amount.press("Enter");
    await expect(page).toHaveURL(loginFor("/mall/order/confirm/tee?sku=tee-s&quantity=2"));
    await open(page, "/mall/item/tee");
    await listening(page);
    await amount.press("ArrowUp");
    await amount.press("ArrowUp");
    await buy(page).tap();
    await expect(page).toHaveURL(loginFor("/mall/order/confirm/tee?sku=tee-s&quantity=3"));
  });

  test("so does the way of ordering and paying on one page", async ({ page }) => {
    await open(page, "/mall/item/tee");
    await chip(page, "XL").tap();
    await page.getByRole("button", { name: t.oneGo }).tap();
    await expect(page).toHaveURL(loginFor("/mall/order_bak/tee?sku=tee-xl&quantity=1"));
  });

  test("the pass that is tapped is the one that its button leads to", async ({ page }) => {
    await open(page, "/mall/vip/listener");
    await page.locator(".vsel label").nth(2).tap();
    await buy(page).tap();
    await expect(page).toHaveURL(loginFor("/mall/vip/all-access"));
  });

  test("an item whose variant has two sides is ordered as both were chosen", async ({ page }) => {
    await logIn(page, "");
    await page.evaluate(() => localStorage.setItem("AWAY", localStorage.getItem("TOKEN") ?? ""));
    await page.evaluate(() => localStorage.removeItem("TOKEN"));
    await open(page, "/mall/item/vinyl");
    await chip(page, "签名版").tap();
    await buy(page).tap();
    await expect(page).toHaveURL(/\/user\/login/);
    const target = new URL(page.url()).searchParams.get("redirect") ?? "";
    await page.evaluate(() => localStorage.setItem("TOKEN", localStorage.getItem("AWAY") ?? ""));
    await page.goto(target);
    await expect(page.getByText("签名版 · 折叠")).toBeVisible({ timeout: 30_000 });
  });
});

test.describe("without a script", phone, () => {
  test.use({ javaScriptEnabled: false });

  test("what is chosen goes to checkout and to login", async ({ page }) => {
    await page.goto("/mall/item/tee");
    await chip(page, "XL").tap();
    await page.getByRole("spinbutton", { name: t.quantity }).fill("2");
    await buy(page).tap();
    await expect(page).toHaveURL("/mall/order/confirm/tee?sku=tee-xl&quantity=2");
    await page.goto("/mall/item/tote");
    await page.getByRole("button", { name: t.oneGo }).tap();
    await expect(page).toHaveURL("/mall/order_bak/tote?sku=tote&quantity=1");
    await page.goto("/mall/vip/listener");
    await page.locator(".vsel label").nth(1).tap();
    await buy(page).tap();
    await expect(page).toHaveURL("/user/login?redirect=%2Fmall%2Fvip%2Fregular");
  });
});

test.describe("checkout", phone, () => {
  test("refuses a combination that is not made, and says so", async ({ page }) => {
    await logIn(page, "");
    const asked = new URLSearchParams({ "spec-0": "签名版", "spec-1": "卷筒", quantity: "1" });
    for (const kind of ["order/confirm", "order_bak"]) {
      await page.goto(`/mall/${kind}/vinyl?${asked}`);
      await expect(page.getByText(checkout["zh-CN"].unknownSku)).toBeVisible();
      await expect(page.locator(".buybar .btn")).toBeDisabled();
    }
  });
});

test("a member who buys a pass before the islands are there is asked once more, not led to login", phone, async ({ page }) => {
  await logIn(page, "");
  const release = await withhold(page);
  await page.goto("/mall/vip/regular", { waitUntil: "commit" });
  await listening(page);
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
  await buy(page).tap();
  await release();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(visited.filter((path) => path.includes("login"))).toEqual([]);
});

/** One page for each set of islands that have controls in their HTML. */
const pages = new Map(
  builtPages()
    .filter(
      ({ path, html }) =>
        !/^\/(en-US|zh-CN)(\/|$)|\/_$/.test(path) && /<astro-island[\s\S]*?<(button|input|select|textarea)\b/.test(html),
    )
    .map(({ path, tags }) => {
      const islands = tags
        .filter(({ name }) => name === "astro-island")
        .map(({ attributes }) => attributes.get("component-export"));
      return [islands.join(), path] as const;
    }),
);

test.describe("every control that stands in the HTML of an island", phone, () => {
  test.use({ allowed: [/layout shift|status of 404/] });

  test("is on a page that is looked at", () => {
    expect([...pages.keys()].sort()).toContain("Item");
    expect(pages.size).toBeGreaterThan(4);
  });

  for (const path of pages.values()) {
    test(`does the same before scripts are there as after: ${path}`, async ({ page }) => {
      test.setTimeout(480_000);
      if (getRoute(matchRoute(path)?.name ?? "home").session) await logIn(page, "");
      let release = await withhold(page);
      await page.goto(path, { waitUntil: "commit" });
      await page.locator("footer, .login-form").first().waitFor();
      const controls = await controlsOf(page);
      await release();
      for (const control of controls) {
        await page.unroute("**/_astro/*.js");
        await page.goto(path);
        await hydrated(page);
        await use(page, control);
        const late = await outcomeOf(page);
        release = await withhold(page);
        await page.goto(path, { waitUntil: "commit" });
        await use(page, control);
        await release();
        await hydrated(page);
        expect({ [control.kind]: await outcomeOf(page) }).toEqual({ [control.kind]: late });
      }
    });
  }
});
