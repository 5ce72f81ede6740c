import { getLocale } from "../../i18n/locale.ts";
import { getRoute, matchRoute } from "../../src/routes.ts";
import { violations } from "./support/axe.ts";
import { lookAt } from "./support/check-visually.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { at, kinds } from "./support/pages.ts";
import { focusSeen, misplaced, wrongLanguage } from "./support/visual-checks.ts";

// The tests set widths themselves.
const once = { tag: "@desktop" };

inBothLanguages(() => {
  // What resizing moves is nobody's concern, and a missing page says 404.
  test.use({ allowed: [/layout shift|status of (404|500)/] });

  for (const path of kinds) {
    test(`${path} can be used by everybody`, once, async ({ page, prefix }) => {
      await page.goto(at(prefix, path));
      await page.waitForLoadState("networkidle");
      expect(await lookAt(page)).toEqual({});
    });
  }

  test("so can the host's page about its calls", once, async ({ page, prefix }) => {
    await page.goto(`/docs?lang=${getLocale(prefix)}`);
    for (const call of ["sendCode", "mallOrderInfo"]) await page.locator(`#${call} > summary`).click();
    expect(await lookAt(page)).toEqual({});
  });

  test("so can what is a member's own", once, async ({ page, prefix }) => {
    await logIn(page, prefix);
    for (const path of ["/user/info", "/user/order/list"]) {
      await page.goto(at(prefix, path));
      await page.waitForLoadState("networkidle");
      expect({ [path]: await lookAt(page) }).toEqual({ [path]: {} });
    }
  });

  for (const path of [
    ...["/", "/event/entrance", "/user/login", "/user/ui", "/mall/item/vinyl", "/mall/vip/regular"],
    ...["/mall/order/confirm/tote?sku=tote&quantity=1", "/user/info"],
  ]) {
    test(
      `${path} is walked through by keyboard: the focus is always seen, nothing holds it, nothing lies over it`,
      once,
      async ({ page, prefix }) => {
        // One language on a phone, one on a desk.
        await page.setViewportSize(prefix ? { width: 1440, height: 900 } : { width: 375, height: 812 });
        const { session } = getRoute(matchRoute(path.replace(/\?.*/, ""))?.name ?? "home");
        if (session) await logIn(page, prefix);
        await page.goto(at(prefix, path));
        // What comes for a member is walked through too.
        if (session) await page.waitForLoadState("networkidle");
        const problems: string[] = [];
        const seen: string[] = [];
        for (let step = 0; step < 250; step += 1) {
          await page.keyboard.press("Tab");
          const { at: place, problem } = await page.evaluate(focusSeen);
          if (!place) break;
          if (problem) problems.push(problem);
          seen.push(place);
        }
        expect(problems).toEqual([]);
        expect(seen.length).toBeGreaterThan(5);
        expect(seen.length).toBeLessThan(250);
      },
    );
  }
});

test.describe("what is looked for", () => {
  test.use({ allowed: [/layout shift/] });
  test("is found", once, async ({ page }) => {
    await page.goto("/about/terms");
    await page.evaluate(() => {
      const put = (text: string, style: Partial<CSSStyleDeclaration>, tag = "p") => {
        const made = document.createElement(tag);
        made.textContent = text;
        Object.assign(made.style, style);
        document.querySelector("main")?.append(made);
        return made;
      };
      put("much too wide", { width: "200vw", whiteSpace: "nowrap", textAlign: "right" });
      put("these four English words", { height: "4px", overflow: "hidden" });
      for (const name of ["one", "two"])
        put(name, { position: "absolute", top: "300px", left: "20px", width: "50px" }, "button");
      for (const text of ["upper", "lower"]) put(text, { position: "absolute", top: "500px", left: "20px" });
      put("dim", { color: "#eee", background: "#fff" });
      document.activeElement instanceof HTMLElement && document.activeElement.blur();
      const bare = put("bare", { outline: "none" }, "button");
      bare.focus();
    });
    const found = (await page.evaluate(misplaced)).join("\n");
    for (const words of ["scrolls sideways", "outside the view", "cut off by", "on top of each other", "text on text"])
      expect(found).toContain(words);
    expect(await page.evaluate(wrongLanguage)).toContain("text in zh-CN: these four English words");
    expect((await page.evaluate(focusSeen)).problem).toContain("no visible focus");
    expect((await violations(page)).join()).toContain("color-contrast");
  });
});
