import type { Locator, Page } from "@playwright/test";
import { goods } from "#i18n/goods.ts";
import { checkout } from "#i18n/order.ts";
import { getRoute, matchRoute } from "#src/routes.ts";
import { builtPages } from "#tests/support/content/site.ts";
import {
  blockScripts,
  getControls,
  getOutcome,
  hydrateIslands,
  operateControl,
  waitForReplayScript,
} from "./support/before-hydration.ts";
import { logIn } from "./support/member.ts";
import { expect, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const t = goods["zh-CN"];
const onPhone = { tag: "@phone" };

/** Emulates 400 ms latency, 50 KB/s and a CPU that is four times slower. */
async function emulateSlowPhone(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 };
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", conditions);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

const getOption = (page: Page, value: string) => page.locator(".choices label", { has: page.locator(`text="${value}"`) });
const getAmount = (page: Page) => page.getByRole("spinbutton", { name: t.quantity });
const getBuyButton = (page: Page) => page.locator(".buybar .button");
const toLoginUrl = (path: string) => `/user/login?redirect=${encodeURIComponent(path)}`;

/** What is done to the page of a tee before hydration, and the checkout that it leads to. */
const purchases: [what: string, buy: (page: Page) => Promise<void>, checkout: string][] = [
  [
    "buying carries the tapped size",
    async (page) => {
      await getOption(page, "XL").tap();
      await getBuyButton(page).tap();
    },
    "order/confirm/tee?sku=tee-xl&quantity=1",
  ],
  [
    "Enter carries a size chosen by arrow key",
    async (page) => {
      await page.getByRole("radio", { name: "S", exact: true }).focus();
      await page.keyboard.press("ArrowRight");
      await expect(page.getByRole("radio", { name: "L", exact: true })).toBeChecked();
      await page.keyboard.press("Enter");
    },
    "order/confirm/tee?sku=tee-l&quantity=1",
  ],
  [
    "each tap on the stepper adds one, and a size tapped afterwards goes along",
    async (page) => {
      await waitForReplayScript(page);
      for (let tap = 0; tap < 2; tap += 1) await page.getByRole("button", { name: t.more }).tap();
      await getOption(page, "XL").tap();
      await getBuyButton(page).tap();
    },
    "order/confirm/tee?sku=tee-xl&quantity=3",
  ],
  [
    "Enter carries a typed quantity",
    async (page) => {
      await getAmount(page).fill("2");
      await getAmount(page).press("Enter");
    },
    "order/confirm/tee?sku=tee-s&quantity=2",
  ],
  [
    "a quantity stepped by arrow key goes along",
    async (page) => {
      await waitForReplayScript(page);
      for (let press = 0; press < 2; press += 1) await getAmount(page).press("ArrowUp");
      await getBuyButton(page).tap();
    },
    "order/confirm/tee?sku=tee-s&quantity=3",
  ],
  [
    "the one-page checkout button carries the tapped size",
    async (page) => {
      await getOption(page, "XL").tap();
      await page.getByRole("button", { name: t.oneGo }).tap();
    },
    "order_bak/tee?sku=tee-xl&quantity=1",
  ],
];

test.describe("on a slow connection before hydration", { tag: ["@phone", "@full"] }, () => {
  test.use({ allowed: [/layout shift/] });
  test.beforeEach(({ page }) => emulateSlowPhone(page));

  for (const [what, buy, checkout] of purchases)
    test(`${what} to checkout`, async ({ page }) => {
      await page.goto("/mall/item/tee", { waitUntil: "commit" });
      await buy(page);
      await expect(page).toHaveURL(toLoginUrl(`/mall/${checkout}`));
    });

  test("buying leads to login for the tapped pass", async ({ page }) => {
    await page.goto("/mall/vip/listener", { waitUntil: "commit" });
    await page.locator("label:has([name=redirect])").nth(2).tap();
    // The bar is hidden while the page's own button is in view.
    await page.locator(".vip-page button[type=submit]").filter({ visible: true }).first().tap();
    await expect(page).toHaveURL(toLoginUrl("/mall/vip/all-access"));
  });

  test("an item with two options goes to checkout with both of them", async ({ page }) => {
    await logIn(page);
    await page.goto("/mall/item/vinyl", { waitUntil: "commit" });
    await getOption(page, "签名版").tap();
    await getBuyButton(page).tap();
    await expect(page.getByText("版本：签名版 · 海报：折叠")).toBeVisible({ timeout: 30_000 });
  });
});

/** Presses; returns the milliseconds until the texts and ids of what a visitor sees of a selector are others. */
async function measureChange(page: Page, selector: string, press: () => Promise<void>): Promise<number> {
  const watching = await page.evaluateHandle((selector) => {
    const seen = () => [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility());
    const read = () =>
      seen()
        .map(({ dataset, textContent }) => dataset.goods ?? textContent)
        .join();
    const before = read();
    let pressedAt = Number.NaN;
    addEventListener("pointerup", ({ timeStamp }) => (pressedAt = timeStamp), { capture: true, once: true });
    const changed = new Promise<number>((resolve) => {
      const look = () => (read() === before ? requestAnimationFrame(look) : resolve(performance.now() - pressedAt));
      look();
    });
    return { changed };
  }, selector);
  await press();
  return watching.evaluate(({ changed }) => changed);
}

/** Returns the shortest of three first presses, as another program may have the processor. */
async function measureFirst(page: Page, path: string, selector: string, target: Locator): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await page.goto(path);
    await waitForIdle(page);
    if (path.includes("/item/")) await expect(page.locator("main astro-island[ssr]")).toBeAttached();
    durations.push(await measureChange(page, selector, () => target.tap()));
  }
  return Math.min(...durations);
}

