import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { fill } from "#i18n/catalogue.ts";
import { getLocale } from "#i18n/locale.ts";
import { search } from "#i18n/search.ts";
import { checkAllWidths, tabTo } from "./support/accessibility.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

// The test content has shows of a test band, and news with the same words.
const words = {
  "zh-CN": { show: "测试", news: "一则", title: "一则新闻", inText: "有人说" },
  "en-US": { show: "tes", news: "item", title: "A news item", inText: "somebody sa" },
};
const isOfSearch = (url: string) => /\/search-index\/|\/search\/|open-search/.test(url);
const getField = (page: Page, name: string) => page.getByRole("main").getByRole("searchbox", { name });
const getRows = (page: Page) => page.locator("[data-results] li");
const getStatus = (page: Page) => page.locator("[data-status]");

inBothLanguages(() => {
  // Files fail on purpose, and resizing shifts the layout.
  test.describe("with failures", { tag: "@full" }, () => {
    test.use({ allowed: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|layout shift/] });
    test("no outcome has accessibility or layout problems at any width", { tag: "@desktop" }, async ({ page, prefix }) => {
      const t = search[getLocale(prefix)];
      const check = async () => expect(await checkAllWidths(page)).toEqual({});
      await page.goto(`${prefix}/search?${new URLSearchParams({ q: words[getLocale(prefix)].news })}`);
      await expect(getRows(page).first()).toBeVisible();
      await check();
      await page.goto(`${prefix}/search?q=zzzz`);
      await expect(getStatus(page)).toHaveText(fill(t.none, { query: "zzzz" }));
      await expect(page.getByRole("navigation", { name: t.ways }).getByRole("link")).toHaveCount(4);
      await check();
      await page.route("**/search-index/**", (route) => route.abort());
      await page.goto(`${prefix}/search?q=ab`);
      await expect(page.getByRole("heading", { name: t.failed })).toBeVisible();
      await check();
      await getField(page, t.title).fill("");
      await expect(page.locator("[data-failed]")).toBeHidden();
      await expect(page).toHaveURL(`${prefix}/search`);
    });

    test("a file that does not load is a failure, and the next try succeeds", { tag: "@phone" }, async ({ page, prefix }) => {
      const t = search[getLocale(prefix)];
      await page.route("**/search-index/**", (route) => route.abort());
      await page.goto(`${prefix}/search?${new URLSearchParams({ q: words[getLocale(prefix)].news })}`);
      await expect(page.getByRole("heading", { name: t.failed })).toBeVisible();
      await expect(page.getByText(t.server)).toBeVisible();
      await page.context().setOffline(true);
      await page.getByRole("button", { name: t.retry }).click();
      await expect(page.getByText(t.offline)).toBeVisible();
      await page.context().setOffline(false);
      await page.unroute("**/search-index/**");
      await page.getByRole("button", { name: t.retry }).click();
      await expect(getRows(page).first()).toBeVisible();
      await expect(page.getByRole("heading", { name: t.failed })).toBeHidden();
      await expect(getField(page, t.title)).toBeFocused();
    });
  });

  test("two characters find shows and news, grouped, counted and marked, and the address keeps them", {
    tag: "@phone",
  }, async ({ page, prefix }) => {
    const t = search[getLocale(prefix)];
    const word = words[getLocale(prefix)];
    await page.goto(`${prefix}/search`);
    await getField(page, t.title).pressSequentially(word.news);
    const group = page.locator("[data-found=news]");
    await expect(group.getByRole("heading", { level: 2 })).toContainText(t.news);
    await expect(group.getByRole("heading", { level: 3 }).first()).toContainText(word.title);
    await expect(group.locator("mark").first()).toHaveText(new RegExp(word.news, "i"));
    const count = await page.locator("[data-count]").allInnerTexts();
    const total = count.reduce((sum, one) => sum + Number(one), 0);
    await expect(getStatus(page)).toHaveText(total === 1 ? t.one : fill(t.many, { count: total }));
    await expect(page).toHaveURL(`${prefix}/search?q=${encodeURIComponent(word.news)}`);
    const rows = await getRows(page).count();
    await page.reload();
    await expect(getRows(page)).toHaveCount(rows);
    await expect(getField(page, t.title)).toHaveValue(word.news);

    await getField(page, t.title).fill(word.show);
    await expect(page.locator("[data-found=event] mark").first()).toHaveText(new RegExp(word.show, "i"));
    await getField(page, t.title).fill(word.inText);
    await expect(getRows(page).first()).toContainText(t.inText);
  });

  test("keys alone search, open a result, and come back to it", { tag: "@desktop" }, async ({ page, prefix }) => {
    const t = search[getLocale(prefix)];
    const word = words[getLocale(prefix)];
    const field = getField(page, t.title);
    await page.goto(`${prefix}/search`);
    await tabTo(page, field);
    await page.keyboard.type(word.title);
    // Enter before the script has loaded opens the address of the query, where the field has no focus.
    const links = getRows(page).getByRole("link");
    await expect(links.first()).toBeVisible();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await expect(field).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(links.first()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(word.title);
    await page.keyboard.press("ArrowDown");
    const href = (await links.first().getAttribute("href")) ?? "";
    expect(href).toMatch(new RegExp(`^${prefix}/news/`));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(href);
    await page.goBack();
    await expect(page).toHaveURL(`${prefix}/search?${new URLSearchParams({ q: word.title })}`);
    await expect(field).toHaveValue(word.title);
    await expect(links.first()).toBeVisible();
    // Another result takes the focus of one that a slow search replaces.
    let send = () => {};
    const until = new Promise<void>((resolve) => (send = resolve));
    await page.route("**/search-index/**", (route) => until.then(() => route.continue()));
    await field.fill(word.show);
    await page.keyboard.press("ArrowDown");
    send();
    await expect(page.locator("[data-found=event]")).toBeVisible();
    await expect(links.first()).toBeFocused();
    await field.focus();
    await page.keyboard.press("Escape");
    await expect(field).toHaveValue("");
    await expect(links).toHaveCount(0);
    await expect(getStatus(page)).toHaveText(t.hint);
    await expect(page).toHaveURL(`${prefix}/search`);
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });
    test("the page of the search says what to do", { tag: "@phone" }, async ({ page, prefix }) => {
      const t = search[getLocale(prefix)];
      await page.goto(`${prefix}/search?q=abc`);
      await expect(page.getByText(t.noScript)).toBeVisible();
      for (const link of await page.getByRole("navigation", { name: t.ways }).getByRole("link").all()) {
        await expect(link).toBeVisible();
        expect((await page.request.get((await link.getAttribute("href")) ?? "")).status()).toBe(200);
      }
    });
  });
});

