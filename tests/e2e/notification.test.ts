import type { Page } from "@playwright/test";
import { expect, inBothLanguages, test } from "./support/page.ts";

const main = (page: Page) => page.getByRole("main");
/** Two seconds on, and from there the page's clock moves only by `runFor`: a slow machine is no reason for a notification to go. */
async function holdClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2000);
}
const toastsOf = (page: Page, name: string) => page.getByRole("region", { name }).getByRole("listitem");

inBothLanguages(() => {
  test.beforeEach(async ({ page, prefix }) => {
    await page.clock.install();
    await page.goto(`${prefix}/user/ui`);
  });

  test("come into a live region that was there before, at the bottom end, always dark, and go by themselves", async ({
    page,
    t,
  }) => {
    const region = page.getByRole("region", { name: t.frame.notifications });
    await expect(region.locator("[aria-live=polite]")).toBeAttached();
    await main(page).getByRole("button", { name: t.ui.tryPlain }).click();
    const toast = toastsOf(page, t.frame.notifications);
    await expect(toast).toContainText(t.ui.toastCalendar);
    await holdClock(page);
    await expect(region.locator("[aria-live=polite]").getByRole("listitem")).toHaveCount(1);
    // Read out once: nothing in it is a live region of its own.
    await expect(toast.locator("[role=status],[role=alert],[aria-live]")).toHaveCount(0);
    await expect(page.getByText(t.ui.toastCalendar, { exact: true }).and(toast.locator("b"))).toHaveCount(1);
    const box = await toast.boundingBox();
    const view = page.viewportSize();
    if (!box || !view) throw new Error("nothing is drawn");
    expect(box.x + box.width).toBeGreaterThan(view.width - 24);
    expect(box.width).toBeCloseTo(view.width < 640 ? view.width - 24 : 384, 0);
    const tabbar = page.getByRole("navigation", { name: t.frame.tabNav });
    const floor = (await tabbar.isVisible()) ? ((await tabbar.boundingBox())?.y ?? 0) : view.height;
    expect(box.y + box.height).toBeLessThanOrEqual(floor);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(toast).toHaveCSS("background-color", "rgb(23, 29, 35)");
    }
    await page.clock.runFor(500);
    await expect(toast).toBeVisible();
    await page.clock.runFor(4600);
    await expect(toast).toHaveCount(0);
  });

  test("hold still while hovered or focused, clock and bar alike", async ({ page, t, isMobile }) => {
    await main(page).getByRole("button", { name: t.ui.tryBody }).click();
    const toast = toastsOf(page, t.frame.notifications);
    await expect(toast).toBeVisible();
    const bar = () =>
      toast.locator(".bar").evaluate((element) => element.getAnimations().find((one) => !("animationName" in one))?.playState);
    expect(await bar()).toBe("running");
    if (!isMobile) {
      await toast.hover();
      expect(await bar()).toBe("paused");
      await page.clock.runFor(60_000);
      await page.mouse.move(0, 0);
      expect(await bar()).toBe("running");
    }
    await toast.getByRole("button").focus();
    expect(await bar()).toBe("paused");
    await page.clock.runFor(60_000);
    await expect(toast).toBeVisible();
    await main(page).getByRole("button", { name: t.ui.tryBody }).focus();
    await page.clock.runFor(5000);
    await expect(toast).toHaveCount(0);
  });

  test("are reached with F6 and left with Escape; an update keeps the focus", async ({ page, t }) => {
    const trigger = main(page).getByRole("button", { name: t.ui.tryActions });
    await trigger.focus();
    await page.keyboard.press("Enter");
    const toast = toastsOf(page, t.frame.notifications).filter({ hasText: t.ui.toastOrder });
    await expect(toast).toBeVisible();
    await page.keyboard.press("F6");
    await expect(toast.getByRole("button", { name: t.ui.toPay })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(toast.getByRole("button", { name: t.ui.giveUp })).toBeFocused();
    await main(page).getByRole("button", { name: t.ui.tryUpdate }).dispatchEvent("click");
    await expect(toast).toContainText(t.ui.toastUpdated);
    await expect(toast.getByRole("button", { name: t.ui.giveUp })).toBeFocused();
    await page.clock.runFor(60_000);
    await page.keyboard.press("Escape");
    await expect(toast).toHaveCount(0);
    await expect(trigger).toBeFocused();
    await expect(page.getByText(t.ui.toastClosed, { exact: true })).toBeVisible();
  });

  test("run an action and close; the callback runs then, and on time-out", async ({ page, t }) => {
    await main(page).getByRole("button", { name: t.ui.tryActions }).click();
    const toasts = toastsOf(page, t.frame.notifications);
    await toasts.getByRole("button", { name: t.ui.toPay }).click();
    await expect(toasts).toHaveCount(1);
    await expect(toasts).toContainText(t.ui.toastPaid);
    const told = page.getByText(t.ui.toastClosed, { exact: true });
    await expect(told).toBeVisible();
    await main(page).getByRole("button", { name: t.ui.tryPlain }).click();
    await expect(told).toBeHidden();
    await page.mouse.move(0, 0);
    await page.clock.runFor(5100);
    await expect(told).toBeVisible();
  });

  test("that are errors interrupt; what they say is text; most four are seen, and all can be cleared", async ({ page, t }) => {
    const region = page.getByRole("region", { name: t.frame.notifications });
    const toasts = toastsOf(page, t.frame.notifications);
    await main(page).getByRole("button", { name: t.ui.tryStay, exact: true }).click();
    await expect(toasts).toContainText(t.ui.toastApp);
    await holdClock(page);
    for (const name of [t.ui.tryBody, t.ui.tryError, t.ui.tryAvatar, t.ui.tryMarkup])
      await main(page).getByRole("button", { name, exact: true }).click();
    await expect(region.locator("[aria-live=assertive]").getByRole("listitem")).toContainText(t.ui.toastError);
    await expect(toasts.filter({ hasText: t.ui.toastMarkup })).toContainText("<img src=x onerror=alert(1)>");
    await expect(toasts.locator("img")).toHaveCount(1);
    await expect(toasts).toHaveCount(4);
    await expect(toasts.filter({ hasText: t.ui.toastApp })).toHaveCount(0);
    // The one that stays comes back when there is room; one that came up under the pointer would wait for it.
    await page.mouse.move(0, 0);
    await page.clock.runFor(6000);
    await expect(toasts).toHaveCount(1);
    await expect(toasts).toContainText(t.ui.toastApp);
    await main(page).getByRole("button", { name: t.ui.tryClear }).click();
    await expect(toasts).toHaveCount(0);
  });

  test.describe("with an avatar that does not arrive", () => {
    test.use({ allowed: [/ERR_FAILED/] });
    test("show the icon instead", async ({ page, t }) => {
      await page.route("**/g-vinyl.svg", (route) => route.abort());
      await main(page).getByRole("button", { name: t.ui.tryAvatar }).click();
      const toast = toastsOf(page, t.frame.notifications);
      await expect(toast.locator(":scope > svg")).toBeVisible();
      await expect(toast.locator("img")).toHaveCount(0);
    });
  });

  test("can be reached while a dialog is open, and stay when it closes", async ({ page, t }) => {
    await main(page).getByRole("button", { name: t.ui.tryStay, exact: true }).click();
    await main(page).getByRole("button", { name: t.ui.deleteAddress }).click();
    const dialog = page.getByRole("dialog", { name: t.ui.deleteTitle });
    await expect(dialog).toBeVisible();
    const toast = page.locator(".toast", { hasText: t.ui.toastApp }).and(page.getByRole("listitem"));
    await expect(toast).toBeVisible();
    await dialog.getByRole("button", { name: t.ui.keep }).click();
    await expect(dialog).toBeHidden();
    await toast.getByRole("button", { name: t.frame.closeNotification }).click();
    await expect(toast).toHaveCount(0);
  });

  test("keep still where motion is not wanted, and still show what is left", async ({ page, t }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await main(page).getByRole("button", { name: t.ui.tryPlain }).click();
    const toast = toastsOf(page, t.frame.notifications);
    await expect(toast).toBeVisible();
    await expect(toast).toHaveCSS("animation-name", "none");
    const easing = await toast.locator(".bar").evaluate((bar) => bar.getAnimations()[0]?.effect?.getTiming().easing);
    expect(easing).toMatch(/^steps\(5/);
  });
});

test("a reader's page loads none of it", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.goto("/news");
  await page.waitForLoadState("networkidle");
  expect(scripts.filter((url) => /notification|region|toast|failed|react/i.test(url))).toEqual([]);
});
