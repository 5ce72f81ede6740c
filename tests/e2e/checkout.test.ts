import { addressChoice } from "../../i18n/address.ts";
import { goods } from "../../i18n/goods.ts";
import { getLocale } from "../../i18n/locale.ts";
import { checkout } from "../../i18n/order.ts";
import { payCode, payment } from "../../i18n/payment.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const homeAddress = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };

inBothLanguages(() => {
  for (const [path, label] of [
    ["order/confirm", "submit"],
    ["order_bak", "submitAndPay"],
  ] as const) {
    test(`${path} disables submit above the purchase limit with a reason, and links back to the item`, {
      tag: path === "order_bak" ? ["@full"] : [],
    }, async ({ page, prefix }) => {
      const c = checkout[getLocale(prefix)];
      await logIn(page);
      await page.goto(`${prefix}/mall/${path}/tote?sku=tote&quantity=40`);
      const submit = page.getByRole("button", { name: c[label], exact: true }).filter({ visible: true });
      await expect(submit).toBeDisabled();
      await expect(submit).toHaveAccessibleDescription(new RegExp(c.overLimitTitle));
      await expect(page.getByText(addressChoice[getLocale(prefix)].why)).toBeVisible();
      await page.getByRole("button", { name: new RegExp(c.take.replace("{n}", "\\d+")) }).click();
      await expect(submit).toBeEnabled();
      await page.getByRole("link", { name: c.toItem }).click();
      await expect(page).toHaveURL(`${prefix}/mall/item/tote?sku=tote`);
    });
  }

  test.describe("offline", () => {
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

  test("the pay page tells the member to wait or come back later", async ({ page, prefix }) => {
    await logIn(page);
    await page.goto(`${prefix}/mall/order/${await orderTote(page)}`);
    await expect(page.getByRole("main").getByText(/稍后回来|come back/)).toBeVisible();
  });
});

test.describe("the sandbox cashier", () => {
  test.use({ locale: "zh-CN" });

  test("opens in English from the English site although the browser prefers Chinese", async ({ page }) => {
    await logIn(page);
    await page.goto(`/en-US/mall/order/${await orderTote(page)}`);
    const [cashier] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: payCode["en-US"].openSandbox }).click(),
    ]);
    await expect(cashier.getByRole("heading", { name: payment["en-US"].title })).toBeVisible();
  });
});

inBothLanguages(() => {
  test("the item page shows that unpaid orders reach the purchase limit and links to them", async ({ page, prefix }) => {
    const t = goods[getLocale(prefix)];
    await logIn(page);
    const { list } = await callServer(page, contract.addressAdd, homeAddress);
    const { info, postage } = await callServer(page, contract.goodsInfo, { goods_uid: "tote" });
    const [sku] = info.skus;
    if (!sku) throw new Error("no variant");
    const quantity = info.limit_per_member;
    const goods_fen = sku.pay_fen * quantity;
    await callServer(page, contract.mallCreateOrder, {
      goods_uid: "tote",
      sku_uid: sku.sku_uid,
      quantity,
      note: "",
      client_request_id: crypto.randomUUID(),
      address_id: list[0]?.address_id,
      expected_pay_fen: goods_fen + (goods_fen >= postage.free_from_fen ? 0 : postage.fen),
    });
    await page.goto(`${prefix}/mall/item/tote`);
    await expect(page.getByText(t.limitReached)).toBeVisible();
    const main = page.getByRole("main");
    await expect(main.getByText(t.soldOut)).toHaveCount(0);
    await expect(main.getByText(t.limit.replace("{n}", "0"))).toHaveCount(0);
    await main.getByRole("link", { name: t.toOrders }).filter({ visible: true }).first().click();
    await expect(page).toHaveURL(`${prefix}/user/order/list`);
    await expect(page.getByText(info.title).first()).toBeVisible();
  });
});
