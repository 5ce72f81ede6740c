import { readFile } from "node:fs/promises";
import type { Page, Route } from "@playwright/test";
import { addressChoice } from "#i18n/address.ts";
import { fill } from "#i18n/catalogue.ts";
import { goods } from "#i18n/goods.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { checkout, checkoutAndPay, order } from "#i18n/order.ts";
import { payCode, payment } from "#i18n/payment.ts";
import { contract } from "#src/api/contract.ts";
import { callServer, changeAnswers, homeAddress, logIn, openCashier, orderTote } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  for (const path of ["order/confirm", "order_bak"]) {
    test(`${path} disables submit above the purchase limit with a reason, and links back to the item`, {
      tag: path === "order_bak" ? ["@full"] : [],
    }, async ({ page, prefix }) => {
      const c = checkout[getLocale(prefix)];
      await logIn(page);
      await callServer(page, contract.addressAdd, homeAddress);
      await page.goto(`${prefix}/mall/${path}/tote?sku=tote&quantity=40`);
      const { submit: label, payBy } = path === "order_bak" ? checkoutAndPay[getLocale(prefix)] : { ...c, payBy: "" };
      const submit = page.getByRole("button", { name: label, exact: true }).filter({ visible: true });
      await expect(submit).toBeDisabled();
      await expect(submit).toHaveAccessibleDescription(new RegExp(c.overLimitTitle));
      if (payBy) await expect(page.getByText(payBy)).toBeVisible();
      await expect(page.getByText(addressChoice[getLocale(prefix)].why)).toBeVisible();
      await page.getByRole("button", { name: new RegExp(c.take.replace("{n}", "\\d+")) }).click();
      await expect(submit).toBeEnabled();
      await page.getByRole("link", { name: c.toItem }).click();
      await expect(page).toHaveURL(`${prefix}/mall/item/tote?sku=tote`);
    });
  }

  test.describe("offline", { tag: "@full" }, () => {
    test.use({ allowed: [/ERR_INTERNET_DISCONNECTED|Failed to load/] });

    test("checkout hides its connection error once the browser is online again", async ({ page, prefix, context }) => {
      const c = checkout[getLocale(prefix)];
      await logIn(page);
      await callServer(page, contract.addressAdd, homeAddress);
      await page.goto(`${prefix}/mall/order/confirm/tote?sku=tote&quantity=1`);
      const submit = page.getByRole("button", { name: c.submit, exact: true }).filter({ visible: true });
      await expect(submit).toBeEnabled();
      await context.setOffline(true);
      await submit.click();
      await expect(page.getByText(c.failedTitle)).toBeVisible();
      await context.setOffline(false);
      await expect(page.getByText(c.failedTitle)).toBeHidden();
    });
  });

  test.describe("after a lost response", () => {
    test.use({ allowed: [/ERR_FAILED/] });

    test("the order of the first try says once that later changes are not in it", async ({ page, prefix }) => {
      const c = checkout[getLocale(prefix)];
      await logIn(page);
      await callServer(page, contract.addressAdd, homeAddress);
      const loseResponse = (route: Route) => route.fetch().then(() => route.abort());
      await page.route("**/v1/mall/createOrder", loseResponse, { times: 1 });
      await page.goto(`${prefix}/mall/order/confirm/tote?sku=tote&quantity=1`);
      const submit = page.getByRole("button", { name: c.submit, exact: true }).filter({ visible: true });
      await submit.click();
      await expect(page.getByText(c.failedTitle)).toBeVisible();
      await page.getByLabel(c.noteLabel).fill("2");
      await submit.click();
      await expect(page.getByText(order[getLocale(prefix)].earlier)).toBeVisible();
      await page.reload();
      await expect(page.getByRole("timer")).toBeVisible();
      await expect(page.getByText(order[getLocale(prefix)].earlier)).toHaveCount(0);
    });
  });

  test.describe("without the module that shows the order", { tag: "@full" }, () => {
    test.use({ allowed: [/ERR_FAILED/] });
    test("one-page checkout opens the page of the order that it has placed", async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      await logIn(page);
      await callServer(page, contract.addressAdd, homeAddress);
      // Once when the page is touched, and once when the order is there.
      await page.route("**/_astro/OrderView.*.js", (route) => route.abort(), { times: 2 });
      await page.goto(`${prefix}/mall/order_bak/tote?sku=tote&quantity=1`);
      await page.getByRole("button", { name: checkoutAndPay[locale].submit, exact: true }).filter({ visible: true }).click();
      await expect(page.getByRole("img", { name: payCode[locale].label })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${prefix}/mall/order/M`));
    });
  });
});

test.describe("the sandbox cashier", { tag: "@full" }, () => {
  test.use({ locale: "zh-CN" });

  test("opens in English from the English site although the browser prefers Chinese", async ({ page }) => {
    await logIn(page);
    await page.goto(`/en-US/mall/order/${await orderTote(page)}`);
    const cashier = await openCashier(page, "/en-US");
    await expect(cashier.getByRole("heading", { name: payment["en-US"].title })).toBeVisible();
  });
});

inBothLanguages(() => {
  test("the item page shows what unpaid orders leave of the purchase limit, and links to them once they reach it", {
    tag: "@full",
  }, async ({ page, prefix }) => {
    const t = goods[getLocale(prefix)];
    await logIn(page);
    const { info } = await callServer(page, contract.goodsInfo, { goods_uid: "tote" });
    await page.goto(`${prefix}/mall/item/tote`);
    await expect(page.getByText(fill(t.limit, { n: info.limit_per_member }))).toBeVisible();
    await orderTote(page, info.limit_per_member - 1);
    await page.reload();
    await expect(page.getByText(fill(t.limitLeft, { n: 1 }))).toBeVisible();
    await orderTote(page);
    await page.reload();
    await expect(page.getByText(t.limitReached)).toBeVisible();
    const main = page.getByRole("main");
    await expect(main.getByText(t.soldOut)).toHaveCount(0);
    await expect(main.getByText(fill(t.limitLeft, { n: 0 }))).toHaveCount(0);
    await main.getByRole("link", { name: t.toOrders }).filter({ visible: true }).first().click();
    await expect(page).toHaveURL(`${prefix}/user/order/list`);
    await expect(page.getByText(info.title).first()).toBeVisible();
  });
});

const wechat =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0 Mobile Safari/537.36 MicroMessenger/8.0.50 NetType/WIFI";

/** Opens a member's order, whose pay code has a link unless it is one of WeChat Pay; returns its number. */
async function openOrder(page: Page, prefix: Prefix, isLinked: boolean): Promise<string> {
  await logIn(page);
  const order = await orderTote(page);
  if (!isLinked) await changeAnswers(page, contract.mallPayCode, (data) => ({ ...data, mode: "wxacode", link: null }));
  await page.goto(`${prefix}/mall/order/${order}`);
  return order;
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
          await openOrder(page, prefix, isLinked);
          const code = await page.getByRole("img", { name: payCode[getLocale(prefix)].label }).boundingBox();
          const bar = await page.locator(".tabbar").boundingBox();
          expect((code?.y ?? 0) + (code?.height ?? height)).toBeLessThanOrEqual(bar?.y ?? 0);
        });
      }

      test.describe("inside WeChat", () => {
        test.use({ userAgent: wechat });

        test(`is an image with instructions to press and hold, and to wait or come back later, ${kind}`, { tag }, async ({
          page,
          prefix,
        }) => {
          const t = payCode[getLocale(prefix)];
          await openOrder(page, prefix, isLinked);
          await expect(page.getByText(t.hold)).toBeVisible();
          await expect(page.getByRole("main").getByText(/稍后回来|come back/)).toBeVisible();
          await expect(page.getByRole("img", { name: t.label })).toHaveAttribute("src", /^data:image\/png;/);
          for (const other of [t.scan, t.scanSandbox, t.otherPhone, t.album, t.save])
            await expect(page.getByText(other, { exact: true })).toBeHidden();
        });
      });
    }

    test("downloads as a PNG and shows no instruction to scan it", { tag: "@full" }, async ({ page, prefix }) => {
      const t = payCode[getLocale(prefix)];
      const order = await openOrder(page, prefix, false);
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
  test("the page of a closed order uses the accent colour only for the reorder link", { tag: "@full" }, async ({
    page,
    prefix,
  }) => {
    const t = order[getLocale(prefix)];
    await logIn(page);
    const order_sn = await orderTote(page);
    // The response half an hour later.
    await changeAnswers(page, contract.mallOrderInfo, ({ info, ...data }) => {
      const at = info.pay_expire_at;
      const timeline = [...info.timeline, { status: "closed", at }];
      const closed = { status: "closed", close_reason: "expired", closed_at: at, actions: { pay: false, rebuy: true } };
      return { ...data, info: { ...info, ...closed, timeline } };
    });
    await page.goto(`${prefix}/mall/order/${order_sn}`);
    const steps = page.getByRole("list", { name: t.progress }).getByRole("listitem");
    await expect(steps).toHaveText([new RegExp(t.stepPending), new RegExp(t.stepClosed)]);
    const colours = await page.evaluate(
      (selector) => [...document.querySelectorAll(selector)].map((one) => getComputedStyle(one).borderTopColor),
      `ol[aria-label="${t.progress}"] li, section[aria-label="${t.address}"]`,
    );
    const accent = await page.getByRole("link", { name: t.rebuy }).evaluate((link) => getComputedStyle(link).backgroundColor);
    expect(colours).toHaveLength(3);
    expect(colours).not.toContain(accent);
  });
});
