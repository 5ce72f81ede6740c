// @module-tag full
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { event } from "#i18n/event.ts";
import { findWrongLanguage } from "#tests/e2e/support/accessibility.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { eventFile, newsFile, newsWordsFile } from "#tests/support/content/shop-files.ts";
import { sendRaw, serveSite } from "#tests/support/content/site.ts";
import { copyCaches } from "#tests/support/content/test-site.ts";
import { isWithoutNginx, startNginx } from "#tests/support/hosting/web-servers.ts";
import { copySources } from "#tests/support/processes/child-process.ts";

// Builds a copy of the sources with untranslated content, public files and a page that forces a colour mode.
const copy = copySources();
copyCaches(join(copy, ".cache"));
const forcedPage = `---
import Default from "../layouts/Default.astro";
---
<Default title="Night" colorMode="dark" noindex><h1>Night</h1></Default>
`;
const late = "publish_at: 2026-02-01T20:00+08:00";
const chineseText = `**注意：**详见https://example.com/a，谢谢[^1]。

| 场次 | 票价 |
| :- | -: |
| 早场 | 80 |

[^1]: 第12页。`;
const publicFiles = {
  "MP_verify_1a2b.txt": "1a2b",
  "google1a2b.html": "google-site-verification: google1a2b.html",
  "files/menu/index.html": "<!doctype html><title>Menu</title>",
  ".apple/y.txt": "y",
  ".well-known/security.txt": "Contact: mailto:own@shop.example\nExpires: 2027-01-01T00:00:00Z\n",
};
let browser: Browser;
let site: Awaited<ReturnType<typeof serveSite>>;
let page: Page;

