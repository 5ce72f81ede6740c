import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { getLocale } from "../../i18n/locale.ts";
import { order } from "../../i18n/order.ts";
import { payCode } from "../../i18n/payment.ts";
import { logIn } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const wechat =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0 Mobile Safari/537.36 MicroMessenger/8.0.50 NetType/WIFI";

/** Removes the link from pay codes, as WeChat Pay has none. */
async function removeLink(page: Page): Promise<void> {
  await page.route("**/v1/mall/genMiniProgramCodeBySn", async (route) => {
    const response = await route.fetch();
    const envelope = await response.json();
    Object.assign(envelope.data, { mode: "wxacode", link: null });
    await route.fulfill({ response: response, json: envelope });
  });
}

test.describe("the pay code on a phone", { tag: "@phone" }, () => {
  inBothLanguages(() => {
    for (const isLinked of [true, false]) {
      const kind = isLinked ? "with a link" : "without a link";
      const tag = isLinked ? [] : ["@full"];

      for (const height of [667, 812]) {
        test(`ends above the tab bar on a screen of 375 x ${height}, ${kind}`, {
          tag: height === 667 ? tag : ["@full"],
        }, async ({ page, prefix }) => {
          await page.setViewportSize({ width: 375, height });
          await logIn(page);
          const order = await orderTote(page);
          if (!isLinked) await removeLink(page);
          await page.goto(`${prefix}/mall/order/${order}`);
          const code = await page.getByRole("img", { name: payCode[getLocale(prefix)].label }).boundingBox();
          const bar = await page.locator(".tabbar").boundingBox();
          expect((code?.y ?? 0) + (code?.height ?? height)).toBeLessThanOrEqual(bar?.y ?? 0);
        });
      }

      test.describe("inside WeChat", () => {
        test.use({ userAgent: wechat });

        test(`is an image with instructions to press and hold, ${kind}`, { tag }, async ({ page, prefix }) => {
          const t = payCode[getLocale(prefix)];
          await logIn(page);
          const order = await orderTote(page);
          if (!isLinked) await removeLink(page);
          await page.goto(`${prefix}/mall/order/${order}`);
          await expect(page.getByText(t.hold)).toBeVisible();
          await expect(page.getByRole("img", { name: t.label })).toHaveAttribute("src", /^data:image\/png;/);
          for (const other of [t.scan, t.scanSandbox, t.otherPhone, t.album, t.save])
            await expect(page.getByText(other, { exact: true })).toBeHidden();
        });
      });
    }

    test("downloads as a PNG and shows no instruction to scan it", async ({ page, prefix }) => {
      const t = payCode[getLocale(prefix)];
      await logIn(page);
      const order = await orderTote(page);
      await removeLink(page);
      await page.goto(`${prefix}/mall/order/${order}`);
      await expect(page.getByText(t.album)).toBeVisible();
      for (const other of [t.scan, t.otherPhone, t.hold]) await expect(page.getByText(other, { exact: true })).toBeHidden();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: t.save }).click()]);
      expect(download.suggestedFilename()).toBe(`${order}.png`);
      const bytes = await readFile(await download.path());
      expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    });
  });
});

inBothLanguages(() => {
  test("the page of a closed order uses the accent colour only for the reorder link", async ({ page, prefix }) => {
    const t = order[getLocale(prefix)];
    await logIn(page);
    const order_sn = await orderTote(page);
    // The response half an hour later.
    await page.route("**/v1/mall/orderInfo", async (route) => {
      const response = await route.fetch();
      const envelope = await response.json();
      const at = envelope.data.info.pay_expire_at;
      const timeline = [...envelope.data.info.timeline, { status: "closed", at }];
      const closed = {
        status: "closed",
        close_reason: "expired",
        closed_at: at,
        timeline,
        actions: { pay: false, rebuy: true },
      };
      envelope.data.info = { ...envelope.data.info, ...closed };
      await route.fulfill({ response: response, json: envelope });
    });
    await page.goto(`${prefix}/mall/order/${order_sn}`);
    const steps = page.getByRole("list", { name: t.progress }).getByRole("listitem");
    await expect(steps).toHaveText([new RegExp(t.stepPending), new RegExp(t.stepClosed)]);
    const getColours = async (side: string) =>
      page.evaluate((side) => {
        const elements = document.querySelectorAll(side === "Top" ? ".steps li" : ".addr");
        return [...elements].map((one) => getComputedStyle(one)[side === "Top" ? "borderTopColor" : "borderLeftColor"]);
      }, side);
    const accent = await page.getByRole("link", { name: t.rebuy }).evaluate((link) => getComputedStyle(link).backgroundColor);
    expect([...(await getColours("Top")), ...(await getColours("Left"))]).toHaveLength(3);
    expect([...(await getColours("Top")), ...(await getColours("Left"))]).not.toContain(accent);
  });
});
