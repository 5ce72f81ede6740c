import type { Page } from "@playwright/test";
import { getLocale } from "../../i18n/locale.ts";
import { getRoute, matchRoute } from "../../src/routes.ts";
import { findViolations } from "./support/axe.ts";
import { checkAllWidths } from "./support/check-visually.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { prefixPath, samplePaths } from "./support/pages.ts";
import { findMisplaced, findWrongLanguage, inspectFocus } from "./support/visual-checks.ts";
import { waitForIdle } from "./support/watch.ts";

// The tests set widths themselves.
const onDesktop = { tag: "@desktop" };
/** `npm test` looks at one page of each layout, `npm run test:full` at all. */
const onDesktopUnless = (isSample: boolean) => ({ tag: isSample ? ["@desktop"] : ["@desktop", "@full"] });
const sampled = ["/", "/mall/item/vinyl", "/user/login"];

inBothLanguages(() => {
  // Resizing the viewport shifts the layout, and a missing page responds with 404.
  test.use({ allowed: [/layout shift|status of (404|500)/] });

  for (const path of samplePaths) {
    test(
      `${path} has no accessibility or layout problems at any width`,
      onDesktopUnless(sampled.includes(path)),
      async ({ page, prefix }) => {
        await page.goto(prefixPath(prefix, path));
        await waitForIdle(page);
        expect(await checkAllWidths(page)).toEqual({});
      },
    );
  }

  test(
    "the API documentation page has no accessibility or layout problems at any width",
    onDesktopUnless(false),
    async ({ page, prefix }) => {
      await page.goto(`/docs?lang=${getLocale(prefix)}`);
      for (const call of ["sendCode", "mallOrderInfo"]) await page.locator(`#${call} > summary`).click();
      expect(await checkAllWidths(page)).toEqual({});
    },
  );

  test(
    "member pages have no accessibility or layout problems at any width",
    onDesktopUnless(false),
    async ({ page, prefix }) => {
      await logIn(page);
      for (const path of ["/user/info", "/user/order/list"]) {
        await page.goto(prefixPath(prefix, path));
        await waitForIdle(page);
        expect({ [path]: await checkAllWidths(page) }).toEqual({ [path]: {} });
      }
    },
  );

  for (const path of [
    "/",
    "/event/entrance",
    "/user/login",
    "/user/ui",
    "/mall/item/vinyl",
    "/mall/vip/regular",
    "/mall/order/confirm/tote?sku=tote&quantity=1",
    "/user/info",
  ]) {
    test(
      `Tab passes through ${path} with a visible, unobstructed focus and no keyboard trap`,
      onDesktopUnless(path === "/" || path === "/mall/item/vinyl"),
      async ({ page, prefix }) => {
        // Chinese runs at phone width, English at desktop width.
        await page.setViewportSize(prefix ? { width: 1440, height: 900 } : { width: 375, height: 812 });
        const { session } = getRoute(matchRoute(path.replace(/\?.*/, ""))?.name ?? "home");
        if (session) await logIn(page);
        await page.goto(prefixPath(prefix, path));
        // Includes the content that islands render for a member.
        if (session) await waitForIdle(page);
        const problems: string[] = [];
        const stops: string[] = [];
        for (let step = 0; step < 250; step += 1) {
          await page.keyboard.press("Tab");
          const { at: stop, problem } = await page.evaluate(inspectFocus);
          if (!stop) break;
          if (problem) problems.push(problem);
          stops.push(stop);
        }
        expect(problems).toEqual([]);
        expect(stops.length).toBeGreaterThan(5);
        expect(stops.length).toBeLessThan(250);
      },
    );
  }
});

test.describe("the visual checks", () => {
  test.use({ allowed: [/layout shift/] });
  test("report overflow, clipping, overlap, wrong language, hidden focus and low contrast", onDesktop, async ({ page }) => {
    await page.goto("/about/terms");
    await page.evaluate(() => {
      const append = (text: string, style: Partial<CSSStyleDeclaration>, tag = "p") => {
        const element = document.createElement(tag);
        element.textContent = text;
        Object.assign(element.style, style);
        document.querySelector("main")?.append(element);
        return element;
      };
      append("much too wide", { width: "200vw", whiteSpace: "nowrap", textAlign: "right" });
      append("these four English words", { height: "4px", overflow: "hidden" });
      for (const name of ["one", "two"])
        append(name, { position: "absolute", top: "300px", left: "20px", width: "50px" }, "button");
      for (const text of ["upper", "lower"]) append(text, { position: "absolute", top: "500px", left: "20px" });
      append("dim", { color: "#eee", background: "#fff" });
      document.activeElement instanceof HTMLElement && document.activeElement.blur();
      const bare = append("bare", { outline: "none" }, "button");
      bare.focus();
    });
    const problems = (await page.evaluate(findMisplaced)).join("\n");
    for (const words of ["scrolls sideways", "outside the view", "cut off by", "on top of each other", "text on text"])
      expect(problems).toContain(words);
    expect(await page.evaluate(findWrongLanguage)).toContain("text in zh-CN: these four English words");
    expect((await page.evaluate(inspectFocus)).problem).toContain("no visible focus");
    expect((await findViolations(page)).join()).toContain("color-contrast");
  });
});

test.describe("texts in the other language", () => {
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
    await expect(card(page).locator("p").first()).toHaveAttribute("lang", "en-US");
    await expect(page.locator("main :is(li, article)").filter({ hasText: "中文" }).first()).toBeVisible();
  });
});
