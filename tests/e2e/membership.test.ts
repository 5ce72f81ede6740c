import type { Page } from "@playwright/test";
import { fill } from "../../i18n/catalogue.ts";
import { getLocale } from "../../i18n/locale.ts";
import { memberPage } from "../../i18n/member.ts";
import { package as texts } from "../../i18n/package.ts";
import { contract } from "../../src/api/contract.ts";
import { formatDate } from "../../src/lib/date.ts";
import { callServer, logIn, orderPackage } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const day = 24 * 3600_000;

async function buyPackage(page: Page): Promise<void> {
  const order_sn = await orderPackage(page);
  const { link } = await callServer(page, contract.packagePayCode, { order_sn });
  const response = await page.request.post(link ?? "", { form: { action: "pay" } });
  expect(response.ok()).toBe(true);
}

inBothLanguages(
  () => {
    test("the member page links to the passes when there is no membership", async ({ page, prefix }) => {
      const t = memberPage[getLocale(prefix)];
      await logIn(page);
      await page.goto(`${prefix}/user/info`);
      const pass = page.locator(".me-pass");
      await expect(pass).toContainText(t.noPass);
      await pass.getByRole("link", { name: t.pickPass }).click();
      await expect(page).toHaveURL(`${prefix}/mall#passes`);
    });

    test.describe("the membership card", () => {
      // The stored member info is older than the purchase, so its update shifts the layout a little.
      test.use({ allowed: [/ERR_FAILED|layout shift 0\.00\d+: p\./] });
      test("shows the days left, and the expiry after a renewal once the retried preview loads", async ({ page, prefix }) => {
        const t = memberPage[getLocale(prefix)];
        await logIn(page);
        await buyPackage(page);
        const { membership } = (await callServer(page, contract.userInfo)).info;
        if (!membership) throw new Error("no membership");
        const { preview } = await callServer(page, contract.packageInfo, { uid: membership.package_uid });
        await page.route("**/v1/memberPackage/goodsInfo", (route) => route.abort());
        await page.goto(`${prefix}/user/info`);
        const pass = page.locator(".me-pass");
        const left = Math.ceil((Date.parse(membership.expires_at) - Date.now()) / day);
        await expect(pass.locator(".me-left")).toHaveText(fill(t.left, { n: left }));
        await expect(pass.locator("img")).toHaveJSProperty("complete", true);
        const again = pass.getByRole("button", { name: t.renewFailed });
        await expect(again).toBeVisible();
        await page.unrouteAll();
        await again.click();
        const renewal = pass.getByRole("link", {
          name: fill(t.renew, { date: formatDate(new Date(preview?.new_expires_at ?? "")) }),
        });
        await renewal.click();
        await expect(page).toHaveURL(`${prefix}/mall/vip/${membership.package_uid}`);
      });
    });
  },
  { tag: "@phone" },
);

inBothLanguages(
  () => {
    test.describe("the bar with the price", () => {
      test.use({ contextOptions: { reducedMotion: "no-preference" } });
      test("is hidden while the button above it is in view", async ({ page, prefix }) => {
        await page.goto(`${prefix}/mall/vip/regular`);
        const bar = page.locator(".buybar");
        await expect(bar).toBeVisible();
        await page.locator(".main-action .button").evaluate((button) => button.scrollIntoView({ block: "center" }));
        await expect(bar).toBeHidden();
        await page.getByRole("table").scrollIntoViewIfNeeded();
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        await expect(bar).toBeVisible();
      });
    });

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

test.describe("the passes of a label", () => {
  const label = process.env.TEST_LABEL_ORIGIN ?? "";
  test.skip(!label, "npm test builds the label");
  test.use({ baseURL: label });

  for (const prefix of ["", "/en-US"] as const) {
    test(`${prefix}/mall/vip marks a right that the software does not keep as given at the door, and no other`, async ({
      page,
    }) => {
      await page.goto(`${prefix}/mall/vip/stalls`);
      const marked = page.getByRole("rowheader").filter({ hasText: texts[getLocale(prefix)].atTheDoor });
      await expect(marked).toHaveText([/盖碗茶|tea/]);
    });
  }
});
