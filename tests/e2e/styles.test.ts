import type { Locator, Page } from "@playwright/test";
import { demoOrders } from "../../scripts/demo-orders.ts";
import { ask } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { expect, test } from "./support/page.ts";
import { kinds } from "./support/pages.ts";
import { fullStyles, settled, unstyled, wrongHeights } from "./support/styles.ts";

test.use({ allowed: [/layout shift|status of (404|500)/] });

const full = fullStyles();

/** What islands draw after the build has its styles, and buttons have the height of their size. */
async function expectStyled(page: Page, path: string): Promise<void> {
  await settled(page);
  expect.soft({ [path]: await unstyled(page, full) }).toEqual({ [path]: [] });
  expect.soft({ [path]: await wrongHeights(page) }).toEqual({ [path]: [] });
}

const height = async (one: Locator) => (await one.boundingBox())?.height ?? 0;

/** Serves a shell at a path whose page was built: what a visitor gets of something published after the build. */
async function publishLate(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const shell = await route.fetch({ url: new URL(path.replace(/[^/]+$/, "no-such"), route.request().url()).href });
    await route.fulfill({ response: shell });
  });
}

test("all that a visitor's pages draw has its styles", async ({ page }) => {
  test.setTimeout(120_000);
  for (const path of kinds) {
    await page.goto(path);
    await expectStyled(page, path);
  }
});

test("so have shells: of an item, of a pass, of what is unknown", async ({ page }) => {
  for (const path of ["/mall/item/tee", "/mall/vip/regular"]) {
    await publishLate(page, path);
    await page.goto(path);
    await expectStyled(page, `the shell of ${path}`);
    expect(await height(page.locator(".cta-r .btn").first())).toBe(56);
  }
  for (const path of ["/mall/item/none-such", "/mall/vip/none-such"]) {
    await page.goto(path);
    await expectStyled(page, path);
    expect(await height(page.locator("main .btn.sign").first())).toBe(48);
  }
});

test("a pass that is chosen hangs from its own lanyard", async ({ page }) => {
  await page.goto("/mall/vip/listener");
  await settled(page);
  const colours: string[] = [];
  for (const radio of await page.locator(".vsel input").all()) {
    await radio.check();
    colours.push(await page.locator(".vpass .lan").evaluate((one) => getComputedStyle(one).getPropertyValue("--lan")));
    await expectStyled(page, `a pass chosen on /mall/vip/listener, ${colours.length}`);
  }
  expect(colours).toEqual(["#9aa6b2", "#12b871", "#ff4527"]);
});

/** Visits pages as a member, each with what its main button is and the least height of it in pixels. */
function visitor(page: Page) {
  return async (path: string, main?: string, least = 48) => {
    await page.goto(path);
    await expectStyled(page, path);
    if (main)
      expect
        .soft(await height(page.locator(main).filter({ visible: true }).first()), `${main} of ${path}`)
        .toBeGreaterThanOrEqual(least);
  };
}

test("a member's pages have their styles in each state, and their main button its height", async ({ page }) => {
  test.setTimeout(240_000);
  await logIn(page, "");
  const visit = visitor(page);
  await visit("/user/info");
  await visit("/user/order/list", "main .b-lg");
  await visit("/mall/order_event/entrance", ".cta-r .btn", 56);
  await visit("/mall/order_event/glass", ".ways .btn");
  await ask(page, "/v1/activity/booking", { activity_uid: "entrance" });
  await visit("/mall/order_event/entrance");
  await visit("/mall/item/tote", ".cta-r .btn", 56);
  await visit("/mall/vip/regular", ".cta-r .btn", 56);
  await visit("/event/spring");
});

// It sets widths itself.
test("so do an order's pages", { tag: "@desktop" }, async ({ page }) => {
  test.setTimeout(240_000);
  await logIn(page, "");
  const visit = visitor(page);
  const demo = { stored: { TOKEN: "", USER_INFO: "" }, call: (path: string, body?: object) => ask(page, path, body) };
  const orders = await demoOrders(demo, new URL(page.url()).origin);
  const paid = { mall: await orders.paid("mall"), package: await orders.paid("package") };
  for (const path of ["/mall/order/confirm/tote", "/mall/order_bak/tote"]) {
    await page.setViewportSize({ width: 375, height: 667 });
    await visit(`${path}?sku=tote&quantity=1`, ".buybar .btn");
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(`${path}?sku=tote&quantity=1`, "main .place .btn", 52);
    await visit(`${path}?sku=no-such&quantity=1`);
  }
  await visit(`/mall/order/${paid.mall}`, ".ways .btn");
  await visit(`/user/order/${paid.package}`, ".ways .btn");
  await visit(`/mall/order/${await orders.pending("mall")}`, ".pay-open");
  await visit(`/user/order/${await orders.pending("package")}`, ".pay-open");
  await visit("/mall/order/no-such");
  await visit("/user/order/list");
  await visit("/user/info");
});
