import type { Page } from "@playwright/test";
import { getLocale } from "#i18n/locale.ts";
import { checkoutAndPay } from "#i18n/order.ts";
import { page as pageTexts } from "#i18n/page.ts";
import { payCode } from "#i18n/payment.ts";
import { blockScripts, startSlowProxy } from "./support/before-hydration.ts";
import { createMobile, logIn, orderPackage, orderTote, waitForCode } from "./support/member.ts";
import { expect, holdRequests, inBothLanguages, prefixPath, samplePaths, test } from "./support/page.ts";

inBothLanguages(
  () => {
    test.describe("before React has loaded", () => {
      test.beforeEach(async ({ page }) => {
        // Delays every script as a slow connection does.
        await page.route("**/_astro/*.js", async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          await route.continue();
        });
      });

      for (const press of ["a click", "Enter"])
        test(`${press} on the concert plan banner is replayed`, async ({ page, prefix, t }) => {
          await page.goto(prefix || "/", { waitUntil: "commit" });
          const join = page.getByRole("button", { name: t.concert.join });
          await (press === "Enter" ? join.press("Enter") : join.click());
          await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
        });

      test.describe("the close button of the concert plan banner", () => {
        // The page moves up long after the click that closed the banner.
        test.use({ allowed: [/layout shift/] });
        test("hides the banner", async ({ page, prefix, t }) => {
          await page.goto(prefix || "/", { waitUntil: "commit" });
          await page.getByRole("button", { name: t.concert.close }).click();
          await expect(page.getByText("12.9W", { exact: true })).toBeHidden();
        });
      });

      test("Enter in the login form sends the code without a page load and keeps the number", async ({ page, prefix, t }) => {
        const mobile = createMobile();
        await page.goto(`${prefix}/user/login`, { waitUntil: "commit" });
        await page.getByLabel(t.session.username).fill(mobile);
        await page.getByRole("checkbox").click();
        await page.keyboard.press("Enter");
        await waitForCode(mobile);
        await expect(page.getByLabel(t.session.username)).toHaveValue(mobile);
        expect(new URL(page.url()).search).toBe("");
      });
    });
  },
  { tag: "@phone" },
);

const toteQuery = "tote?sku=tote&quantity=1";
const pages = {
  "the order page": {
    pathOf: async (page) => `/mall/order/${await orderTote(page)}`,
    calls: ["/v1/mall/genMiniProgramCodeBySn", "/v1/mall/orderInfo"],
  },
  "the page of a pass order": {
    pathOf: async (page) => `/user/order/${await orderPackage(page)}`,
    calls: ["/v1/memberPackage/genMiniProgramCodeBySn", "/v1/order/info"],
  },
  checkout: {
    pathOf: async () => `/mall/order/confirm/${toteQuery}`,
    calls: ["/v1/address/lists", "/v1/goods/info"],
  },
} satisfies Record<string, { pathOf: (page: Parameters<typeof orderTote>[0]) => Promise<string>; calls: string[] }>;

