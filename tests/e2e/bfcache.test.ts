import type { Page } from "@playwright/test";
import { campaign } from "../../i18n/campaign.ts";
import { event } from "../../i18n/event.ts";
import { getLocale } from "../../i18n/locale.ts";
import { order } from "../../i18n/order.ts";
import { orderList } from "../../i18n/order-list.ts";
import { package as passes } from "../../i18n/package.ts";
import { payCode, payment } from "../../i18n/payment.ts";
import { getRoute, type RouteName, routes } from "../../src/routes.ts";
import { violations } from "./support/axe.ts";
import { logIn, logInHere, newSession } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const own = (Object.keys(routes) as RouteName[]).filter((name) => getRoute(name).session);
const example: Record<string, string> = { uid: "tote", order_sn: "M2601010101010000ABCD" };

/** The next call of this kind is answered as once the host does not know the token any more. */
async function forget(page: Page, call: string): Promise<void> {
  const over = { code: 10001, msg: "over", data: null };
  await page.route(`**${call}`, (route) => route.fulfill({ json: over }), { times: 1 });
}

/** Puts a session back, as another tab's login does: codes to one number have their pauses. */
async function comeBack(page: Page, session: Record<string, string>): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate((stored) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  }, session);
  await page.reload();
}

const stored = (page: Page) => page.evaluate(() => ({ ...localStorage }));

const once = { tag: "@desktop" };

inBothLanguages(() => {
  test.describe("every page that needs a session", () => {
    // Of an order that is nobody's.
    test.use({ allowed: [/status of 404/] });
    test("sends to login and is come back to, with its query", once, async ({ page, prefix, baseURL }) => {
      const session = await newSession(baseURL ?? "");
      for (const name of own) {
        const path = `${getRoute(name).path.replace(/\{(\w+)\}/g, (_, key) => example[key] ?? "")}?sku=tote&quantity=2`;
        await page.goto(prefix + path);
        await expect(page).toHaveURL(`${prefix}/user/login?redirect=${encodeURIComponent(path)}`);
        await comeBack(page, session);
        await expect(page, name).toHaveURL(prefix + path);
        await page.evaluate(() => localStorage.clear());
      }
    });
  });

  test("what the browser kept of a member's page is not shown once the session is gone", once, async ({ page, prefix }) => {
    await logIn(page, prefix);
    await page.goto(`${prefix}/user/order/list`);
    await expect(page.getByRole("heading", { name: orderList[getLocale(prefix)].emptyTitle })).toBeVisible();
    // A page that is kept hears nothing of what happens meanwhile; it is told when it is shown again.
    await page.evaluate(() => {
      localStorage.clear();
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fuser%2Forder%2Flist`);
  });

  test("what the browser kept of one member's page is not shown to another", once, async ({ page, prefix, baseURL, t }) => {
    await logIn(page, prefix);
    const sn = await orderTote(page);
    await page.goto(`${prefix}/mall/order/${sn}`);
    await expect(page.getByText("龙腾大道")).toBeVisible();
    const other = await newSession(baseURL ?? "");
    await page.evaluate((stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    }, other);
    // For them there is no such order.
    await expect(page.getByRole("main").getByRole("link", { name: t.state.orders })).toBeVisible();
    await expect(page.getByText("龙腾大道")).toBeHidden();
  });

  test(
    "a visitor pre-registers: login comes between, a session that ends too, and the stop is changed",
    once,
    async ({ page, prefix }) => {
      const t = campaign[getLocale(prefix)];
      const stop = (name: RegExp) => page.getByRole("radio", { name });
      await page.goto(`${prefix}/event/spring`);
      await page.getByRole("link", { name: event[getLocale(prefix)].springBook }).click();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fevent%2Fspring`);
      await logInHere(page, prefix);
      await expect(page).toHaveURL(`${prefix}/event/spring`);
      await stop(/昆明|Kunming/).check();
      await page.getByLabel(t.name).fill("Anna");
      await page.getByLabel(t.mobile).fill("13800138000");
      await page.getByRole("group", { name: t.party }).getByRole("radio", { name: "3" }).check();
      await page.getByLabel(t.note).fill("靠近门口");
      const session = await stored(page);
      await forget(page, "/v1/booking/makeBooking");
      await page.getByRole("button", { name: t.submit, exact: true }).click();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fevent%2Fspring`);
      await comeBack(page, session);
      await expect(page).toHaveURL(`${prefix}/event/spring`);
      await expect(stop(/昆明|Kunming/)).toBeChecked();
      await expect(page.getByLabel(t.note)).toHaveValue("靠近门口");
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: t.submit, exact: true }).click();
      await expect(page.getByRole("button", { name: t.change })).toBeVisible();
      await stop(/成都|Chengdu/).check();
      await page.getByRole("button", { name: t.change }).click();
      await expect(page.getByText(/你登记了成都，3 人|signed up for Chengdu, party of 3/)).toBeVisible();
      await page.reload();
      await expect(stop(/成都|Chengdu/)).toBeChecked();
    },
  );

  test(
    "a pass is bought although the session ends on the way; its order and its page tell the new expiry",
    once,
    async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      const t = passes[locale];
      await logIn(page, prefix);
      const session = await stored(page);
      await page.goto(`${prefix}/mall/vip/listener`);
      await page.getByRole("radio", { name: "¥298" }).click();
      await expect(page.getByText(t.nothing)).toBeVisible();
      const foretold = await page.locator(".exp time").getAttribute("datetime");
      await forget(page, "/v1/memberPackage/createOrder");
      const buy = page.locator(".vip-page .cta-r button");
      await buy.click();
      await page.getByRole("dialog").getByRole("button", { name: t.order }).click();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fmall%2Fvip%2Fregular`);
      await comeBack(page, session);
      await expect(page).toHaveURL(`${prefix}/mall/vip/regular`);
      await expect(page.getByRole("radio", { name: "¥298" })).toBeChecked();
      await buy.click();
      await page.getByRole("dialog").getByRole("button", { name: t.order }).click();
      await expect(page).toHaveURL(new RegExp(`${prefix}/user/order/V[0-9A-Z]+$`));
      const [cashier] = await Promise.all([
        page.waitForEvent("popup"),
        page.getByRole("link", { name: payCode[locale].openSandbox }).click(),
      ]);
      await cashier.getByRole("button", { name: payment[locale].pay, exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: order[locale].paid })).toBeVisible();
      const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Shanghai" }).format(new Date(foretold ?? ""));
      await expect(page.getByRole("region", { name: order[locale].expiry })).toContainText(day.replaceAll("-", "."));
      expect(await violations(page)).toEqual([]);
      await page.goto(`${prefix}/mall/vip/regular`);
      await expect(page.locator(".exp time").first()).toHaveText(day.replaceAll("-", "."));
    },
  );
});
