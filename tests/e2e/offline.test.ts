import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import getPort from "get-port";
import { writeWorker } from "../../src/build/worker.ts";
import { builtPages } from "../support/content/site.ts";
import { expect, test } from "./support/page.ts";

test.use({ serviceWorkers: "allow", allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/] });

const articles = builtPages().flatMap(({ path }) => (/^\/news\/(?!page\/)[^/]+$/.test(path) ? [path] : []));
const article = articles[0] ?? "";

/** Waits until the worker has stored the page's address, and both lists after it. */
async function waitUntilStored(page: Page, ...paths: string[]): Promise<void> {
  const isStored = (all: string[]) => Promise.all(all.map((path) => caches.match(path))).then((found) => found.every(Boolean));
  await expect.poll(() => page.evaluate(isStored, paths)).toBe(true);
}

test("an article that was read, and the lists that were not, are readable offline", { tag: "@phone" }, async ({
  page,
  context,
}) => {
  await page.goto(article);
  const title = await page.locator("h1").innerText();
  await waitUntilStored(page, article, "/event", "/news");
  await context.setOffline(true);
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

test("calls of the API are not stored", { tag: "@phone" }, async ({ page }) => {
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

test.describe("behind a server that changes", () => {
  test.use({ allowed: [/^foreign request|ERR_|Failed to fetch/] });
  let server: Server;
  let origin = "";
  let worker: string | null = null;
  /** Milliseconds before a page is sent. */
  let delay = 0;

  test.beforeEach(async () => {
    worker = null;
    delay = 0;
    const port = await getPort();
    origin = `http://localhost:${port}`;
    server = createServer(async ({ url = "/", headers }, response) => {
      if (headers.accept?.startsWith("text/html")) await new Promise((resolve) => setTimeout(resolve, delay));
      const answer = await fetch(process.env.TEST_ORIGIN + url);
      const type = answer.headers.get("content-type") ?? "";
      response.writeHead(answer.status, { "content-type": type, "cache-control": "no-cache" });
      response.end(url === "/sw.js" && worker ? worker : Buffer.from(await answer.arrayBuffer()));
    }).listen(port);
  });
  test.afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test("a page that takes more than 3 s is shown as it was stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    delay = 20_000;
    const began = performance.now();
    await page.goto(origin + article, { waitUntil: "commit" });
    expect(performance.now() - began).toBeGreaterThan(2_500);
    expect(performance.now() - began).toBeLessThan(15_000);
    await expect(page.locator("h1")).toBeVisible();
  });

  test("PUBLIC_OFFLINE=false removes the worker and what it has stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    const folder = mkdtempSync(join(tmpdir(), "entrance-worker-"));
    await writeWorker("src", folder, "off", false);
    worker = readFileSync(join(folder, "sw.js"), "utf8");
    // As a browser does when a page opens.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect
      .poll(() =>
        page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length]),
      )
      .toEqual([0, 0]);
  });
});
