import type { Page } from "@playwright/test";
import { campaign, campaignPage } from "#i18n/campaign.ts";
import { getLocale } from "#i18n/locale.ts";
import { order } from "#i18n/order.ts";
import { orderList } from "#i18n/order-list.ts";
import { package as passes, passOrder } from "#i18n/package.ts";
import { payment } from "#i18n/payment.ts";
import { sessionEnd } from "#i18n/state.ts";
import { getRoute, type RouteName, routes } from "#src/routes.ts";
import { findViolations } from "./support/accessibility.ts";
import { createSession, logIn, logInWithForm, logOut, openCashier, orderTote, storeSession } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const memberRoutes = (Object.keys(routes) as RouteName[]).filter((name) => getRoute(name).session);
const exampleParams: Record<string, string> = { uid: "tote", order_sn: "M2601010101010000ABCD" };

/** Answers the next request to `call` with an expired session. */
async function expireSessionOn(page: Page, call: string): Promise<void> {
  const over = { code: 10001, msg: "over", data: null };
  await page.route(`**${call}`, (route) => route.fulfill({ json: over }), { times: 1 });
}

/** Stores a session as a login in another tab does: a number gets its next login code only after a pause. */
async function restoreSession(page: Page, session: Record<string, string>): Promise<void> {
  await waitForIdle(page);
  await storeSession(page, session);
  await page.reload();
}

const stored = (page: Page) => page.evaluate(() => ({ ...localStorage }));

const onDesktop = { tag: "@desktop" };
const inFull = { tag: ["@desktop", "@full"] };