inBothLanguages(() => {
  for (const [name, { pathOf, calls }] of Object.entries(pages)) {
    test(`${name} sends its calls in parallel before hydration, each once`, async ({ page, prefix }) => {
      await logIn(page);
      const path = await pathOf(page);
      await page.goto("about:blank");
      const sent: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (calls.includes(pathname)) sent.push(pathname);
      });
      const release = await blockScripts(page);
      await page.goto(prefix + path, { waitUntil: "commit" });
      await expect.poll(() => sent.toSorted()).toEqual(calls);
      await release();
      await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
      await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
      expect(sent.toSorted()).toEqual(calls);
    });
  }

  test("the order page shows the pay code before its scripts have loaded, and React leaves it where it is", async ({
    page,
    prefix,
  }) => {
    await logIn(page);
    const order = await orderTote(page);
    const release = await blockScripts(page);
    await page.goto(`${prefix}/mall/order/${order}`, { waitUntil: "commit" });
    const code = page.locator("#early-code:not(.skeleton)");
    await expect(code).toHaveAttribute("src", /^data:image\/png/);
    const before = await code.evaluate((image) => ({ src: image.getAttribute("src"), y: image.getBoundingClientRect().y }));
    await release();
    const after = page.getByRole("img", { name: payCode[getLocale(prefix)].label });
    await expect(after).toHaveAttribute("src", before.src ?? "");
    expect(Math.abs((await after.evaluate((image) => image.getBoundingClientRect().y)) - before.y)).toBeLessThan(1);
  });

  test("React draws nothing on a member's page that is larger than what was there before its scripts", {
    tag: "@phone",
  }, async ({ page, prefix }) => {
    await logIn(page);
    const order = await orderTote(page);
    const checkouts = ["order/confirm", "order_bak"].map((kind) => `/mall/${kind}/${toteQuery}`);
    for (const path of ["/user/info", "/user/order/list", `/mall/order/${order}`, "/mall/order_event/entrance", ...checkouts]) {
      const release = await blockScripts(page);
      await page.goto(prefix + path, { waitUntil: "commit" });
      const early = page.locator("#early-picture, #early-code");
      if (path.startsWith("/mall")) await expect(early).not.toHaveAttribute("src", /^data:image\/gif/);
      const before = await getLargestPaint(page);
      await release();
      await expect(page.locator("main :is(astro-island[ssr], .skeleton)"), path).toHaveCount(0);
      expect(await getLargestPaint(page), path).toEqual(before);
      await page.unrouteAll();
    }
  });

  test("one-page checkout requests the pay code and the order in parallel, and has the title of an order then", async ({
    page,
    prefix,
  }) => {
    await logIn(page);
    await orderTote(page);
    await page.goto(`${prefix}/mall/order_bak/${toteQuery}`);
    const release = await holdRequests(page, "**/v1/mall/orderInfo");
    const code = page.waitForRequest("**/v1/mall/genMiniProgramCodeBySn");
    await page
      .getByRole("button", { name: checkoutAndPay[getLocale(prefix)].submit, exact: true })
      .filter({ visible: true })
      .click();
    await code;
    await release();
    await expect(page.getByRole("img", { name: payCode[getLocale(prefix)].label })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${pageTexts[getLocale(prefix)].order} \\| `));
  });
});

/** Returns the size of the largest paint of a page so far, once every picture on its screen has been painted. */
function getLargestPaint(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await Promise.all([...document.images].filter((one) => one.loading !== "lazy").map((one) => one.decode().catch(() => {})));
    await document.fonts.ready;
    // An entry comes some frames after the paint that it reports.
    for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
    const entries = await new Promise<PerformanceEntryList>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({
        type: "largest-contentful-paint",
        buffered: true,
      });
    });
    return Math.max(...entries.map((entry) => ("size" in entry ? Number(entry.size) : 0)));
  });
}

/** Pages over a connection that sends them in chunks. */
const streamed = test.extend({
  baseURL: async ({ baseURL }, use) => {
    const proxy = await startSlowProxy(baseURL ?? "");
    await use(proxy.origin);
    proxy.close();
  },
});

for (const [prefix, locale, tag] of [
  ["", "zh-CN", "@phone"],
  ["/en-US", "en-US", "@long"],
] as const) {
  streamed.describe(`${locale}, streamed`, { tag }, () => {
    streamed.use({ prefix, locale, allowed: [/status of (404|500)/] });

    // The `watched` fixture of every test reports layout shifts with the page's path.
    streamed("pages that stream in chunks cause no layout shift", async ({ page }) => {
      for (const path of [...samplePaths, "/mall?category=records", "/mall?category=passes"]) {
        await page.goto(prefixPath(prefix, path), { waitUntil: "load" });
        await page.evaluate(() => window.flushProblems?.());
      }
    });

    streamed("an order's page that streams in chunks causes no layout shift", async ({ page }) => {
      await logIn(page);
      const order = await orderTote(page);
      await page.goto(`${prefix}/mall/order/${order}`, { waitUntil: "load" });
      await expect(page.getByRole("img", { name: payCode[locale].label })).toBeVisible();
      await page.evaluate(() => window.flushProblems?.());
    });

    streamed("a list of shows that streams moves ended ones before it is painted", async ({ page }) => {
      await page.clock.setFixedTime("2099-01-01T00:00+08:00");
      await page.goto(prefixPath(prefix, "/event"), { waitUntil: "load" });
      await page.evaluate(() => window.flushProblems?.());
    });
  });
}
