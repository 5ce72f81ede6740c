import { brotliCompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import type { Prefix } from "#i18n/locale.ts";
import { type Demo, demoOrders } from "#tests/support/client/demo.ts";
import { callServer, logIn } from "./support/member.ts";
import { expect, inBothLanguages, onLabel, prefixPath, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

/** One response as transferred: its body is `bytes` large as it is compressed, without headers. */
interface LoadedFile {
  type: string;
  path: string;
  bytes: number;
}

/** Records everything that a page loads from now on, with the cache disabled. */
async function record(page: Page) {
  const session = await page.context().newCDPSession(page);
  const loaded = new Map<string, LoadedFile>();
  const headerBytes = new Map<string, number>();
  const pending = new Set<string>();
  let requestCount = 0;
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    // Prefetches belong to other pages, and their end is reported in another session.
    if (!request.url.startsWith("http") || type === "Prefetch") return;
    requestCount += 1;
    pending.add(requestId);
  });
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (!response.url.startsWith("http") || type === "Prefetch") return;
    headerBytes.set(requestId, response.encodedDataLength);
    loaded.set(requestId, { type, path: new URL(response.url).pathname, bytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    pending.delete(requestId);
    const entry = loaded.get(requestId);
    if (entry) entry.bytes = encodedDataLength - (headerBytes.get(requestId) ?? 0);
  });
  session.on("Network.loadingFailed", ({ requestId }) => pending.delete(requestId));
  return { loaded: () => [...loaded.values()], countRequests: () => requestCount, countPending: () => pending.size };
}

/** Loads a page with an empty cache, until it has been idle three times in a row without a request. */
async function loadUntilIdle(page: Page, path: string): Promise<{ loaded: () => LoadedFile[]; html: string }> {
  const { loaded, countRequests, countPending } = await record(page);
  const response = await page.goto(path);
  const html = (await response?.text()) ?? "";
  await waitForIdle(page);
  for (let idleRounds = 0; idleRounds < 3; ) {
    const before = countRequests();
    // A headless browser may never become idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
    idleRounds = countPending() === 0 && countRequests() === before ? idleRounds + 1 : 0;
  }
  return { loaded, html };
}

/** Returns the total bytes of one resource type. */
function sumBytes(loaded: LoadedFile[], type: string): number {
  return loaded.filter((one) => one.type === type).reduce((total, { bytes }) => total + bytes, 0);
}

const kib = 1024;
/** Compressed bytes of the HTML with its styles, and of all scripts, rounded up to half a KiB: of a member's page with the replay of interactions before hydration. */
const reading = { document: 18.5 * kib, script: 10 * kib };
const mall = { document: 18.5 * kib, script: 84 * kib };
const member = { document: 18 * kib, script: 100 * kib };
const isReact = ({ path }: LoadedFile) => /\/(react|client)\./.test(path);

/** Checks the budget of a reading page without its HTML. Layout shifts fail every test anyway. */
function expectLight(loaded: LoadedFile[]): void {
  const scripts = loaded.filter(({ type }) => type === "Script");
  const fonts = loaded.filter(({ type }) => type === "Font");
  expect(loaded.filter(isReact)).toEqual([]);
  expect(sumBytes(scripts, "Script")).toBeLessThanOrEqual(reading.script);
  expect(scripts.length).toBeLessThanOrEqual(7);
  // Styles are inlined.
  expect(sumBytes(loaded, "Stylesheet")).toBe(0);
  // Pictures below the first screens load lazily.
  expect(loaded.length).toBeLessThanOrEqual(28);
  expect(fonts.length).toBeLessThanOrEqual(1);
  expect(sumBytes(fonts, "Font")).toBeLessThanOrEqual(19 * kib);
}

/** The reading pages, whose weight has a budget. */
const readingPaths = [
  "/",
  "/event",
  "/event/entrance",
  "/event/spring",
  "/news",
  "/news/page/2",
  "/about/terms",
  "/search",
  "/offline",
  "/no/such/page",
  "/500",
] as const;

/** `npm test` weighs one page of each layout. */
const sampled: readonly string[] = ["/", "/event", "/event/entrance", "/event/spring"];

async function expectLightPage(page: Page, path: string): Promise<void> {
  const { loaded } = await loadUntilIdle(page, path);
  expect(sumBytes(loaded(), "Document")).toBeLessThanOrEqual(reading.document);
  expectLight(loaded());
  // Requests that wait for idle have been sent by now.
  const live = await page.locator("[data-activity], [data-way], [data-stop]").count();
  expect(loaded().some((one) => one.path.startsWith("/v1/"))).toBe(live > 0);
}

/** Checks an article, whose own text may have any length. */
async function expectLightArticle(page: Page, path: string): Promise<void> {
  const { loaded, html } = await loadUntilIdle(page, path);
  expectLight(loaded());
  const words = await page.locator("main .prose > [lang], main .prose > div").last().innerHTML();
  expect(html).toContain(words);
  expect(brotliCompressSync(html.replace(words, "")).byteLength).toBeLessThanOrEqual(reading.document);
}

