import type { Page } from "@playwright/test";
import { addressBook } from "../../i18n/address.ts";
import { getLocale, type Prefix } from "../../i18n/locale.ts";
import { memberPage } from "../../i18n/member.ts";
import { order } from "../../i18n/order.ts";
import { orderList } from "../../i18n/order-list.ts";
import { payCode, payment } from "../../i18n/payment.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer } from "./support/call.ts";
import { checkTwoWidths } from "./support/check-visually.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

/** Orders a tote bag for the logged-in member; returns the order number. */
async function createOrder(page: Page, address_id: string): Promise<string> {
  const { order_sn } = await callServer(page, contract.mallCreateOrder, {
    goods_uid: "tote",
    sku_uid: "tote",
    quantity: 1,
    address_id,
    expected_pay_fen: 11_000,
    client_request_id: crypto.randomUUID(),
  });
  return order_sn;
}

const createAddress = (prefix: Prefix) => ({
  name: "Anna",
  mobile: "13800138000",
  region_code: "440305",
  is_default: true,
  detail: prefix ? "8 Keji South Road, floor 12, at the very end" : "科技园南路 8 号二栋 1201 室，电梯上来右手边最里面那扇门",
});

const expectAccessible = async (page: Page, label: string) =>
  expect({ [label]: await checkTwoWidths(page) }).toEqual({ [label]: {} });

inBothLanguages(() => {
  // Resizing the viewport shifts the layout.
  test.use({ allowed: [/layout shift/] });

  for (const kind of ["order/confirm", "order_bak"])
    test(`${kind} has no accessibility or layout problems`, {
      tag: kind === "order_bak" ? ["@desktop", "@full"] : "@desktop",
    }, async ({ page, prefix }) => {
      await logIn(page);
      await callServer(page, contract.addressAdd, createAddress(prefix));
      await page.goto(`${prefix}/mall/${kind}/tote?sku=tote&quantity=1`);
      await expect(page.getByRole("radio", { name: /Anna/ })).toBeChecked();
      await expectAccessible(page, kind);
    });

  for (const action of ["pay", "expire"] as const) {
    test(`the order page and the cashier have no accessibility or layout problems after "${action}"`, {
      tag: ["@desktop", "@full"],
    }, async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      const t = order[locale];
      await logIn(page);
      const { list } = await callServer(page, contract.addressAdd, createAddress(prefix));
      await page.goto(`${prefix}/mall/order/${await createOrder(page, list[0]?.address_id ?? "")}`);
      await expect(page.getByRole("img", { name: payCode[locale].label })).toBeVisible();
      await expectAccessible(page, "pending");
      const href = await page.getByRole("link", { name: payCode[locale].openSandbox }).getAttribute("href");
      const cashier = await page.context().newPage();
      await cashier.goto(href ?? "");
      await expectAccessible(cashier, "cashier");
      // A tab that closes before the response arrives may never send the request.
      const posted = cashier.waitForResponse((response) => response.request().method() === "POST");
      await cashier.getByRole("button", { name: payment[locale][action], exact: true }).click();
      await posted;
      await cashier.close();
      const title = page.getByRole("heading", { level: 1, name: action === "pay" ? t.paid : t.expiredTitle });
      // After a minute the page polls only every five seconds.
      await expect(title).toBeVisible({ timeout: 20_000 });
      await expectAccessible(page, action);
      await page.goto(`${prefix}/user/order/list`);
      await expect(page.getByRole("article").getByText(orderList[locale][action === "pay" ? "paid" : "expired"])).toBeVisible();
      await expectAccessible(page, "list");
    });
  }

  test("member pages and their open dialogs have no accessibility or layout problems", { tag: ["@desktop", "@full"] }, async ({
    page,
    prefix,
    t,
  }) => {
    const own = memberPage[getLocale(prefix)];
    const book = addressBook[getLocale(prefix)];
    await logIn(page);
    await callServer(page, contract.addressAdd, createAddress(prefix));
    await callServer(page, contract.makeBooking, {
      campaign: "spring",
      stop: "kunming",
      name: "Anna",
      mobile: "13800138000",
      party_size: 1,
    });
    await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
    for (const [path, selector] of [
      ["/mall/item/tee", "[name=quantity]"],
      ["/mall/vip/regular", ".exp time"],
      ["/mall/order_event/entrance", "main img"],
      ["/event/spring", ".booking-form"],
    ] as const) {
      await page.goto(prefix + path);
      await expect(page.locator(selector).first()).toBeVisible();
      for (const summary of await page.locator("main summary").all()) await summary.click();
      await expectAccessible(page, path);
    }
    await page.goto(`${prefix}/user/info`);
    await expect(page.getByText("138 0013 8000")).toBeVisible();
    await expectAccessible(page, "/user/info");
    for (const name of [book.add, own.change, t.session.logOut]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page, name);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
  });
});