test("the header's field leads to the results, in the visitor's prefix", { tag: ["@desktop", "@full"] }, async ({ page }) => {
  await page.goto("/zh-CN/news");
  await page.getByRole("banner").getByRole("searchbox").fill("一则");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/zh-CN/search?${new URLSearchParams({ q: "一则" })}`);
  await expect(getRows(page).getByRole("link").first()).toHaveAttribute("href", /^\/zh-CN\/news\//);
});

test("on a phone the header leads to the field, which has the focus", { tag: ["@phone", "@full"] }, async ({ page }) => {
  await page.goto("/news");
  await page.getByRole("banner").getByRole("link", { name: search["zh-CN"].title }).click();
  await expect(getField(page, search["zh-CN"].title)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const { also, or, ways: name } = search["zh-CN"];
  const ways = page.getByRole("navigation", { name });
  for (const [query, text] of Object.entries({ 测试: also, 用户协议: also, zzzz: or })) {
    await page.goto(`/search?q=${query}`);
    await expect(ways).toBeVisible({ visible: query !== "测试" });
    await expect(page.locator("[data-or]")).toHaveText(text);
    await expect(ways.locator(".plate").first()).toBeVisible({ visible: text === or });
  }
  await page.goto("/en-US/search?q=一则").then(() => page.locator(".ways > a.button:first-child:not(.outline)").click());
  await expect(getRows(page).first()).toBeVisible();
});

test("nothing of the search is loaded before the first intent, and nothing twice", { tag: "@desktop" }, async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => isOfSearch(request.url()) && requests.push(request.url()));
  await page.goto("/search");
  await waitForIdle(page);
  expect(requests).toEqual([]);
  const field = getField(page, search["zh-CN"].title);
  await field.focus();
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  await field.fill("测试");
  await expect(getRows(page).first()).toBeVisible();
  const { length } = requests;
  await field.fill("");
  await expect(getRows(page)).toHaveCount(0);
  await field.fill("测试");
  await expect(getRows(page).first()).toBeVisible();
  expect(requests).toHaveLength(length);
});

test("results that come late do not move", { tag: ["@phone", "@full"] }, async ({ page }) => {
  await page.goto("/search?q=zzzz");
  await expect(page.getByRole("button", { name: search["zh-CN"].again })).toBeVisible();
  // After half a second a move is no longer due to the key.
  await page.route("**/search-index/**", (route) => wait(600).then(() => route.continue()));
  await getField(page, "搜索").fill("测试");
  await expect(getRows(page).first()).toBeVisible();
});

test("a query that is loaded takes less than 100 ms", { tag: ["@desktop", "@full"] }, async ({ page }) => {
  await page.goto("/search?q=测试");
  await expect(getRows(page).first()).toBeVisible();
  await getField(page, "搜索").fill("");
  await expect(getRows(page)).toHaveCount(0);
  const milliseconds = await page.locator("#q").evaluate(async (field: HTMLInputElement) => {
    field.value = "测试";
    const start = performance.now();
    field.form?.requestSubmit();
    while (!document.querySelector("[data-results] li")) await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - start;
  });
  expect(milliseconds).toBeLessThan(100);
});

test.describe("a page of an older build", { tag: "@full" }, () => {
  test.use({ allowed: [/status of 404/] });
  test("finds the index of a newer one", { tag: "@desktop" }, async ({ page }) => {
    let manifests = 0;
    await page.route("**/search/zh-CN.json", async (route) => {
      const manifest = await (await route.fetch()).json();
      manifests += 1;
      await route.fulfill({ json: manifests === 1 ? { ...manifest, folder: "/search-index/gone" } : manifest });
    });
    await page.goto("/search?q=一则");
    await expect(getRows(page).first()).toBeVisible();
    expect(manifests).toBe(2);
  });
});

test("a word that is being composed is no query before it is chosen", { tag: ["@desktop", "@full"] }, async ({ page }) => {
  await page.clock.install();
  await page.goto("/search");
  const field = getField(page, "搜索");
  await field.focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "ceshi", selectionStart: 5, selectionEnd: 5 });
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL("/search");
  await session.send("Input.insertText", { text: "测试" });
  await expect(page).toHaveURL(`/search?${new URLSearchParams({ q: "测试" })}`);
  await expect(getRows(page).first()).toBeVisible();
  // Safari sends the key that ends a composition after its end, with the code 229.
  const pressLate = (key: string) =>
    field.evaluate(
      (input, key) => input.dispatchEvent(new KeyboardEvent("keydown", { key, keyCode: 229, bubbles: true, cancelable: true })),
      key,
    );
  for (const key of ["Escape", "ArrowDown", "Enter"]) expect(await pressLate(key), key).toBe(true);
  await expect(field).toHaveValue("测试");
  await expect(field).toBeFocused();
});

test("a text in the other language alone is found and marked as such", { tag: ["@desktop", "@full"] }, async ({ page }) => {
  // A news item of the demo in Chinese alone.
  await page.goto("/en-US/news/stage-words");
  const title = await page.locator("h1").innerText();
  await page.goto(`/en-US/search?${new URLSearchParams({ q: title.slice(0, 4) })}`);
  const row = getRows(page).filter({ has: page.locator('[href="/en-US/news/stage-words"]') });
  await expect(row.getByText("中文", { exact: true })).toBeVisible();
  await expect(row.getByRole("link")).toHaveAttribute("lang", "zh-CN");
});
