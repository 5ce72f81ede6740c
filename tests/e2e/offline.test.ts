import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { getLocale } from "../../i18n/locale.ts";
import { error } from "../../i18n/page.ts";
import { writeWorker } from "../../src/build/worker.ts";
import { builtPages } from "../support/content/site.ts";
import { expect, test, waitUntilStored } from "./support/page.ts";
import { startChangingServer } from "./support/servers.ts";

test.use({
  serviceWorkers: "allow",
  allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|Failed to fetch/],
  baseURL: async ({ line }, use) => use(line.origin),
});

const articles = builtPages().flatMap(({ path }) => (/^\/news\/(?!page\/)[^/]+$/.test(path) ? [path] : []));
const article = articles[0] ?? "";

test("an article that was read, and the lists that were not, are readable offline", { tag: "@phone" }, async ({
  page,
  context,
  line,
}) => {
  await page.goto(article);
  const title = await page.locator("h1").innerText();
  await waitUntilStored(page, article, "/event", "/news");
  await line.cut(context);
  await page.goto("/news");
  await expect(page.locator(`main a[href="${article}"]`).first()).toBeVisible();
  await page.goto(article);
  await expect(page.locator("h1")).toHaveText(title, { useInnerText: true });
  const picture = page.locator("main img").first();
  if (await picture.count())
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.goto("/event");
  await expect(page.locator("h1")).toBeVisible();
  await expect(page.locator("#failure")).toBeHidden();
});

for (const prefix of ["", "/en-US"] as const)
  test(`a page that was never opened is an offline page under "${prefix}", which opens it once there is a connection`, {
    tag: ["@phone", "@full"],
  }, async ({ page, context, line }) => {
    const t = error[getLocale(prefix)];
    await page.goto(`${prefix}/news`);
    await waitUntilStored(page, `${prefix}/offline`, `${prefix}/event`, `${prefix}/news`);
    await line.cut(context);
    await page.goto(`${prefix}/about/terms`);
    await expect(page.getByRole("heading", { level: 1, name: t.offlineHeading })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", getLocale(prefix));
    await expect(page.locator("#failure")).toBeHidden();
    await page.getByRole("link", { name: t.retry }).click();
    await expect(page.getByRole("heading", { level: 1, name: t.offlineHeading })).toBeVisible();
    await line.mend(context);
    await page.getByRole("link", { name: t.retry }).click();
    await expect(page.locator(".prose").first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`${prefix}/about/terms`);
    await line.cut(context);
    await page.goto(`${prefix ? "" : "/en-US"}/about/terms`);
    await expect(page.getByRole("heading", { level: 1, name: t.offlineHeading })).toBeVisible();
    await page.goto(`${prefix}/user/ui`);
    await page.getByRole("link", { name: t.news }).click();
    await expect(page.locator(`main a[href="${prefix}${article}"]`).first()).toBeVisible();
  });

test("pictures that a page shows again are removed last", { tag: ["@phone", "@full"] }, async ({ page }) => {
  const findOldest = () => page.evaluate(async () => (await (await caches.open("pictures")).keys())[0]?.url);
  await page.goto("/event");
  await expect.poll(findOldest).toContain("/pictures/");
  await waitUntilStored(page, "/event", "/news");
  await page.evaluate(async () => (await caches.open("pictures")).put("/other", new Response()));
  await page.reload();
  await expect.poll(findOldest).toContain("/other");
});

test("calls of the API are not stored", { tag: ["@phone", "@full"] }, async ({ page }) => {
  await page.goto("/news");
  await waitUntilStored(page, "/event", "/news");
  await page.evaluate(() => fetch("/openapi.json"));
  await page.evaluate(() => fetch("/build.json"));
  const stored = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored).toContain("/news");
  expect(stored.filter((path) => /openapi|build|sw/.test(path))).toEqual([]);
});

