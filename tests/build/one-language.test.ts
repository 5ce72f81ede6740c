// @module-tag full
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { event } from "../../i18n/event.ts";
import { news } from "../../i18n/news.ts";
import { findBrowser } from "../../scripts/browser.mjs";
import { findWrongLanguage } from "../e2e/support/accessibility.ts";
import { eventFile, newsFile, newsWordsFile } from "../support/content/shop-files.ts";
import { serveSite } from "../support/content/site.ts";
import { copySources } from "../support/processes/child-process.ts";

// Builds a copy of the sources with untranslated content and a page that forces a colour mode.
const copy = copySources();
const forcedPage = `---
import Default from "../layouts/Default.astro";
---
<Default title="Night" colorMode="dark" noindex><h1>Night</h1></Default>
`;
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
  write("content/news/about-entrance/index.zh-CN.md", newsFile);
  write("content/news/about-entrance/index.en-US.md", newsWordsFile);
  write("content/news/on-tour/index.zh-CN.md", newsFile.replace("kind: live\nevent: entrance", "kind: tour"));
  write(
    "content/news/of-a-tour/index.zh-CN.md",
    newsFile.replace("kind: live\nevent: entrance", "kind: tour\ncampaign: spring"),
  );
  write("content/news/only-here/index.en-US.md", newsFile);
  rmSync(join(copy, "src/content/campaign/spring/index.en-US.md"));
  const siteFile = join(copy, "src/content/site.yaml");
  writeFileSync(siteFile, readFileSync(siteFile, "utf8").split("en-US:")[0] ?? "");
  write("pages/forced.astro", forcedPage);
  const env = { ...process.env, BUILD_API_ORIGIN: "", SITE_DIR: "site" };
  await promisify(execFile)(process.execPath, ["scripts/build.ts"], { cwd: copy, env });
  site = await serveSite(join(copy, "site"), process.env.TEST_ORIGIN ?? "");
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  browser = await chromium.launch({ executablePath: findBrowser() ?? "", args });
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

  it.each([
    ["/en-US/event/entrance", "/event/entrance", event["en-US"].otherLanguage],
    ["/news/only-here", "/en-US/news/only-here", news["zh-CN"].otherLanguage],
  ])("has a language notice on %s, not on %s", async (foreign, own, notice) => {
    await page.goto(site.origin + foreign);
    expect(await page.getByRole("main").getByText(notice).isVisible()).toBe(true);
    await page.goto(site.origin + own);
    expect(await page.locator(".other-language").count()).toBe(0);
  });
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

it("a news item of kind tour leads to the tour that it names, and has no show beside it", async () => {
  const main = page.getByRole("main");
  await page.goto(`${site.origin}/news/on-tour`);
  for (const name of [event["zh-CN"].events, event["zh-CN"].related])
    expect(await main.getByRole("link", { name }).count()).toBe(0);
  await page.goto(`${site.origin}/news/of-a-tour`);
  await main.getByRole("link", { name: event["zh-CN"].relatedTour }).click();
  await page.waitForURL(/\/event\/spring(-tour)?$/);
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