function write(path: string, text: string): void {
  const file = join(copy, "src", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(async () => {
  rmSync(join(copy, "src/content/event/entrance"), { recursive: true, force: true });
  write("content/event/entrance/index.zh-CN.md", eventFile());
  const calledOff = eventFile().replace("入口", "停电").replace("terms:", "status: cancelled\nterms:");
  write("content/event/blackout/index.zh-CN.md", calledOff);
  write("content/news/about-entrance/index.zh-CN.md", newsFile);
  write("content/news/about-entrance/index.en-US.md", newsWordsFile);
  write("content/news/on-tour/index.zh-CN.md", newsFile.replace("kind: live\nevent: entrance", `kind: tour\n${late}`));
  write("content/news/as-written/index.zh-CN.md", newsFile.replace("\n3\n", `\n${chineseText}\n`));
  rmSync(join(copy, "src/content/campaign/spring/index.en-US.md"));
  const siteFile = join(copy, "src/content/site.yaml");
  const [zh = ""] = readFileSync(siteFile, "utf8").split("en-US:");
  // A plan whose show is over.
  writeFileSync(siteFile, zh.replace(/^( {2}plan:\n {4}event:) .*/m, "$1 last"));
  write("pages/forced.astro", forcedPage);
  for (const [name, text] of Object.entries(publicFiles)) write(`content/public/${name}`, text);
  const env = { ...process.env, BUILD_API_ORIGIN: "", SITE_DIR: "site" };
  await promisify(execFile)(process.execPath, ["scripts/build.ts"], { cwd: copy, env });
  site = await serveSite(join(copy, "site"), process.env.TEST_ORIGIN ?? "");
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  rmSync(copy, { recursive: true, force: true });
});
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

it("a news item that comes out after its date has that time in RSS", () => {
  const feed = readFileSync(join(copy, "site/feed/zh-CN.xml"), "utf8");
  const item = /<link>[^<]*\/news\/on-tour<\/link>.*?<pubDate>(.*?)<\/pubDate>/.exec(feed);
  expect(item?.[1]).toBe("Sun, 01 Feb 2026 12:00:00 GMT");
});

it("a text as Chinese is written has its bold words, address, table and notes, whose heading is for screen readers alone", async () => {
  await page.goto(`${site.origin}/news/as-written`);
  const text = page.locator(".prose");
  expect(await text.locator("strong").innerText()).toBe("注意：");
  expect(await text.locator("[href^=https]").getAttribute("href")).toBe("https://example.com/a");
  const cell = text.locator("td").last();
  expect(await cell.evaluate((cell) => getComputedStyle(cell).textAlign)).toMatch(/right$/);
  const heading = text.getByRole("heading", { name: "脚注" });
  expect((await heading.boundingBox())?.width).toBeLessThanOrEqual(1);
  await text.getByRole("link", { name: "回到正文中的脚注 1" }).click();
  expect(decodeURIComponent(new URL(page.url()).hash)).toBe("#user-content-fnref-1");
});

it("a cancelled show is found as such, and the search names another one as the next", async () => {
  await page.goto(`${site.origin}/search`);
  expect(await page.locator("[data-ways] li").first().innerText()).toContain("入口");
  await page.goto(`${site.origin}/search?q=停电`);
  await page.locator("[data-results] li").getByText(event["zh-CN"].cancelled).waitFor({ timeout: 10_000 });
});

it("a home page whose concert plan has had its show has no banner, and the posters of its first shows before its script", async () => {
  await page.route("**/_astro/Base.*.js", () => {});
  await page.goto(site.origin, { waitUntil: "commit" });
  expect(await page.locator("h1").count()).toBe(1);
  expect(await page.locator("[data-show-ends], #plan-heading").count()).toBe(0);
  const posters = page.locator("[data-ends] img");
  expect(await posters.nth(1).isVisible()).toBe(true);
  expect(await posters.nth(2).isVisible()).toBe(false);
});

describe("content in one language only", () => {
  it.each(["/en-US", "/en-US/event", "/en-US/news", "/en-US/mall", "/en-US/event/entrance", "/en-US/news/about-entrance"])(
    "is marked with its lang attribute on %s",
    async (path) => {
      await page.goto(site.origin + path);
      await page.waitForLoadState("networkidle");
      expect(await page.locator("main [lang=zh-CN]").count()).toBeGreaterThan(0);
      // Skips texts without a lang attribute of their own: the head and the alt text of the picture.
      expect((await page.evaluate(findWrongLanguage)).filter((problem) => problem.startsWith("text"))).toEqual([]);
    },
  );
});

describe("a news item about an event", () => {
  it.each(["", "/en-US"])("links to the event under the prefix %j", async (prefix) => {
    await page.goto(`${site.origin}${prefix}/news/about-entrance`);
    await page
      .getByRole("main")
      .getByRole("link", { name: event[prefix ? "en-US" : "zh-CN"].related })
      .click();
    await page.waitForURL(`${site.origin}${prefix}/event/entrance`);
  });
});

describe("a page with forced dark mode", () => {
  it("stays dark whatever is chosen, and other pages use the choice", async () => {
    const theme = () => document.documentElement.dataset.theme;
    // A visitor whom the question for the language is not asked, which covers the end of a page.
    await page.close();
    page = await browser.newPage({ locale: "zh-CN" });
    await page.goto(`${site.origin}/news`);
    await page.locator("footer [data-mode=light]").click();
    await page.goto(`${site.origin}/forced`);
    expect(await page.evaluate(theme)).toBe("dark");
    await page.locator("footer [data-mode=system]").click();
    await page.locator("footer [data-mode=light]").click();
    expect(await page.evaluate(theme)).toBe("dark");
    await page.goto(`${site.origin}/news`);
    expect(await page.evaluate(theme)).toBe("light");
  });
});

describe("a shop's own public files", () => {
  const dist = join(copy, "site");

  const expectAll = async (port: number) => {
    for (const [path, text] of Object.entries(publicFiles)) {
      const { status, headers, body } = await sendRaw(port, `/${path}`);
      const type = path.endsWith(".html") ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
      expect([path, status, headers["content-type"], body.toString()]).toEqual([path, 200, type, text]);
    }
  };

  it("are in its site as they are, after those of every shop, and on the server", async () => {
    for (const [path, text] of Object.entries(publicFiles)) expect(readFileSync(join(dist, path), "utf8"), path).toBe(text);
    await expectAll(Number(new URL(site.origin).port));
  });

  it.skipIf(isWithoutNginx())("are on nginx", async () => {
    const nginx = await startNginx(
      (port) => `server { listen 127.0.0.1:${port}; root ${dist}; include ${dist}/.hosting/nginx.conf; }`,
    );
    await expectAll(nginx.port);
    await nginx.stop();
  });
});
