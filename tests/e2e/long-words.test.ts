import { longAddress, longWord } from "#tests/fixtures/long-words.ts";
import { expect, test } from "./support/page.ts";

// A few pages of what `tests/build/long-words.test.ts` opens in whole.

/** Adds words to every heading, paragraph and fact that has a text of its own. */
function lengthenTexts(words: string): void {
  for (const element of document.querySelectorAll("main :is(h1, h2, h3, p, dd)"))
    if (element.lastChild instanceof Text && !element.closest("[translate=no], [aria-hidden=true], .sr-only"))
      element.lastChild.data += ` ${words}`;
}

test.describe("a phone of 320 px, with text of 200 %", { tag: "@phone" }, () => {
  test.use({ viewport: { width: 320, height: 700 }, allowed: [/layout shift/] });

  for (const path of ["/", "/event/entrance", "/news/sample-1", "/mall/item/vinyl"])
    test(`does not scroll ${path} sideways, however long its words are`, async ({ page }) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
      await page.goto(path);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
      await page.evaluate(lengthenTexts, `${longWord} ${longAddress}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    });
});