inBothLanguages(() => {
  test.describe("member pages", () => {
    // The example order does not exist.
    test.use({ allowed: [/status of 404/] });
    test("every member page redirects a visitor to login and returns to its URL with the query afterwards", {
      tag: ["@desktop", "@full"],
    }, async ({ page, prefix, baseURL }) => {
      const session = await createSession(baseURL ?? "");
      for (const name of memberRoutes) {
        const path = `${getRoute(name).path.replace(/\{(\w+)\}/g, (_, key) => exampleParams[key] ?? "")}?sku=tote&quantity=2`;
        await page.goto(prefix + path);
        await expect(page).toHaveURL(`${prefix}/user/login?redirect=${encodeURIComponent(path)}`);
        await restoreSession(page, session);
        await expect(page, name).toHaveURL(prefix + path);
        await page.evaluate(() => localStorage.clear());
      }
    });
  });

  test(
    "a member page restored from the back/forward cache redirects to login when the session is gone",
    onDesktop,
    async ({ page, prefix }) => {
      await logIn(page);
      await page.goto(`${prefix}/user/order/list`);
      await expect(page.getByRole("heading", { name: orderList[getLocale(prefix)].emptyTitle })).toBeVisible();
      // A page in the back/forward cache receives no storage events, only `pageshow` when it is restored.
      await page.evaluate(() => {
        localStorage.clear();
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      });
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fuser%2Forder%2Flist`);
    },
  );

  test(
    "an order page restored from the back/forward cache is hidden from another member",
    onDesktop,
    async ({ page, prefix, baseURL, t }) => {
      await logIn(page);
      const sn = await orderTote(page);
      await page.goto(`${prefix}/mall/order/${sn}`);
      await expect(page.getByText("龙腾大道")).toBeVisible();
      await storeSession(page, await createSession(baseURL ?? ""));
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
      // The other member gets "not found" for this order.
      await expect(page.getByRole("main").getByRole("link", { name: t.state.orders })).toBeVisible();
      await expect(page.getByText("龙腾大道")).toBeHidden();
    },
  );

  test(
    "pre-registration survives a login and an expired session, and the stop can be changed afterwards",
    inFull,
    async ({ page, prefix }) => {
      const t = campaign[getLocale(prefix)];
      const stop = (name: RegExp) => page.getByRole("radio", { name });
      await page.goto(`${prefix}/event/spring`);
      await page.getByRole("link", { name: campaignPage[getLocale(prefix)].book }).click();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fevent%2Fspring`);
      await logInWithForm(page, prefix);
      await expect(page).toHaveURL(`${prefix}/event/spring`);
      await stop(/昆明|Kunming/).check();
      await page.getByLabel(t.name).fill("Anna");
      await page.getByLabel(t.mobile).fill("13800138000");
      await page.getByRole("group", { name: t.party }).getByRole("radio", { name: "3" }).check();
      await page.getByLabel(t.note).fill("靠近门口");
      const session = await stored(page);
      await expireSessionOn(page, "/v1/booking/makeBooking");
      await page.getByRole("button", { name: t.submit, exact: true }).click();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fevent%2Fspring`);
      await restoreSession(page, session);
      await expect(page).toHaveURL(`${prefix}/event/spring`);
      await expect(stop(/昆明|Kunming/)).toBeChecked();
      await expect(page.getByLabel(t.note)).toHaveValue("靠近门口");
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole("button", { name: t.submit, exact: true }).click();
      await expect(page.getByRole("button", { name: t.change })).toBeVisible();
      await stop(/成都|Chengdu/).check();
      await page.getByRole("button", { name: t.change }).click();
      await expect(page.getByText(/你预约了成都，.+，3 人|signed up for Chengdu, .+, party of\u00a03/)).toBeVisible();
      await page.reload();
      await expect(stop(/成都|Chengdu/)).toBeChecked();
    },
  );

  test(
    "buying a pass survives an expired session, and the order and the pass page show the new expiry date",
    inFull,
    async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      const t = passes[locale];
      await logIn(page);
      const session = await stored(page);
      await page.goto(`${prefix}/mall/vip/listener`);
      await page.getByRole("radio", { name: "¥298" }).click();
      await expect(page.getByText(t.nothing)).toBeVisible();
      const previewedExpiry = await page.locator(".exp time").getAttribute("datetime");
      await expireSessionOn(page, "/v1/memberPackage/createOrder");
      const buy = page.locator(".vip-page .main-action button");
      await buy.click();
      await page.getByRole("dialog").getByRole("button", { name: t.order }).click();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fmall%2Fvip%2Fregular`);
      await restoreSession(page, session);
      await expect(page).toHaveURL(`${prefix}/mall/vip/regular`);
      await expect(page.getByRole("radio", { name: "¥298" })).toBeChecked();
      await buy.click();
      await page.getByRole("dialog").getByRole("button", { name: t.order }).click();
      await expect(page).toHaveURL(new RegExp(`${prefix}/user/order/V[0-9A-Z]+$`));
      const cashier = await openCashier(page, prefix);
      await cashier.getByRole("button", { name: payment[locale].pay, exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: order[locale].paid })).toBeVisible();
      const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Shanghai" }).format(new Date(previewedExpiry ?? ""));
      await expect(page.getByRole("main")).toContainText(`${passOrder[locale].expiryNow}${day.replaceAll("-", ".")}`);
      expect(await findViolations(page)).toEqual([]);
      await page.goto(`${prefix}/mall/vip/regular`);
      await expect(page.locator(".exp time [aria-hidden]").first()).toHaveText(day.replaceAll("-", "."));
    },
  );

  test.describe("the end of a session", () => {
    /** Records the calls that leave without a session from now on. */
    function recordCallsWithoutSession(page: Page): string[] {
      const calls: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith("/v1/") && !request.headers().token) calls.push(pathname);
      });
      return calls;
    }

    test("sends no call without a session from a member's page, by a log-out or by 10001 at the start", async ({
      page,
      prefix,
      t,
    }) => {
      await logIn(page);
      const calls = recordCallsWithoutSession(page);
      await page.goto(`${prefix}/user/info`);
      await waitForIdle(page);
      await logOut(page, t.session.logOut);
      await expect(page).toHaveURL(`${prefix}/user/login`);
      await waitForIdle(page);
      for (const path of ["/user/info", "/user/order/list", "/mall/order/confirm/tote?sku=tote&quantity=1"]) {
        await storeSession(page, { TOKEN: "x".repeat(43) });
        await page.goto(prefix + path);
        await expect(page).toHaveURL(`${prefix}/user/login?redirect=${encodeURIComponent(path)}`);
        await waitForIdle(page);
      }
      expect(calls).toEqual([]);
    });

    test("is told in one line that goes away, where a page for everybody stays", async ({ page, prefix, t }) => {
      await page.clock.install();
      await page.goto("/robots.txt");
      for (const path of ["/news", "/mall/item/vinyl"]) {
        await storeSession(page, { TOKEN: "x".repeat(43) });
        await page.goto(prefix + path);
        const region = page.getByRole("region", { name: t.frame.notifications });
        const line = region.locator("[aria-live=polite]").getByRole("listitem");
        await expect(line).toHaveText(sessionEnd[getLocale(prefix)].title);
        await page.clock.runFor(6000);
        await expect(region.getByRole("listitem")).toHaveCount(0);
        await expect(page).toHaveURL(prefix + path);
        expect(await page.evaluate(() => localStorage.getItem("TOKEN"))).toBeNull();
      }
    });
  });

  test.describe("logging out", () => {
    test("requires confirmation, then clears all storage and leads to login", async ({ page, prefix, t }) => {
      await logIn(page);
      for (const path of ["/user/info", "/mall", "/user/info"]) await page.goto(prefix + path);
      await page.getByRole("button", { name: t.session.logOut }).click();
      const dialog = page.getByRole("dialog", { name: t.session.logOutTitle });
      expect(await findViolations(page)).toEqual([]);
      await dialog.getByRole("button", { name: t.session.stay }).click();
      await expect(dialog).toBeHidden();
      await logOut(page, t.session.logOut);
      await expect(page).toHaveURL(`${prefix}/user/login`);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      await page.goBack();
      await expect(page).toHaveURL(`${prefix}/mall`);
      await page.goBack();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fuser%2Finfo`);
    });

    test("in one tab ends the session in another tab", { tag: "@full" }, async ({ page, prefix, t, context }) => {
      const mobile = await logIn(page);
      const other = await context.newPage();
      await other.goto(`${prefix}/user/info`);
      await expect(other.getByText(mobile.slice(-4)).first()).toBeVisible();
      await page.goto(`${prefix}/user/info`);
      await logOut(page, t.session.logOut);
      await expect(page).toHaveURL(`${prefix}/user/login`);
      // Without the way back: the next member of the device does not land there.
      await expect(other).toHaveURL(`${prefix}/user/login`);
      expect(await other.evaluate(() => Object.keys(localStorage))).toEqual([]);
    });

    test("in two tabs at once ends the session in both", { tag: "@full" }, async ({ page, prefix, t, context }) => {
      await logIn(page);
      const tabs = [page, await context.newPage()];
      for (const tab of tabs) {
        await tab.goto(`${prefix}/user/info`);
        await tab.getByRole("button", { name: t.session.logOut }).click();
      }
      await Promise.all(
        tabs.map((tab) =>
          tab
            .getByRole("dialog")
            .getByRole("button", { name: t.session.logOut })
            .click({ timeout: 3000 })
            .catch(() => {}),
        ),
      );
      for (const tab of tabs) await expect(tab).toHaveURL(new RegExp(`${prefix}/user/login`));
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    });
  });
});
