import type { Page } from "@playwright/test";
import { address, addressChoice } from "#i18n/address.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { checkout, checkoutAndPay, order as orderTexts, unknownOrder } from "#i18n/order.ts";
import { orderList } from "#i18n/order-list.ts";
import { payCode, payment } from "#i18n/payment.ts";
import { contract } from "#src/api/contract.ts";
import { findViolations } from "./support/accessibility.ts";
import { callServer, homeAddress, logIn, openCashier, orderTote, storeSession } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const getTexts = (prefix: Prefix) => {
  const locale = getLocale(prefix);
  return {
    ...orderTexts[locale],
    c: checkout[locale],
    pay: payCode[locale],
    cashier: payment[locale],
    a: { ...address[locale], ...addressChoice[locale] },
  };
};

/** Presses the visible one of two buttons: beside the totals on desktop, in the bottom bar on a phone. */
const pressButton = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).filter({ visible: true }).click();

const expectAccessible = async (page: Page) => expect(await findViolations(page)).toEqual([]);

/** Adds an address by pasting it, opened by keyboard. */
async function addAddress(page: Page, prefix: Prefix): Promise<void> {
  const { a } = getTexts(prefix);
  await page.getByRole("button", { name: a.addNew, exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: a.newTitle });
  await dialog.getByLabel(a.paste).fill("小满 13800138000 上海市徐汇区龙腾大道 1 号");
  await expect(dialog.getByText(a.pasted)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: a.save }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("radio", { name: /小满/ })).toBeChecked();
}

const tote = "tote?sku=tote&quantity=1";

