import type { Page } from "@playwright/test";
import { seat } from "#i18n/activity.ts";
import { campaign } from "#i18n/campaign.ts";
import { fill } from "#i18n/catalogue.ts";
import { getLocale } from "#i18n/locale.ts";
import { memberPage } from "#i18n/member.ts";
import { order } from "#i18n/order.ts";
import { orderList } from "#i18n/order-list.ts";
import { passOrder, package as texts } from "#i18n/package.ts";
import { contract } from "#src/api/contract.ts";
import { speakDate } from "#src/lib/date.ts";
import { callServer, changeAnswers, logIn, orderPackage, preRegistration, readSnapshots } from "./support/member.ts";
import { expect, holdOnce, inBothLanguages, onLabel, test } from "./support/page.ts";

const day = 24 * 3600_000;

async function buyPackage(page: Page, fields?: Parameters<typeof orderPackage>[1]): Promise<void> {
  const order_sn = await orderPackage(page, fields);
  const { link } = await callServer(page, contract.packagePayCode, { order_sn });
  const response = await page.request.post(link ?? "", { form: { action: "pay" } });
  expect(response.ok()).toBe(true);
}

inBothLanguages(
  () => {
    test("the member page links to the passes when there is no membership, without the line where one is torn off", async ({
      page,
      prefix,
    }) => {
      const t = memberPage[getLocale(prefix)];
      await logIn(page);
      await page.goto(`${prefix}/user/info`);
      const pass = page.locator(".me-pass");
      await expect(pass).toContainText(t.noPass);
      for (const side of ["top", "left"]) await expect(pass).toHaveCSS(`border-${side}-color`, "rgba(0, 0, 0, 0)");
      await pass.getByRole("link", { name: t.pickPass }).click();
      await expect(page).toHaveURL(`${prefix}/mall#passes`);
    });

    test("a pre-registration stands in the empty place of the shows, and nothing moves as they load", async ({
      page,
      prefix,
    }) => {
      await logIn(page);
      await callServer(page, contract.makeBooking, { ...preRegistration, stop: "kunming" });
      const { answered, respond } = await holdOnce(page, contract.bookingInfo.path);
      await page.goto(`${prefix}/user/info`);
      await answered;
      const empty = page.locator("[data-empty]").getByRole("link", { name: memberPage[getLocale(prefix)].events });
      await expect(page.locator("main div[aria-busy]").filter({ visible: true })).toHaveCount(1);
      await expect(empty).toBeHidden();
      respond();
      await expect(page.getByRole("main").getByRole("article")).toBeVisible();
      await expect(empty).toBeHidden();
      await callServer(page, contract.bookingCancel, { campaign: "spring" });
      await page.reload();
      await expect(empty).toBeVisible();
    });

    test("the number of a pass, searched among the orders of goods, leads to those of passes", async ({ page, prefix }) => {
      const t = orderList[getLocale(prefix)];
      await logIn(page);
      const number = (await orderPackage(page)).slice(0, 8).toLowerCase();
      for (const [search, links] of [
        ["no such order", 0],
        [number, 1],
      ] as const) {
        await page.goto(`${prefix}/user/order/list?q=${search}`);
        await expect(page.getByRole("heading", { name: fill(t.noneTitle, { search }) })).toBeVisible();
        await expect(page.locator(".empty").getByRole("link", { name: t.packages, exact: true })).toHaveCount(links);
      }
      await page.locator(".empty").getByRole("link", { name: t.packages, exact: true }).click();
      await expect(page).toHaveURL(`${prefix}/user/order/list?tab=packages&q=${number}`);
      await expect(page.getByRole("link", { name: t.pay })).toBeVisible();
    });

    test("an order of a pass that a higher one has overtaken cannot be paid and can be cancelled", async ({ page, prefix }) => {
      const [t, pass] = [order[getLocale(prefix)], passOrder[getLocale(prefix)]];
      await logIn(page);
      const order_sn = await orderPackage(page);
      await buyPackage(page, { uid: "regular", expected_pay_fen: 29_800 });
      await page.goto(`${prefix}/user/order/${order_sn}`);
      await expect(page.getByRole("heading", { level: 1, name: pass.overtaken.replace("\n", " ") })).toBeVisible();
      await expect(page.getByRole("alert")).toHaveText(pass.overtakenBody);
      await expect(page.getByRole("timer")).toHaveCount(0);
      await expect(page.getByRole("region", { name: pass.expiry })).toContainText(`${pass.expiryTo}–`);
      await page.locator("summary", { hasText: t.cancel }).click();
      await page.locator("p", { hasText: t.cancelBody }).getByRole("button", { name: t.cancel }).click();
      await expect(page.getByRole("heading", { level: 1, name: t.cancelledTitle })).toBeVisible();
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
          name: fill(t.renew, { date: speakDate(new Date(preview?.new_expires_at ?? ""), "date", getLocale(prefix)) }),
        });
        await renewal.click();
        await expect(page).toHaveURL(`${prefix}/mall/vip/${membership.package_uid}`);
      });
    });

    test("a ticket keeps the screen on around the start of its show", async ({ page, prefix }) => {
      await logIn(page);
      const { activity } = await callServer(page, contract.activityBooking, { activity_uid: "slow" });
      const locks: string[] = [];
      await page.exposeFunction("note", (type: string) => void locks.push(type));
      await page.addInitScript("WakeLock.prototype.request = async (type) => window.note(type)");
      const setHour = (hours: number) => page.clock.setFixedTime(Date.parse(activity.starts_at) + hours * 3_600_000);
      await setHour(-7);
      await page.goto(`${prefix}/mall/order_event/slow`);
      await expect(page.getByRole("region", { name: seat[getLocale(prefix)].code })).toBeVisible();
      expect(locks).toHaveLength(0);
      // The member takes out the phone at the door.
      await setHour(-1);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect.poll(() => locks).toHaveLength(1);
    });

    test.describe("without a connection", () => {
      test.use({ allowed: [/ERR_FAILED/] });
      test("a stored show is over by the clock of the device", async ({ page, prefix }) => {
        await logIn(page);
        await changeAnswers(page, contract.activityInfo, (data) => ({
          ...data,
          list: data.list.map((activity) => ({ ...activity, status: "closed" })),
        }));
        const t = seat[getLocale(prefix)];
        await page.goto(`${prefix}/mall/order_event/slow`);
        await expect(page.getByText(t.closed, { exact: true }).first()).toBeVisible();
        await expect.poll(() => readSnapshots(page)).toContain("closed");
        await page.route(`**${contract.activityInfo.path}`, (route) => route.abort());
        await page.clock.setFixedTime("2036-01-01T12:00+08:00");
        await page.reload();
        await expect(page.getByText(t.over, { exact: true })).toBeVisible();
      });
    });

    test("the booking page of a show that is newer than the build has its text across the screen", async ({ page, prefix }) => {
      await logIn(page);
      await changeAnswers(page, contract.activityInfo, (data) => ({
        ...data,
        list: data.list.slice(0, 1).map((activity) => ({ ...activity, activity_uid: "newer" })),
      }));
      await page.goto(`${prefix}/mall/order_event/newer`);
      await expect(page.locator(".seat h2")).toHaveCount(2);
      const [heading, title] = await Promise.all([0, 1].map((one) => page.locator(".seat h2").nth(one).boundingBox()));
      expect([title?.x, title?.width]).toEqual([heading?.x, heading?.width]);
    });

    test("a withdrawn pre-registration leaves the device, for a tour that is not current too", async ({ page, prefix }) => {
      const t = campaign[getLocale(prefix)];
      await logIn(page);
      const entry = { ...preRegistration, stop: "chengdu" };
      const { check_in_code = "" } = (await callServer(page, contract.makeBooking, entry)).booking;
      await changeAnswers(page, contract.bookingInfo, ({ booking, campaign, server_time }) => {
        const others = booking && [{ booking, stop: campaign.stops[0], campaign }];
        return { booking: null, campaign: { ...campaign, uid: "other" }, server_time, ...(others && { others }) };
      });
      await page.goto(`${prefix}/user/info`);
      await expect.poll(() => readSnapshots(page)).toContain(check_in_code);
      await page.goto(`${prefix}/event/spring`);
      await page.locator("summary", { hasText: t.withdraw }).click();
      await page.getByRole("button", { name: t.withdraw }).click();
      await expect(page.getByText(t.withdrawn)).toBeVisible();
      await expect(page.locator("[data-own-line]")).toBeHidden();
      await expect.poll(() => readSnapshots(page)).not.toContain(check_in_code);
    });

    test("the bookings of other tours stay on the profile and the device when one is withdrawn", async ({ page, prefix }) => {
      const [own, fields] = [memberPage[getLocale(prefix)], campaign[getLocale(prefix)]];
      await logIn(page);
      const { booking } = await callServer(page, contract.makeBooking, { ...preRegistration, stop: "chengdu" });
      const { stops } = (await callServer(page, contract.bookingInfo)).campaign;
      const others = [{ booking, stop: stops[0], campaign: { uid: "other", title: "Uphill" } }];
      await changeAnswers(page, contract.bookingInfo, (data) => ({ ...data, others }));
      await page.goto(`${prefix}/user/info`);
      await page.getByRole("button", { name: own.change }).click();
      // Nothing is loaded again.
      await page.route(`**${contract.bookingInfo.path}`, () => {});
      const dialog = page.getByRole("dialog");
      await dialog.locator("summary", { hasText: fields.withdraw }).click();
      await dialog.getByRole("button", { name: fields.withdraw }).click();
      await expect(page.getByText(fields.withdrawn)).toBeVisible();
      const uphill = page.getByRole("article").filter({ hasText: "Uphill" });
      // Of a tour that the build does not know: a plate in place of the picture, and no actions.
      await expect(uphill.locator(".no-picture")).toHaveCount(1);
      await expect(uphill.locator("> div")).toHaveCount(2);
      await expect.poll(() => readSnapshots(page)).toContain("Uphill");
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
  onLabel();

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