test("the first press of a variant changes price and stock, and one of a category the list, on a CPU that is four times slower", {
  tag: ["@phone", "@full"],
}, async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  // Three times the 200 ms that are promised. The press itself hydrates the page of the item.
  expect(await measureFirst(page, "/mall/item/vinyl", "main .price", getOption(page, "签名版"))).toBeLessThan(600);
  await expect(page.locator("main .price")).toContainText("368");
  await expect(page.getByRole("status").filter({ hasText: /^只剩 \d+ 件/ })).toBeVisible();
  const records = page.locator("#kinds [data-kind=records]");
  expect(await measureFirst(page, "/mall", "#mall-list [data-goods]", records)).toBeLessThan(600);
  const shown = await page
    .locator("#mall-list [data-goods]:visible")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-category")));
  expect(new Set(shown)).toEqual(new Set(["records"]));
});

test.describe("without JavaScript", onPhone, () => {
  test.use({ javaScriptEnabled: false });

  test("the chosen size, quantity and pass go to checkout or login", async ({ page }) => {
    await page.goto("/mall/item/tee");
    await getOption(page, "XL").tap();
    await page.getByRole("spinbutton", { name: t.quantity }).fill("2");
    await getBuyButton(page).tap();
    await expect(page).toHaveURL("/mall/order/confirm/tee?sku=tee-xl&quantity=2");
    await page.goto("/mall/item/tote");
    await page.getByRole("button", { name: t.oneGo }).tap();
    await expect(page).toHaveURL("/mall/order_bak/tote?sku=tote&quantity=1");
    await page.goto("/mall/vip/listener");
    await page.locator("label:has([name=redirect])").nth(1).tap();
    await getBuyButton(page).tap();
    await expect(page).toHaveURL("/user/login?redirect=%2Fmall%2Fvip%2Fregular");
  });
});

test.describe("checkout", onPhone, () => {
  test("shows an error and disables submit for a combination of options that is not made", async ({ page }) => {
    await logIn(page);
    const query = new URLSearchParams({ "spec-0": "签名版", "spec-1": "卷筒", quantity: "1" });
    for (const kind of ["order/confirm", "order_bak"]) {
      await page.goto(`/mall/${kind}/vinyl?${query}`);
      await expect(page.getByText(checkout["zh-CN"].unknownSku)).toBeVisible();
      await expect(page.locator(".buybar .button")).toBeDisabled();
    }
  });
});

test("a member who buys a pass before hydration sees the confirmation dialog instead of login", onPhone, async ({ page }) => {
  await logIn(page);
  const release = await blockScripts(page);
  await page.goto("/mall/vip/regular", { waitUntil: "commit" });
  await waitForReplayScript(page);
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
  await getBuyButton(page).tap();
  await release();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(visited.filter((path) => path.includes("login"))).toEqual([]);
});

const hasControls = (html: string) => /<astro-island[\s\S]*?<(button|input|select|textarea)\b/.test(html);
/** One page for each distinct set of islands with controls in their HTML. */
const pages = new Map(
  builtPages()
    .filter(({ path, html }) => !/^\/(en-US|zh-CN)(\/|$)|\/_$/.test(path) && hasControls(html))
    .map(({ path, tags }) => {
      const islands = tags
        .filter(({ name }) => name === "astro-island")
        .map(({ attributes }) => attributes.get("component-export"));
      return [islands.join(), path] as const;
    }),
);

test.describe("controls in the HTML of islands", onPhone, () => {
  test.use({ allowed: [/layout shift|status of 404/] });

  test("are found in the built pages", () => {
    expect([...pages.keys()].sort()).toContain("Item");
    expect(pages.size).toBeGreaterThan(4);
  });

  for (const path of pages.values()) {
    // Each control takes two loads of its page; the page of all components has the most.
    const tag = path === "/user/ui" ? ["@full", "@long"] : "@full";
    test(`have the same effect before and after hydration on ${path}`, { tag }, async ({ page }) => {
      test.setTimeout(480_000);
      if (getRoute(matchRoute(path)?.name ?? "home").session) await logIn(page);
      // A banner that was closed before stays closed in its tab.
      const forget = () => sessionStorage.clear();
      let release = await blockScripts(page);
      await page.goto(path, { waitUntil: "commit" });
      await page.locator("footer, .login-form").first().waitFor();
      const controls = await getControls(page);
      await release();
      for (const control of controls) {
        await page.unroute("**/_astro/*.js");
        await page.evaluate(forget);
        await page.goto(path);
        await hydrateIslands(page);
        await operateControl(page, control);
        const expected = await getOutcome(page);
        await page.evaluate(forget);
        release = await blockScripts(page);
        await page.goto(path, { waitUntil: "commit" });
        await operateControl(page, control);
        await release();
        await hydrateIslands(page);
        expect({ [control.kind]: await getOutcome(page) }).toEqual({ [control.kind]: expected });
      }
    });
  }
});