inBothLanguages(() => {
  test("an order is placed with a new address, paid at the cashier in a second tab, and turns to paid in the first", async ({
    page,
    prefix,
  }) => {
    const t = getTexts(prefix);
    await logIn(page);
    await page.goto(`${prefix}/mall`);
    await page.goto(`${prefix}/mall/order/confirm/${tote}`);
    await pressButton(page, t.c.submit);
    await expect(page.getByText(t.a.needed)).toBeVisible();
    await addAddress(page, prefix);
    await page.getByLabel(t.c.noteLabel).fill("轻拿轻放");
    await pressButton(page, t.c.submit);
    await expect(page).toHaveURL(new RegExp(`${prefix}/mall/order/M\\w{20}$`));
    await expect(page.getByRole("timer")).toHaveText(/^(30:00|29:\d\d)$/);
    await expect(page.getByRole("img", { name: t.pay.label })).toBeVisible();
    await expectAccessible(page);
    await page.evaluate(() => document.documentElement.setAttribute("data-here", ""));
    const cashier = await openCashier(page, prefix);
    await cashier.getByRole("button", { name: payment[getLocale(prefix)].pay, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: t.paid })).toBeVisible();
    // The page has not reloaded.
    await expect(page.locator("html")).toHaveAttribute("data-here", "");
    await expect(page.getByText("轻拿轻放")).toBeVisible();
    await expectAccessible(page);
    await page.goBack();
    await expect(page).not.toHaveURL(/confirm/);
  });

  test("an unpaid order is cancelled, and can be placed again", async ({ page, prefix }) => {
    const t = getTexts(prefix);
    await logIn(page);
    await page.goto(`${prefix}/mall/order/${await orderTote(page, 2)}`);
    const cancelled: string[] = [];
    page.on("request", (request) => request.url().endsWith(contract.orderCancel.path) && cancelled.push(request.url()));
    await page.locator("summary", { hasText: t.cancel }).click();
    // One press asks, and sends nothing.
    const confirm = page.locator("p", { hasText: t.cancelBody }).getByRole("button", { name: t.cancel });
    await expect(confirm).toBeVisible();
    expect(cancelled).toEqual([]);
    await confirm.click();
    const heading = page.getByRole("heading", { level: 1, name: t.cancelledTitle });
    await expect(heading).toBeFocused();
    expect(cancelled).toHaveLength(1);
    await expect(page.getByRole("status").filter({ hasText: t.cancelledTitle })).toBeAttached();
    await expect(page.getByText(t.cancelledBody)).toBeVisible();
    // Nothing can be paid any more, nor was it.
    for (const name of [t.checkNow, t.checkLate]) await expect(page.getByRole("button", { name })).toHaveCount(0);
    const again = page.getByRole("link", { name: t.again });
    await expect(again).toHaveAttribute("href", `${prefix}/mall/order/confirm/tote?sku=tote&quantity=2`);
    await expectAccessible(page);
    await page.goto(`${prefix}/user/order/list`);
    await expect(page.getByText(orderList[getLocale(prefix)].cancelled, { exact: true })).toBeVisible();
  });

  test("an order expires without a reload, and a late payment revives it", { tag: "@full" }, async ({ page, prefix }) => {
    const t = getTexts(prefix);
    await logIn(page);
    await page.goto(`${prefix}/mall/order_bak/${tote}`);
    await addAddress(page, prefix);
    await page.evaluate(() => document.documentElement.setAttribute("data-here", ""));
    await pressButton(page, checkoutAndPay[getLocale(prefix)].submit);
    await expect(page.getByRole("timer")).toBeVisible();
    // The page has not reloaded, and its URL is that of the order.
    await expect(page.locator("html")).toHaveAttribute("data-here", "");
    await expect(page).toHaveURL(new RegExp(`${prefix}/mall/order/M\\w{20}$`));
    const title = await page.title();
    await page.reload();
    expect(title).toBe(await page.title());
    const cashier = await openCashier(page, prefix);
    await cashier.getByRole("button", { name: t.cashier.expire, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: t.expiredTitle })).toBeVisible();
    await expect(page.getByRole("link", { name: t.rebuy })).toHaveAttribute("href", /\/mall\/item\/tote/);
    await expectAccessible(page);
    await cashier.getByRole("button", { name: t.cashier.late, exact: true }).click();
    await expect(cashier.getByRole("status")).toHaveText(t.cashier.paid);
    await page.getByRole("button", { name: t.checkLate }).click();
    await expect(page.getByRole("heading", { level: 1, name: t.paid })).toBeVisible();
  });

  test("checkout restores its form after the session has ended", { tag: "@full" }, async ({ page, prefix, context }) => {
    const t = getTexts(prefix);
    await logIn(page);
    await page.goto(`${prefix}/mall/order/confirm/${tote}`);
    await addAddress(page, prefix);
    await page.getByLabel(t.c.noteLabel).fill("三楼");
    const other = await context.newPage();
    await other.goto(`${prefix}/about/terms`);
    const session = await other.evaluate(() => ({ ...localStorage }));
    await other.evaluate(() => localStorage.setItem("TOKEN", "a-token-that-no-host-knows-0123456789"));
    await expect(page).toHaveURL(/\/user\/login\?redirect=%2Fmall%2Forder%2Fconfirm%2Ftote/);
    // A number gets its next login code only after a minute, so the login happens in another tab.
    await storeSession(other, session);
    await expect(page).toHaveURL(new RegExp(`${prefix}/mall/order/confirm/tote\\?sku=tote&quantity=1$`));
    await expect(page.getByLabel(t.c.noteLabel)).toHaveValue("三楼");
    await expect(page.getByRole("radio", { name: /小满/ })).toBeChecked();
    await pressButton(page, t.c.submit);
    await expect(page.getByText("三楼")).toBeVisible();
    await expect(page.getByRole("timer")).toBeVisible();
  });
});

