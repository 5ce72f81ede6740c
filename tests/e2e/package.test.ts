import { getLocale } from "../../i18n/locale.ts";
import { package as texts } from "../../i18n/package.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(
  () => {
    test("the pass comparison table fits a screen of 320 px without truncated row headers", async ({ page, prefix }) => {
      await page.setViewportSize({ width: 320, height: 568 });
      await page.goto(`${prefix}/mall/vip/regular`);
      const table = page.getByRole("table");
      await table.scrollIntoViewIfNeeded();
      const right = await table.evaluate((one) => one.getBoundingClientRect().right);
      expect(right).toBeLessThanOrEqual(320 - 16);
      const region = page.getByRole("region", { name: texts[getLocale(prefix)].compareTable });
      expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
      const heads = await table.getByRole("rowheader").allInnerTexts();
      expect(heads.length).toBeGreaterThan(1);
      for (const head of heads) expect(head).toMatch(/^[^…]{2,}$/);
    });
  },
  { tag: "@phone" },
);
