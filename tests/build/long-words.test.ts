// @module-tag long
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalPrefix, locales, splitPrefix } from "#i18n/locale.ts";
import { addressAdd } from "#src/api/address.ts";
import { getRoute, matchRoute } from "#src/routes.ts";
import { findMisplaced } from "#tests/e2e/support/accessibility.ts";
import { writePhotographs } from "#tests/fixtures/label/make-photographs.ts";
import { lengthenTexts, longAddress, longWord } from "#tests/fixtures/long-words.ts";
import { bookDemo, type Demo, demoOrders, logInDemo } from "#tests/support/client/demo.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { builtPages } from "#tests/support/content/site.ts";
import { startTestSite } from "#tests/support/content/test-site.ts";
import { root } from "#tests/support/rules/sources.ts";

// A label whose every text has words, addresses, tables and code that no phone is wide enough for.
const folder = join(root, "test-results", `long-words-${process.pid}`);
let site: NonNullable<Awaited<ReturnType<typeof startTestSite>>>;
let browser: Browser;
let member: Demo;
/** Pages that need a member's orders and bookings, without prefix. */
let memberPaths: string[];

const label = join(root, "tests/fixtures/label");
const receiver = {
  name: longWord.slice(0, 25),
  mobile: "13800138000",
  region_code: "310104",
  detail: longAddress,
  is_default: true,
};

beforeAll(async () => {
  site =
    (await startTestSite(folder, {
      write: async (content) => {
        cpSync(label, content, { recursive: true, filter: (file) => !file.endsWith(".ts") });
        await writePhotographs(content);
        lengthenTexts(content);
      },
    })) ?? expect.fail();
  browser = await launchBrowser();
  member = await logInDemo(site.origin, site.data);
  await member.call(addressAdd, receiver);
  const orders = await demoOrders(member, site.origin);
  const { booked = "", open = "" } = await bookDemo(member);
  memberPaths = ["/user/info", "/user/order/list", "/user/order/list?tab=packages"];
  for (const state of ["pending", "paid", "cancelled"] as const)
    memberPaths.push(`/mall/order/${await orders[state]("mall")}`, `/user/order/${await orders[state]("package")}`);
  const checkout = await orders.getCheckout();
  memberPaths.push(`/mall/order/confirm/${checkout}`, `/mall/order_bak/${checkout}`);
  memberPaths.push(...[booked, open].filter(Boolean).map((uid) => `/mall/order_event/${uid}`));
});
afterAll(async () => {
  await browser?.close();
  await site?.end();
  rmSync(folder, { recursive: true, force: true });
});

const needsSession = (path: string) => getRoute(matchRoute(path)?.name ?? "home").session;

const widths = [320, 360, 375, 390, 414];
/**
 * The size of text that a reader sets in the browser, in pixels: 100 and 200 %. Lengths and breakpoints in rem follow it. Zoom of
 * 200 %, which halves the width of the page in place of that, comes to the same.
 */
const textSizes = [16, 32];

/** Returns where a page scrolls sideways, or has a text beyond its edges, by width and size of text. */
async function findProblems(page: Page, path: string): Promise<Record<string, string[]>> {
  const problems: Record<string, string[]> = {};
  const session = await page.context().newCDPSession(page);
  await page.goto(site.origin + path);
  await page.waitForLoadState("networkidle");
  for (const standard of textSizes) {
    await session.send("Page.setFontSizes", { fontSizes: { standard } });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const found = (await page.evaluate(findMisplaced)).filter((text) => /^(the page scrolls|outside the view)/.test(text));
      if (found.length > 0) problems[`${path} at ${width} px, text of ${standard} px`] = found;
    }
  }
  await session.detach();
  return problems;
}

describe.each(locales)("on phones from 320 to 414 px, with text of 100 and 200 %, in %s", { timeout: 900_000 }, (locale) => {
  const prefix = canonicalPrefix(locale);

  it("no page of a visitor scrolls sideways or has a text beyond its edges", async () => {
    const page = await browser.newPage({ hasTouch: true });
    const paths = builtPages(site.dist).map(({ path }) => path);
    const isShown = (path: string) => splitPrefix(path).prefix === prefix && !path.endsWith("/_") && !needsSession(path);
    const problems = {};
    for (const path of paths.filter(isShown)) Object.assign(problems, await findProblems(page, path));
    Object.assign(problems, await findProblems(page, `${prefix}/search?q=${longWord.slice(0, 12)}`));
    Object.assign(problems, await findProblems(page, `${prefix}/no/such/${longWord}`));
    await page.close();
    expect(problems).toEqual({});
  });

  it("no page of a member scrolls sideways or has a text beyond its edges", async () => {
    const page = await browser.newPage({ hasTouch: true });
    await page.addInitScript((stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    }, member.stored);
    const problems = {};
    for (const path of memberPaths) Object.assign(problems, await findProblems(page, prefix + path));
    await page.close();
    expect(problems).toEqual({});
  });

  it("a table and preformatted text scroll by themselves, with the keyboard", async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
    await page.goto(`${site.origin}${prefix}/news/tea`);
    for (const name of locale === "zh-CN" ? ["表格", "原样排版的文字"] : ["Table", "Preformatted text"]) {
      const region = page.getByRole("region", { name, exact: true });
      await region.focus();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => region.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
    }
    await page.close();
  });
});