inBothLanguages(() => {
  test("an unknown order is named, without a retry, and leads to the orders", { tag: "@full" }, async ({ page, prefix, t }) => {
    await logIn(page);
    await page.goto(`${prefix}/mall/order/M00000000000000000000`);
    const notice = page.getByRole("alert").filter({ hasText: unknownOrder[getLocale(prefix)].body });
    await expect(notice.getByRole("button")).toHaveCount(0);
    await notice.getByRole("link", { name: t.state.orders }).click();
    await expect(page).toHaveURL(`${prefix}/user/order/list`);
  });

  test("the order list has tabs and pages, a search once it is long, and Back restores the page and the scroll position", {
    tag: "@full",
  }, async ({ page, prefix }) => {
    const t = orderList[getLocale(prefix)];
    await logIn(page);
    await page.goto(`${prefix}/user/order/list`);
    const search = page.getByRole("searchbox", { name: t.search });
    await expect(page.getByRole("heading", { name: t.emptyTitle })).toBeVisible();
    await expect(search).toHaveCount(0);
    const { list } = await callServer(page, contract.goodsLists);
    const { list: addresses } = await callServer(page, contract.addressAdd, homeAddress);
    const skus = list.flatMap((item) =>
      item.on_sale
        ? item.skus
            .filter(({ stock }) => stock > 20)
            .slice(0, 1)
            .map((sku) => ({ ...sku, ...item }))
        : [],
    );
    let created = 0;
    for (const { goods_uid, sku_uid, pay_fen, limit_per_member } of skus) {
      for (let n = 0; n < Math.min(limit_per_member, 4) && created < 11; n += 1, created += 1) {
        await callServer(page, contract.mallCreateOrder, {
          goods_uid,
          sku_uid,
          quantity: 1,
          address_id: addresses[0]?.address_id,
          expected_pay_fen: pay_fen + (pay_fen >= 19900 ? 0 : 1200),
          client_request_id: `request-${created}`,
        });
      }
    }
    expect(created).toBe(11);
    await page.reload();
    const pay = page.getByRole("link", { name: t.pay });
    await expect(pay).toHaveCount(10);
    await expect(page.getByText(/(29|30):\d\d/).first()).toBeVisible();
    await page.getByRole("navigation", { name: t.pages }).getByRole("link", { name: "2", exact: true }).click();
    await expect(page).toHaveURL(`${prefix}/user/order/list?page=2`);
    await expect(pay).toHaveCount(1);
    await page.goBack();
    await expect(pay).toHaveCount(10);
    // Reads the position on `pagehide`, because the click may scroll first.
    await page.evaluate(() => addEventListener("pagehide", () => sessionStorage.setItem("left-at", String(scrollY))));
    await pay.last().click();
    await expect(page).toHaveURL(new RegExp(`${prefix}/mall/order/M`));
    const before = Number(await page.evaluate(() => sessionStorage.getItem("left-at")));
    expect(before).toBeGreaterThan(200);
    await page.goBack();
    await expect(pay).toHaveCount(10);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
    const number = (
      await page
        .getByRole("article")
        .first()
        .getByText(/^\W*.*M\w{20}$/)
        .innerText()
    ).slice(-8);
    await search.focus();
    await page.keyboard.type(`${number.toLowerCase()}`);
    await expect(pay).toHaveCount(1);
    await expect(page).toHaveURL(`${prefix}/user/order/list?q=${number.toLowerCase()}`);
    await expect(page.getByRole("status").getByText(t.found.replace("{n}", "1"))).toBeAttached();
    await page.reload();
    await expect(search).toHaveValue(number.toLowerCase());
    await expect(pay).toHaveCount(1);
    await search.fill("no such order");
    await search.press("Enter");
    await expect(page.getByRole("heading", { name: t.noneTitle.replace("{search}", "no such order") })).toBeVisible();
    await page.goBack();
    await expect(pay).toHaveCount(10);
    await expect(search).toHaveValue("");
    await page.getByRole("link", { name: t.packages, exact: true }).first().click();
    await expect(page).toHaveURL(`${prefix}/user/order/list?tab=packages`);
    await expect(page.getByRole("link", { name: t.toPasses })).toBeVisible();
  });
});
