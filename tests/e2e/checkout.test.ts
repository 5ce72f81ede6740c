import { addressChoice } from "../../i18n/address.ts";
import { getLocale } from "../../i18n/locale.ts";
import { checkout } from "../../i18n/order.ts";
import { payCode, payment } from "../../i18n/payment.ts";
import { ask } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const home = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };

inBothLanguages(() => {
  for (const [path, label] of [
    ["order/confirm", "submit"],
    ["order_bak", "submitAndPay"],
  ] as const) {
    test(`${path} offers no order over the limit, and says why; it leads back to the item`, async ({ page, prefix }) => {
      const c = checkout[getLocale(prefix)];
      await logIn(page, prefix);
      await page.goto(`${prefix}/mall/${path}/tote?sku=tote&quantity=40`);
      const place = page.getByRole("button", { name: c[label], exact: true }).filter({ visible: true });
      await expect(place).toBeDisabled();
      await expect(place).toHaveAccessibleDescription(new RegExp(c.overLimitTitle));
      await expect(page.getByText(addressChoice[getLocale(prefix)].why)).toBeVisible();
      await page.getByRole("button", { name: new RegExp(c.take.replace("{n}", "\\d+")) }).click();
      await expect(place).toBeEnabled();
      await page.getByRole("link", { name: c.toItem }).click();
      await expect(page).toHaveURL(`${prefix}/mall/item/tote?sku=tote`);
    });
  }

  test.describe("without a connection", () => {
    test.use({ allowed: [/ERR_INTERNET_DISCONNECTED|Failed to load/] });

    test("what could not be placed for want of a line is no news once it is back", async ({ page, prefix, context }) => {
      const c = checkout[getLocale(prefix)];
      await logIn(page, prefix);
      await ask(page, "/v1/address/add", home);
      await page.goto(`${prefix}/mall/order/confirm/tote?sku=tote&quantity=1`);
      const place = page.getByRole("button", { name: c.submit, exact: true }).filter({ visible: true });
      await expect(place).toBeEnabled();
      await context.setOffline(true);
      await place.click();
      await expect(page.getByText(c.failedTitle)).toBeVisible();
      await context.setOffline(false);
      await expect(page.getByText(c.failedTitle)).toBeHidden();
    });
  });

  test("a pay page says that one may wait or come back", async ({ page, prefix }) => {
    await logIn(page, prefix);
    await page.goto(`${prefix}/mall/order/${await orderTote(page)}`);
    await expect(page.getByRole("main").getByText(/稍后回来|come back/)).toBeVisible();
  });
});

test.describe("a browser in Chinese on the English site", () => {
  test.use({ locale: "zh-CN" });

  test("pays at an English cashier", async ({ page }) => {
    await logIn(page, "/en-US");
    await page.goto(`/en-US/mall/order/${await orderTote(page)}`);
    const [cashier] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: payCode["en-US"].openSandbox }).click(),
    ]);
    await expect(cashier.getByRole("heading", { name: payment["en-US"].title })).toBeVisible();
  });
});