test.describe("behind a server that changes", { tag: "@full" }, () => {
  test.use({ allowed: [/^foreign request|ERR_|Failed to fetch|status of 404/] });
  let origin = "";
  let answers: Awaited<ReturnType<typeof startChangingServer>>["answers"];
  let close = () => {};
  test.beforeEach(async () => {
    ({ origin, answers, close } = await startChangingServer());
  });
  test.afterEach(() => close());
  /** Returns the scripts that stored pages name, and those of them that are not stored. */
  const findScripts = (page: Page) =>
    page.evaluate(async () => {
      const responses = await (await caches.open("pages")).matchAll();
      const texts = await Promise.all(responses.map((response) => response.text()));
      const named = [...new Set(texts.flatMap((text) => text.match(/\/_astro\/[\w.@~-]+\.js/g) ?? []))];
      const found = await Promise.all(named.map((url) => caches.match(url)));
      return { named, missing: named.filter((_, at) => !found[at]) };
    });
  /** Holds the first request that matches; returns a function that lets it go. */
  const hold = (pattern: RegExp) => {
    let send = () => {};
    answers.gate = { pattern, until: new Promise<void>((resolve) => (send = resolve)) };
    return send;
  };

  test("a page that takes more than 3 s is shown as it was stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    answers.delay = 20_000;
    const began = performance.now();
    await page.goto(origin + article, { waitUntil: "commit" });
    expect(performance.now() - began).toBeGreaterThan(2_500);
    expect(performance.now() - began).toBeLessThan(15_000);
    await expect(page.locator("h1")).toBeVisible();
  });

  test("a page that was taken down is no longer stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    answers.missing = /^\/news\/./;
    await page.goto(origin + article);
    await expect.poll(() => page.evaluate(async (path) => !(await caches.match(path)), article)).toBe(true);
  });

  test("asks for nothing that it stores before a page is idle, at the first visit and later", { tag: "@phone" }, async ({
    page,
  }) => {
    let send = () => {};
    /** Opens a page whose pictures keep it from being loaded, and waits until the browser is idle. */
    const openBusy = async (path: string) => {
      answers.requests = [];
      send = hold(/^\/pictures\//);
      await page.goto(origin + path, { waitUntil: "domcontentloaded" });
      await expect.poll(() => answers.requests.some((url) => url.startsWith("/pictures/"))).toBe(true);
      // The browser has been idle: what may begin before the page is loaded has begun.
      for (let idle = 0; idle < 3; idle++) await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    };
    await openBusy("/event");
    expect(answers.requests.filter((url) => /sw\.js|\/news|\/offline|react\./.test(url))).toEqual([]);
    send();
    await waitUntilStored(page, "/event", "/news", "/offline");
    await openBusy("/mall");
    const early = answers.requests.filter((url) => url.endsWith(".js"));
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
    );
    expect(early.filter((url) => !loaded.includes(url))).toEqual([]);
    send();
    await waitUntilStored(page, "/mall");
  });

  test("a new build leaves no stored page without its scripts, though the host has removed them, and half a build is not stored", {
    tag: "@phone",
  }, async ({ page, context }) => {
    const readStored = (path: string) => page.evaluate(async (path) => (await caches.match(path))?.text(), path);
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    answers.build = "-second";
    await page.goto(`${origin}/news`);
    await expect.poll(() => readStored("/news")).toContain("-second.js");
    // The worker of that build removes what no stored page needs.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    const getStates = async () => {
      const { installing, waiting, active } = (await navigator.serviceWorker.getRegistration()) ?? {};
      return [installing?.state, waiting?.state, active?.state];
    };
    await expect.poll(() => page.evaluate(getStates)).toEqual([undefined, undefined, "activated"]);
    answers.build = "-third";
    answers.missing = /live-region/;
    answers.requests = [];
    await page.goto(`${origin}/news`);
    await expect.poll(() => answers.requests.some((url) => url.includes("live-region"))).toBe(true);
    answers.missing = null;
    // Stored after it would have been.
    await page.goto(`${origin}/mall`);
    await waitUntilStored(page, "/mall");
    expect(await readStored("/news")).toContain("-second.js");
    await context.setOffline(true);
    for (const [path, pattern] of [
      [article, /\.[\w-]{7,8}\.js/],
      ["/news", /-second\.js/],
    ] as const) {
      await page.goto(origin + path);
      expect(await page.content()).toMatch(pattern);
      expect(await page.content()).not.toContain("-third.js");
      await page.getByRole("contentinfo").locator("[data-mode=dark]").click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
      await page.getByRole("contentinfo").locator("[data-mode=system]").click();
      await expect(page.locator("#failure")).toBeHidden();
    }
    expect(await findScripts(page)).toEqual({ named: expect.arrayContaining([expect.any(String)]), missing: [] });
  });

  test("a page that opens while a new worker removes old files does not wait for that, and keeps its own", {
    tag: "@phone",
  }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    // All stored pages lack a script, which the new worker requests before it removes the first of them.
    await page.evaluate(async () => {
      const files = await caches.open("files");
      for (const request of await files.keys()) if (request.url.includes("live-region")) await files.delete(request);
    });
    answers.build = "-second";
    answers.requests = [];
    const send = hold(/live-region/);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect.poll(() => answers.requests.some((url) => url.includes("live-region"))).toBe(true);
    await page.goto(`${origin}/mall`, { timeout: 15_000 });
    const isStoredOrWaits = async () => !!(await caches.match("/mall")) || !!(await navigator.locks.query()).pending?.length;
    await expect.poll(() => page.evaluate(isStoredOrWaits)).toBe(true);
    send();
    const findOld = async () => (await findScripts(page)).named.filter((url) => !url.endsWith("-second.js"));
    await expect.poll(findOld).toEqual([]);
    await waitUntilStored(page, "/mall");
    expect(await findScripts(page)).toMatchObject({ missing: [] });
  });

  test("PUBLIC_OFFLINE=false removes the worker and what it has stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    // As on the device of a member, whose pages have closed it.
    await page.evaluate(async () => {
      const request = indexedDB.open("SNAPSHOTS");
      await new Promise((resolve) => (request.onsuccess = resolve));
      request.result.close();
    });
    const folder = mkdtempSync(join(tmpdir(), "entrance-worker-"));
    await writeWorker("src", folder, "off", false);
    answers.worker = readFileSync(join(folder, "sw.js"), "utf8");
    const stored = async () => {
      const [workers, names] = [await navigator.serviceWorker.getRegistrations(), await caches.keys()];
      return [workers.length, ...names, ...(await indexedDB.databases()).map(({ name }) => name)];
    };
    expect(await page.evaluate(stored)).toEqual([1, "pages", "files", "pictures", "SNAPSHOTS"]);
    // As a browser does when a page opens.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect.poll(() => page.evaluate(stored)).toEqual([0]);
  });
});
