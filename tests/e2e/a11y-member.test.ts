import type { Page } from "@playwright/test";
import { addressBook } from "../../i18n/address.ts";
import { getLocale, type Prefix } from "../../i18n/locale.ts";
import { memberPage } from "../../i18n/member-page.ts";
import { order } from "../../i18n/order.ts";
import { orderList } from "../../i18n/order-list.ts";
import { payCode, payment } from "../../i18n/payment.ts";
import { ask } from "./support/call.ts";
import { glanceAt } from "./support/check-visually.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

/** An order of this member's for a tote bag. */
async function newOrder(page: Page, address_id: string): Promise<string> {
  const { order_sn } = await ask(page, "/v1/mall/createOrder", {
    ...{ goods_uid: "tote", sku_uid: "tote", quantity: 1, address_id, expected_pay_fen: 11_000 },
    client_request_id: crypto.randomUUID(),
  });
  return order_sn;
}

const addressIn = (prefix: Prefix) => ({
  ...{ name: "Anna", mobile: "13800138000", region_code: "440305", is_default: true },
  detail: prefix ? "8 Keji South Road, floor 12, at the very end" : "科技园南路 8 号二栋 1201 室，电梯上来右手边最里面那扇门",
});

const seen = async (page: Page, what: string) => expect({ [what]: await glanceAt(page) }).toEqual({ [what]: {} });

const once = { tag: "@desktop" };

inBothLanguages(() => {
  // What resizing moves is nobody's concern.
  test.use({ allowed: [/layout shift/] });

  test("an order can be placed by everybody, in both variants", once, async ({ page, prefix }) => {
    await logIn(page, prefix);
    await ask(page, "/v1/address/add", addressIn(prefix));
    for (const kind of ["order/confirm", "order_bak"]) {
      await page.goto(`${prefix}/mall/${kind}/tote?sku=tote&quantity=1`);
      await expect(page.getByRole("radio", { name: /Anna/ })).toBeChecked();
      await seen(page, kind);
    }
  });

  for (const action of ["pay", "expire"] as const) {
    test(`so can it be followed until the money is there or the time is over: ${action}`, once, async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      const t = order[locale];
      await logIn(page, prefix);
      const { list } = await ask(page, "/v1/address/add", addressIn(prefix));
      await page.goto(`${prefix}/mall/order/${await newOrder(page, list[0].address_id)}`);
      await expect(page.getByRole("img", { name: payCode[locale].label })).toBeVisible();
      await seen(page, "pending");
      const href = await page.getByRole("link", { name: payCode[locale].openSandbox }).getAttribute("href");
      const cashier = await page.context().newPage();
      await cashier.goto(href ?? "");
      await seen(cashier, "cashier");
      // A tab that is closed before its answer has come may have asked for nothing.
      const answered = cashier.waitForResponse((response) => response.request().method() === "POST");
      await cashier.getByRole("button", { name: payment[locale][action], exact: true }).click();
      await answered;
      await cashier.close();
      const title = page.getByRole("heading", { level: 1, name: action === "pay" ? t.paid : t.expiredTitle });
      // After a minute it asks every five seconds only.
      await expect(title).toBeVisible({ timeout: 20_000 });
      await seen(page, action);
      await page.goto(`${prefix}/user/order/list`);
      await expect(page.getByRole("link", { name: orderList[locale].rebuy })).toBeVisible();
      await seen(page, "list");
    });
  }

  test("so can what is a member's own, with each dialog open", once, async ({ page, prefix, t }) => {
    const own = memberPage[getLocale(prefix)];
    const book = addressBook[getLocale(prefix)];
    await logIn(page, prefix);
    await ask(page, "/v1/address/add", addressIn(prefix));
    await ask(page, "/v1/booking/makeBooking", {
      ...{ campaign: "spring", stop: "kunming", name: "Anna", mobile: "13800138000", party_size: 1 },
    });
    await ask(page, "/v1/activity/booking", { activity_uid: "entrance" });
    for (const [path, here] of [
      ["/mall/item/tee", ".many"],
      ["/mall/vip/regular", ".exp time"],
      ["/mall/order_event/entrance", "main img"],
      ["/event/spring", ".spring-form"],
    ] as const) {
      await page.goto(prefix + path);
      await expect(page.locator(here).first()).toBeVisible();
      await seen(page, path);
    }
    await page.goto(`${prefix}/user/info`);
    await expect(page.getByText("138 0013 8000")).toBeVisible();
    await seen(page, "/user/info");
    for (const name of [book.add, own.change, t.session.logOut]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await seen(page, name);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
  });
});
