import type { Page } from "@playwright/test";
import { expect, test } from "./support/page.ts";

/** A news item of the demo that exists only in Chinese. */
const id = "stage-words";

/** The card of the news item in a list on an English page. */
const card = (page: Page) => page.getByRole("article").filter({ has: page.locator(`a[href$="/news/${id}"]`) });

test.use({ locale: "en-US" });

test("a news card in the other language has a lang attribute and a visible language label", async ({ page }) => {
  for (const path of ["/en-US/news", "/en-US/news/page/2"]) {
    await page.goto(path);
    if ((await card(page).count()) > 0) break;
  }
  await expect(card(page).locator("xpath=ancestor-or-self::*[@lang][1]")).toHaveAttribute("lang", "zh-CN");
  await expect(card(page).getByText("中文", { exact: true })).toBeVisible();
  // The category is in the language of the page.
  await expect(card(page).locator(".meta")).toHaveAttribute("lang", "en-US");
  await expect(page.locator("main :is(li, article)").filter({ hasText: "中文" }).first()).toBeVisible();
});
