import type { Page } from "@playwright/test";
import { seat } from "#i18n/activity.ts";
import { fill } from "#i18n/catalogue.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { page as texts } from "#i18n/page.ts";
import { contract } from "#src/api/contract.ts";
import { findViolations } from "./support/accessibility.ts";
import { callServer, changeAnswers, logIn, logInWithForm } from "./support/member.ts";
import { expect, inBothLanguages, onLabel, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

/** Logs a member in, who has a place at the show unless told otherwise, and opens its booking page. */
async function openSeat(page: Page, prefix: Prefix, { isBooked = true } = {}) {
  const t = seat[getLocale(prefix)];
  await logIn(page);
  const booked = isBooked ? await callServer(page, contract.activityBooking, { activity_uid: "slow" }) : null;
  const code = booked?.activity.check_in_code ?? "no code";
  await page.goto(`${prefix}/mall/order_event/slow`);
  return { t, code, ticket: page.getByRole("region", { name: t.code }) };
}

inBothLanguages(() => {
  test("booking a place scrolls to its ticket and focuses it", async ({ page, prefix }) => {
    const { t, ticket } = await openSeat(page, prefix, { isBooked: false });
    const book = page.getByRole("button", { name: t.book });
    await expect(book).toBeInViewport({ ratio: 1 });
    await book.click();
    await expect(ticket).toBeFocused();
    await expect(ticket.getByRole("heading", { name: t.show })).toBeInViewport({ ratio: 1 });
    await expect(ticket.getByText(/^[0-9A-Z]{8}$/)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("main").getByText(t.booked, { exact: true })).toHaveCount(1);
    const href = (await ticket.getByRole("link", { name: t.calendar }).getAttribute("href")) ?? "";
    expect(await (await page.request.get(href)).text()).toContain("BEGIN:VEVENT");
    await page.reload();
    await expect(ticket).toBeVisible();
  });

  test("a place is given back by keyboard, which is announced, and can be booked again with a new code", async ({
    page,
    prefix,
  }) => {
    const { t, code, ticket } = await openSeat(page, prefix);
    const giveBack = ticket.getByRole("button", { name: t.giveBack });
    await ticket.locator("summary", { hasText: t.giveBack }).focus();
    await expect(giveBack).toBeHidden();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(giveBack).toBeFocused();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("status").filter({ hasText: t.returned })).toBeFocused();
    await expect(ticket).toBeHidden();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: t.book })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(ticket).toBeFocused();
    await expect(ticket.getByText(code)).toHaveCount(0);
  });

  test.describe("too late", () => {
    // What can no longer be done leaves the page after the server's answer.
    test.use({ allowed: [/layout shift/] });
    test("a place is not offered for return where the server lacks that extension, and is kept when it is checked in meanwhile", {
      tag: "@full",
    }, async ({ page, prefix }) => {
      const { t, ticket } = await openSeat(page, prefix);
      const giveBack = page.locator("summary", { hasText: t.giveBack });
      await page.route("**/v1/activity/cancel", (route) => route.fulfill({ json: { code: 10006, msg: "no", data: null } }));
      await giveBack.click();
      await changeAnswers(page, contract.activityInfo, (data) =>
        JSON.parse(JSON.stringify(data), (key, value) => (key === "actions" ? undefined : value)),
      );
      await page.getByRole("button", { name: t.giveBack }).click();
      await expect(ticket).toBeFocused();
      await expect(ticket).toContainText(t.stays);
      await expect(giveBack).toHaveCount(0);
    });
  });

  test.describe("offline", { tag: "@full" }, () => {
    test.use({ allowed: [/ERR_INTERNET_DISCONNECTED|Failed to load/] });
    test("a ticket stays readable when the connection drops while it is open", async ({ page, prefix, context }) => {
      const { t, code, ticket } = await openSeat(page, prefix);
      await expect(ticket).toContainText(code);
      await context.setOffline(true);
      const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith(contract.activityInfo.path));
      // As after a look at another app, which loads the activity again.
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await failed;
      await waitForIdle(page);
      await expect(ticket).toContainText(code);
      await expect(ticket.getByRole("img", { name: fill(t.codeImage, { code }) })).toBeVisible();
    });
  });

  test("a ticket keeps its heading on one line and its copy button beside the code", { tag: "@full" }, async ({
    page,
    prefix,
  }) => {
    const { ticket, t } = await openSeat(page, prefix);
    const lines = await ticket.getByRole("heading", { name: t.show }).evaluate((heading) => {
      const text = document.createRange();
      text.selectNodeContents(heading);
      return new Set([...text.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines).toBe(1);
    await page.evaluate(() => document.fonts.ready);
    const [code, icon] = await ticket.getByText(/^[0-9A-Z]{8}$/).evaluate(
      (text, button) => {
        const icon = button?.querySelector("svg");
        return [text.getBoundingClientRect(), icon?.getBoundingClientRect()].map((box) => box?.toJSON());
      },
      await ticket.getByRole("button").elementHandle(),
    );
    // The icon stands beside the last line of the code.
    expect(Math.abs(code.bottom - icon.bottom)).toBeLessThan(20);
    expect(icon.x).toBeGreaterThanOrEqual(code.right);
  });

  test("a ticket's code is 120 px large on a desktop, its QR code 320 px or as wide as the card, black on white in the dark too", {
    tag: "@full",
  }, async ({ page, prefix }) => {
    const t = seat[getLocale(prefix)];
    await page.emulateMedia({ colorScheme: "dark" });
    await logIn(page);
    const { activity } = await callServer(page, contract.activityBooking, { activity_uid: "slow" });
    const ticket = page.getByRole("region", { name: t.code });
    const code = ticket.getByText(/^[0-9A-Z]{8}$/);
    const qr = ticket.getByRole("img", { name: fill(t.codeImage, { code: activity.check_in_code ?? "" }) });
    const openAt = async (width: number, height: number) => {
      await page.setViewportSize({ width, height });
      await page.goto(`${prefix}/mall/order_event/slow`);
      const card = qr.locator("xpath=..");
      await expect(qr.locator("path")).toHaveCSS("fill", "rgb(0, 0, 0)");
      await expect(card).toHaveCSS("background-color", "rgb(255, 255, 255)");
      const [slabBox, cardBox, image, modules] = await Promise.all(
        [card.locator("xpath=../.."), card, qr, qr.locator("path")].map((part) => part.boundingBox()),
      );
      return { slab: slabBox?.width ?? 0, card: cardBox?.width, image: image?.width, modules: modules?.width ?? 0 };
    };
    const phone = await openAt(375, 812);
    expect(phone).toMatchObject({ card: phone.slab - 32, image: phone.slab - 32 });
    expect((await openAt(640, 900)).modules).toBeGreaterThanOrEqual(320);
    expect((await openAt(1440, 900)).modules).toBeGreaterThanOrEqual(320);
    await expect(code).toHaveCSS("font-size", "120px");
  });

  test("the booking page says that it confirms a place, for whom, and leads back to its show", { tag: "@full" }, async ({
    page,
    prefix,
  }) => {
    const { t } = await openSeat(page, prefix, { isBooked: false });
    const main = page.getByRole("main");
    await expect(main.getByText(t.confirm, { exact: true })).toBeVisible();
    await expect(main.getByText(t.who, { exact: true })).toBeVisible();
    await expect(main.getByText(/^1\d{2}\*{4}\d{4}$/)).toBeVisible();
    await main.getByRole("link", { name: texts[getLocale(prefix)].toShow }).click();
    await expect(page).toHaveURL(`${prefix}/event/slow`);
  });

  test.describe("of a label", { tag: "@full" }, () => {
    onLabel();

    test("the booking page of a show that moved says when it was", async ({ page, prefix }) => {
      await page.goto(`${prefix}/user/login?redirect=${encodeURIComponent("/mall/order_event/tide")}`);
      await logInWithForm(page, prefix, process.env.TEST_LABEL_DATA_DIR);
      await expect(page.getByRole("main").getByText(seat[getLocale(prefix)].moved, { exact: true })).toBeVisible();
      await expect(page.getByRole("main").locator("s")).toHaveText(/^\d\d\.\d\d(\d+月\d+日|[A-Z][a-z]+ \d+)$/);
    });
  });

  test("the booking page marks the events entry as current in the navigation", { tag: "@full" }, async ({
    page,
    prefix,
    t,
  }) => {
    await logIn(page);
    await page.goto(`${prefix}/mall/order_event/slow`);
    const current = page.getByRole("navigation").locator("[aria-current=page]").filter({ visible: true });
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    const names = await page.locator("nav a[aria-current=page]").allInnerTexts();
    expect([...new Set(names.map((name) => name.trim()))]).toEqual([t.frame.events]);
    if ((page.viewportSize()?.width ?? 0) >= 768) await expect(current).toHaveText(t.frame.events);
  });
});
