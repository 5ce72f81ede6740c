// @module-tag long
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Locale, locales } from "#i18n/locale.ts";
import { demoFolder } from "#scripts/shop-paths.ts";
import { createSiteFile, readTemplate, templateKinds } from "#src/content/templates.ts";
import { findMisplaced } from "#tests/e2e/support/accessibility.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { replaceFields } from "#tests/support/content/shop-files.ts";
import { startTestSite } from "#tests/support/content/test-site.ts";
import { root } from "#tests/support/rules/sources.ts";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

const word = "Donaudampfschifffahrtsgesellschaft";
/** Names as long as anybody writes them: the English one twice as long, with a word that is wider than half a phone. */
const names: Record<Locale, string> = {
  "zh-CN": `名字很长、一行怎么也写不下的${word}纪念品`,
  "en-US": `The memento of the ${word} whose English name is twice as long as any other, and then some more`,
};

/** Writes a shop without pictures, whose names are long: so many items at 3,000, 1 and 268.50 yuan, a pass, a show and an article. */
function writeShop(folder: string, count: number): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("site.yaml", createSiteFile("shop"));
  write("mark.svg", readTemplate("mark.svg"));
  cpSync(join(demoFolder, "about"), join(folder, "about"), { recursive: true });
  const add = (name: string, id: string, facts: object, own: (locale: Locale) => object) => {
    for (const locale of locales) {
      const changes = { ...own(locale), ...(locale === "zh-CN" && facts) };
      const text = replaceFields(readTemplate(`${name}.${locale}.md`), changes);
      write(`${templateKinds[name]}/${id}/index.${locale}.md`, text);
    }
  };
  const rename = (locale: Locale) => ({ title: names[locale], summary: names[locale] });
  for (let index = 0; index < count; index += 1) {
    const facts = {
      price: [3000, 1, 268.5][index % 3],
      list_price: 3000,
      stock: index % 4 === 3 ? 0 : 10,
      position: index + 1,
    };
    add("item", `item-${index}`, facts, (locale) => (index % 2 ? {} : { ...rename(locale), category: names[locale] }));
  }
  add("pass", "pass", { price: 3000 }, rename);
  add("event", "show", {}, (locale) => ({ ...rename(locale), venue: names[locale], line_up: [names[locale], word] }));
  add("news", "news", {}, rename);
}

describe.each([1, 40])("a shop with long names, no pictures and %i items", (count) => {
  let shop: Awaited<ReturnType<typeof startTestSite>>;
  const folder = join(root, "test-results", `shop-${process.pid}-${count}`);
  beforeAll(async () => {
    shop = await startTestSite(folder, { write: (content) => writeShop(content, count) });
  });
  afterAll(async () => {
    await shop?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(["", "/en-US"])(
    "has everything in its place from 320 to 2,560 px and in forced colours under the prefix %j",
    async (prefix) => {
      const problems: Record<string, string[]> = {};
      for (const path of ["", "/mall", "/mall/item/item-0", "/mall/vip/pass", "/event/show", "/news/news"]) {
        await page.goto(`${shop?.origin}${prefix}${path}`);
        await page.waitForLoadState("networkidle");
        // 720 px are 1,440 at 200 % zoom.
        for (const [width, forcedColors] of [
          [320, "none"],
          [375, "active"],
          [720, "none"],
          [1440, "none"],
          [2560, "active"],
        ] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ forcedColors });
          const found = await page.evaluate(findMisplaced);
          if (found.length > 0) problems[`${path} at ${width} px`] = found;
        }
      }
      expect(problems).toEqual({});
    },
  );
});
