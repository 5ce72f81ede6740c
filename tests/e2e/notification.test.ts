import type { Locator, Page } from "@playwright/test";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const main = (page: Page) => page.getByRole("main");
/** Pauses the page's clock two seconds from now, so that a slow machine cannot close a notification. */
async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2000);
}
const getToasts = (page: Page, name: string) => page.getByRole("region", { name }).getByRole("listitem");
const getTop = async (toast: Locator) => (await toast.boundingBox())?.y ?? 0;
const getBottom = async (toast: Locator) => (await getTop(toast)) + ((await toast.boundingBox())?.height ?? 0);

inBothLanguages(() => {
  test.beforeEach(async ({ page, prefix }) => {
    await page.clock.install();
    await page.goto(`${prefix}/user/ui`);
  });

  test("a notification appears in an existing live region at the bottom edge, is always dark, and disappears by itself", async ({
    page,
    t,
  }) => {
    const region = page.getByRole("region", { name: t.frame.notifications });
    await expect(region.locator("[aria-live=polite]")).toBeAttached();
    await main(page).getByRole("button", { name: t.ui.tryPlain }).click();
    const toast = getToasts(page, t.frame.notifications);
    await expect(toast).toContainText(t.ui.toastCalendar);
    await pauseClock(page);
    await expect(region.locator("[aria-live=polite]").getByRole("listitem")).toHaveCount(1);
    // It contains no nested live region, so screen readers announce it once.
    await expect(toast.locator("[role=status],[role=alert],[aria-live]")).toHaveCount(0);
    await expect(page.getByText(t.ui.toastCalendar, { exact: true }).and(toast.locator("b"))).toHaveCount(1);
    const view = page.viewportSize();
    if (!view) throw new Error("there is no viewport");
    const tabbar = page.getByRole("navigation", { name: t.frame.tabNav });
    const floor = (await tabbar.isVisible()) ? ((await tabbar.boundingBox())?.y ?? 0) : view.height;
    // It moves up from below the edge.
    await expect.poll(() => getBottom(toast)).toBeLessThanOrEqual(floor);
    const box = await toast.boundingBox();
    if (!box) throw new Error("nothing is drawn");
    expect(box.x + box.width).toBeGreaterThan(view.width - 24);
    expect(box.width).toBeCloseTo(view.width < 640 ? view.width - 24 : 384, 0);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(toast).toHaveCSS("background-color", "rgb(23, 29, 35)");
    }
    await page.clock.runFor(500);
    await expect(toast).toBeVisible();
    await page.clock.runFor(4600);
    await expect(toast).toHaveCount(0);
  });

  test("hovering or focusing a notification pauses its timer and progress bar", async ({ page, t, isMobile }) => {
    await main(page).getByRole("button", { name: t.ui.tryBody }).click();
    const toast = getToasts(page, t.frame.notifications);
    await expect(toast).toBeVisible();
    const bar = () =>
      toast
        .locator(".time-left")
        .evaluate((element) => element.getAnimations().find((one) => !("animationName" in one))?.playState);
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

  test("F6 focuses a notification, an update keeps the focus, and Escape closes it", async ({ page, t }) => {
    const trigger = main(page).getByRole("button", { name: t.ui.tryActions });
    await trigger.focus();
    await page.keyboard.press("Enter");
    const toast = getToasts(page, t.frame.notifications).filter({ hasText: t.ui.toastOrder });
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

  test("a notification runs its action, closes, and calls its callback then and on timeout", async ({ page, t }) => {
    await main(page).getByRole("button", { name: t.ui.tryActions }).click();
    const toasts = getToasts(page, t.frame.notifications);
    await toasts.getByRole("button", { name: t.ui.toPay }).click();
    await expect(toasts).toHaveCount(1);
    await expect(toasts).toContainText(t.ui.toastPaid);
    const closedText = page.getByText(t.ui.toastClosed, { exact: true });
    await expect(closedText).toBeVisible();
    await main(page).getByRole("button", { name: t.ui.tryPlain }).click();
    await expect(closedText).toBeHidden();
    await page.mouse.move(0, 0);
    await page.clock.runFor(5100);
    await expect(closedText).toBeVisible();
  });

  test("error notifications are assertive and plain text, at most four are shown, and all can be cleared", async ({
    page,
    t,
  }) => {
    const region = page.getByRole("region", { name: t.frame.notifications });
    const toasts = getToasts(page, t.frame.notifications);
    await main(page).getByRole("button", { name: t.ui.tryStay, exact: true }).click();
    await expect(toasts).toContainText(t.ui.toastApp);
    await pauseClock(page);
    for (const name of [t.ui.tryBody, t.ui.tryError, t.ui.tryAvatar, t.ui.tryMarkup])
      await main(page).getByRole("button", { name, exact: true }).click();
    await expect(region.locator("[aria-live=assertive]").getByRole("listitem")).toContainText(t.ui.toastError);
    await expect(toasts.filter({ hasText: t.ui.toastMarkup })).toContainText("<img src=x onerror=alert(1)>");
    await expect(toasts.locator("img")).toHaveCount(1);
    await expect(toasts).toHaveCount(4);
    await expect(toasts.filter({ hasText: t.ui.toastApp })).toHaveCount(0);
    // The permanent notification is shown again when there is room; the pointer must not rest on the others.
    await page.mouse.move(0, 0);
    await page.clock.runFor(6000);
    await expect(toasts).toHaveCount(1);
    await expect(toasts).toContainText(t.ui.toastApp);
    await main(page).getByRole("button", { name: t.ui.tryClear }).click();
    await expect(toasts).toHaveCount(0);
  });

  // Without a click, after which the browser counts no shift. The `watched` fixture reports it.
  test("a notification moves without a layout shift when others come and go", async ({ page, t }) => {
    const click = (name: string) => main(page).getByRole("button", { name, exact: true }).dispatchEvent("click");
    const toasts = getToasts(page, t.frame.notifications);
    const lasting = toasts.filter({ hasText: t.ui.toastApp });
    await click(t.ui.tryStay);
    await expect(lasting).toBeVisible();
    await pauseClock(page);
    await expect.poll(() => lasting.evaluate((element) => element.getAnimations().length)).toBe(0);
    const top = await getTop(lasting);
    await click(t.ui.tryError);
    await expect(toasts).toHaveCount(2);
    await expect.poll(() => getTop(lasting)).toBeLessThan(top - 40);
    await page.clock.runFor(5100);
    await expect(toasts).toHaveCount(1);
    await expect.poll(() => getTop(lasting)).toBe(top);
  });

  test("notifications scroll on a low screen, each as high as its text", async ({ page, t }) => {
    await page.setViewportSize({ width: 700, height: 320 });
    const names = [t.ui.tryStay, t.ui.tryBody, t.ui.tryActions, t.ui.tryError];
    for (const name of names) await main(page).getByRole("button", { name, exact: true }).dispatchEvent("click");
    const toasts = getToasts(page, t.frame.notifications);
    await expect(toasts).toHaveCount(names.length);
    const boxes = await Promise.all((await toasts.all()).map((toast) => toast.boundingBox()));
    boxes.reduce((above, box) => {
      expect(box?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
      return box;
    });
    const areWhole = (all: Element[]) => all.every(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight);
    expect(await toasts.evaluateAll(areWhole)).toBe(true);
    await toasts.first().scrollIntoViewIfNeeded();
    await expect(toasts.first()).toBeInViewport({ ratio: 1 });
  });

  test.describe("the avatar of a notification", () => {
    test.use({ allowed: [/ERR_FAILED/] });
    test("falls back from picture to text, icon and initials, as avatars do, and keeps its name", async ({ page, t }) => {
      const button = main(page).getByRole("button", { name: t.ui.tryAvatar });
      let count = 0;
      const show = async (options: object) => {
        const title = `No. ${++count}.`;
        const shown = JSON.stringify({ title, timeout: 0, ...options });
        await button.evaluate((one, add) => one.setAttribute("data-add", add), shown);
        await button.dispatchEvent("click");
        return getToasts(page, t.frame.notifications).filter({ hasText: title });
      };
      await page.route("**/pictures/**", (route) => route.abort());
      const [broken, name] = ["/pictures/broken.png", "White Noise Choir"];
      const whole =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      const avatar = (toast: Locator) => toast.getByRole("img", { name });
      const picture = avatar(await show({ icon: "bell", avatar: { src: whole, alt: name, text: "12W" } }));
      await expect(picture.locator("img")).toHaveCount(1);
      for (const src of [broken, "", undefined]) {
        const text = avatar(await show({ icon: "bell", avatar: { src, alt: name, text: "12W" } }));
        await expect(text).toHaveText("12W");
        await expect(text.locator("img, svg")).toHaveCount(0);
        const icon = avatar(await show({ icon: "bell", avatar: { src, alt: name } }));
        await expect(icon.locator("svg")).toBeVisible();
        await expect(icon).toHaveText("");
        const initials = avatar(await show({ color: "error", avatar: { src, alt: name } }));
        await expect(initials).toHaveText("WN");
        await expect(initials.locator("svg")).toHaveCount(0);
      }
      // Nothing else stands for a nameless one.
      const nameless = await show({ avatar: { src: broken, alt: "" } });
      await expect(nameless.locator(".avatar svg")).toBeVisible();
      await expect(nameless.getByRole("img")).toHaveCount(0);
    });
  });

  test("a notification is reachable while a dialog is open and stays when it closes", async ({ page, t }) => {
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

  test("a notification does not animate with reduced motion, and its progress bar moves in steps", async ({ page, t }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await main(page).getByRole("button", { name: t.ui.tryPlain }).click();
    const toast = getToasts(page, t.frame.notifications);
    await expect(toast).toBeVisible();
    await expect(toast).toHaveCSS("animation-name", "none");
    const easing = await toast.locator(".time-left").evaluate((bar) => bar.getAnimations()[0]?.effect?.getTiming().easing);
    expect(easing).toMatch(/^steps\(5/);
  });
});

test("a reading page loads no notification script", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.goto("/news");
  await waitForIdle(page);
  expect(scripts.filter((url) => /notification|region|toast|failed|react/i.test(url))).toEqual([]);
});