test.describe("the weight of reading pages", { tag: "@phone" }, () => {
  inBothLanguages(() => {
    test.use({ allowed: [/status of (404|500)/] });

    for (const path of readingPaths) {
      const tag = sampled.includes(path) ? [] : ["@full"];
      test(`${path} stays within the budgets for HTML, scripts and fonts`, { tag }, async ({ page, prefix }) => {
        await expectLightPage(page, prefixPath(prefix, path));
      });
    }

    test("an article stays within the budgets, its own text excluded", async ({ page, prefix }) => {
      await expectLightArticle(page, prefixPath(prefix, "/news/sample-1"));
    });
  });

  test("a first search loads at most 4 KiB of scripts", async ({ page }) => {
    const { loaded } = await loadUntilIdle(page, "/search");
    const before = loaded().length;
    await page.getByRole("main").getByRole("searchbox").pressSequentially("测试");
    await expect(page.locator("[data-results] li").first()).toBeVisible();
    await waitForIdle(page);
    expect(sumBytes(loaded().slice(before), "Script")).toBeLessThanOrEqual(4 * kib);
  });

  test("the home page loads React on the first interaction, not before", async ({ page }) => {
    const { loaded } = await loadUntilIdle(page, "/");
    expect(loaded().filter(isReact)).toEqual([]);
    await page.locator("astro-island").first().locator("button").first().focus();
    await expect.poll(() => loaded().filter(isReact).length).toBeGreaterThan(0);
  });
});

/** Loads a page in a new tab, so that no other page's cache or state counts, and checks its budget. */
async function expectWithin(page: Page, path: string, budget: typeof mall): Promise<void> {
  const tab = await page.context().newPage();
  const all = (await loadUntilIdle(tab, path)).loaded();
  const react = all.filter((one) => one.type === "Script" && one.path.includes("/react."));
  expect.soft(sumBytes(all, "Document"), `HTML and styles of ${path}`).toBeLessThanOrEqual(budget.document);
  expect.soft(sumBytes(all, "Stylesheet"), `styles beside ${path}`).toBe(0);
  expect.soft(sumBytes(all, "Script"), `scripts of ${path}`).toBeLessThanOrEqual(budget.script);
  expect.soft(react.length, `React of ${path}`).toBe(1);
  expect.soft(sumBytes(react, "Script"), `React of ${path}`).toBeLessThan(59 * kib);
  await tab.close();
}

/** Returns the render-blocking resources of a page. */
const getBlockingFiles = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry) => "renderBlockingStatus" in entry && entry.renderBlockingStatus === "blocking")
      .map(({ name }) => name),
  );

async function createOrders(page: Page): Promise<string[]> {
  const call: Demo["call"] = (row, payload) => callServer(page, row, payload);
  const orders = await demoOrders({ call }, new URL(page.url()).origin);
  const [paid, bought] = [await orders.paid("mall"), await orders.paid("package")];
  return [`/mall/order/${await orders.pending("mall")}`, `/mall/order/${paid}`, `/user/order/${bought}`];
}

const toteQuery = "tote?sku=tote&quantity=1";
const mallPages = ["/mall/item/vinyl", "/mall/item/no-such", "/mall/vip/regular"];
const memberPages = [
  `/mall/order/confirm/${toteQuery}`,
  `/mall/order_bak/${toteQuery}`,
  "/mall/order_event/entrance",
  "/user/info",
  "/user/order/list",
];

async function expectLightMall(page: Page, path: string): Promise<void> {
  const all = (await loadUntilIdle(page, path)).loaded();
  expect(sumBytes(all, "Document")).toBeLessThanOrEqual(mall.document);
  expect(all.filter((one) => one.path.includes("/react."))).toEqual([]);
  expect(sumBytes(all, "Script")).toBeLessThanOrEqual(mall.script - 58 * kib);
  expect(await getBlockingFiles(page)).toEqual([]);
}

test.describe("the weight of a label's pages with photographs", { tag: ["@phone", "@full"] }, () => {
  onLabel();

  inBothLanguages(() => {
    for (const path of ["/", "/event/lantern", "/event", "/event/tide", "/event/spring", "/news"] as const) {
      const tag = ["/", "/event/lantern"].includes(path) ? [] : ["@full"];
      test(`${path} stays within the budgets of the demo's`, { tag }, async ({ page, prefix }) => {
        await expectLightPage(page, prefixPath(prefix, path));
      });
    }

    test("its articles, items and passes stay within them", { tag: "@full" }, async ({ page, prefix }) => {
      for (const path of ["/news/rehearsal", "/news/on-the-road"]) await expectLightArticle(page, prefix + path);
      for (const path of ["/mall", "/mall/item/work-shirt", "/mall/vip/balcony"]) await expectLightMall(page, prefix + path);
      // The one with a preview, whose player takes half a KiB more. Another test buys it, after which React shows what is left.
      const { loaded } = await loadUntilIdle(page, `${prefix}/mall/item/first-pressing`);
      expect(sumBytes(loaded(), "Document")).toBeLessThanOrEqual(mall.document + kib / 2);
    });
  });
});

test.describe("the weight of mall and member pages", { tag: "@phone" }, () => {
  inBothLanguages(() => {
    const prefixAll = (prefix: Prefix, paths: string[]) => paths.map((path) => prefix + path);

    for (const path of ["/mall", "/mall/item/vinyl", "/mall/vip/regular"]) {
      test(`${path} loads no React and no render-blocking file for a visitor`, async ({ page, prefix }) => {
        await expectLightMall(page, prefix + path);
      });
    }

    test("stays within the budgets for HTML, styles and scripts", { tag: "@full" }, async ({ page, prefix }) => {
      for (const path of prefixAll(prefix, ["/user/login"])) await expectWithin(page, path, member);
      await logIn(page);
      // An unknown item leads to others, as the mall does.
      for (const path of prefixAll(prefix, mallPages)) await expectWithin(page, path, mall);
      for (const path of prefixAll(prefix, [...memberPages, ...(await createOrders(page))]))
        await expectWithin(page, path, member);
    });
  });
});
