import type { Locator } from "@playwright/test";
import { event } from "#i18n/event.ts";
import { expect, inBothLanguages, onLabel, test } from "./support/page.ts";

inBothLanguages(
  () => {
    test.beforeEach(async ({ page, prefix }) => {
      await page.goto(`${prefix}/user/ui`);
    });

    test("buttons have the height of their size and a touch target of 44 px", async ({ page }) => {
      const heights = { "2xs": 24, xs: 28, sm: 32, md: 40, lg: 48, xl: 56 };
      for (const [name, height] of Object.entries(heights)) {
        const button = page.getByRole("main").getByRole("button", { name, exact: true });
        await expect(button).toHaveCSS("height", `${height}px`);
        const target = await button.evaluate((element) => {
          const { width, height } = getComputedStyle(element, "::after");
          return [Number.parseFloat(width), Number.parseFloat(height)];
        });
        for (const side of target) expect(side, name).toBeGreaterThan(43.9);
      }
    });

    test("busy and disabled buttons cannot be pressed", async ({ page, t }) => {
      const main = page.getByRole("main");
      for (const name of [t.ui.sending, t.ui.unavailable])
        await expect(main.getByRole("button", { name }).first()).toBeDisabled();
      await expect(main.getByRole("button", { name: t.ui.sending }).first()).toHaveAttribute("aria-busy", "true");
    });

    test("avatars fall back from picture to text, icon and initials, and keep their accessible name", async ({ page, t }) => {
      const figure = (caption: string) =>
        page.locator("figure").filter({ has: page.locator("figcaption", { hasText: new RegExp(`^${caption}$`) }) });
      await expect(figure(t.ui.picture).locator("img")).toHaveJSProperty("complete", true);
      await expect(figure(t.ui.brokenPicture).getByText("12W", { exact: true })).toBeVisible();
      await expect(figure(t.ui.text)).toContainText("12W");
      await expect(figure(t.ui.icon).locator("svg")).toBeVisible();
      await expect(figure(t.ui.initials)).toContainText("WN");
      await expect(figure(t.ui.chinese)).toContainText([...t.ui.personName][0] ?? "");
      await expect(figure(t.ui.initials).getByRole("img", { name: "White Noise Choir" })).toBeVisible();
      const sizes = { "3xs": 16, "2xs": 20, xs: 24, sm: 32, md: 40, lg: 48, xl: 56, "2xl": 64, "3xl": 80 };
      for (const [size, side] of Object.entries(sizes)) {
        const box = await figure(size).first().locator(".avatar").boundingBox();
        expect([box?.width, box?.height], size).toEqual([side, side]);
      }
    });

    test("avatar chips sit on the circle in their corner and have a text", async ({ page, t }) => {
      for (const [position, [right, bottom]] of Object.entries({
        "top-right": [true, false],
        "bottom-right": [true, true],
        "top-left": [false, false],
        "bottom-left": [false, true],
      })) {
        const figure = page.locator("figure", { has: page.getByText(position, { exact: true }) });
        const disc = await figure.locator(".avatar").boundingBox();
        const dot = await figure.locator(".chip").boundingBox();
        if (!disc || !dot) throw new Error("nothing is drawn");
        const radius = disc.width / 2;
        const across = dot.x + dot.width / 2 - (disc.x + radius);
        const down = dot.y + dot.height / 2 - (disc.y + radius);
        expect(Math.hypot(across, down)).toBeCloseTo(radius, 0);
        expect([across > 0, down > 0]).toEqual([right, bottom]);
        await expect(figure.locator(".chip")).toHaveText(t.ui.online);
      }
      await expect(page.getByText(t.ui.unread.replace("{count}", "129"))).toBeAttached();
      await expect(page.getByText("99+", { exact: true })).toBeVisible();
    });

    test("fields associate label, hint and error with their control", async ({ page, t }) => {
      await expect(page.getByLabel(t.ui.username)).toHaveAccessibleDescription(t.ui.usernameHint);
      const receiver = page.getByLabel(t.ui.receiver);
      await expect(receiver).toHaveAccessibleDescription(t.ui.receiverError);
      await expect(receiver).toHaveAttribute("aria-invalid", "true");
      await page.getByLabel(t.ui.region).selectOption(t.ui.regionB);
      await expect(page.getByLabel(t.ui.orderNumber)).toBeDisabled();
      await page.getByLabel(t.ui.note).fill("一\n二");
      await page.getByLabel(t.ui.defaultAddress).uncheck();
    });

    test("the code field accepts pasted digits, drops letters and shows errors", async ({ page, t }) => {
      const code = page.getByLabel(t.ui.code, { exact: true });
      await code.fill("12 34-5a6");
      await expect(code).toHaveValue("123456");
      await expect(code).toHaveAccessibleDescription(t.ui.codeGood.replace("{code}", "123456"));
      await code.fill("000000");
      await expect(page.getByRole("alert").filter({ hasText: t.code.wrongCode })).toBeVisible();
      await expect(code).toHaveAttribute("aria-invalid", "true");
    });

    test("the stepper stays within its range by button, key and typing, and keeps the focus at its limit", async ({
      page,
      t,
    }) => {
      const amount = page.getByRole("spinbutton", { name: t.ui.quantity });
      const [less, more] = [t.ui.less, t.ui.more].map((name) => page.getByRole("button", { name }));
      if (!less || !more) throw new Error("no buttons");
      await expect(less).toBeDisabled();
      await more.click();
      await expect(amount).toHaveValue("2");
      await amount.press("End");
      await expect(amount).toHaveValue("5");
      await expect(more).toBeDisabled();
      await amount.press("ArrowDown");
      await expect(amount).toHaveValue("4");
      await more.focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await expect(amount).toHaveValue("5");
      await expect(more).toBeFocused();
      await amount.focus();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("99");
      await page.keyboard.press("Tab");
      await expect(amount).toHaveValue("5");
      // Focus selects the current value.
      await amount.focus();
      await page.keyboard.press("Backspace");
      await expect(amount).toHaveValue("");
      await amount.press("Enter");
      await expect(amount).toHaveValue("5");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("3");
      await expect(amount).toHaveAttribute("aria-valuenow", "3");
      for (const button of [less, more]) expect((await button.boundingBox())?.width).toBeGreaterThanOrEqual(44);
    });

    test("tabs are one tab stop, and arrow keys and End select a tab", async ({ page, t }) => {
      const tab = (name: string) => page.getByRole("tab", { name });
      await tab(t.ui.tabAll).focus();
      // Focus hydrates the island.
      await expect(page.locator("astro-island", { has: tab(t.ui.tabAll) })).not.toHaveAttribute("ssr");
      await page.keyboard.press("ArrowRight");
      await expect(tab(t.ui.tabPending)).toBeFocused();
      await expect(page.getByRole("tabpanel")).toHaveText(t.ui.tabPanel.replace("{tab}", t.ui.tabPending));
      await page.keyboard.press("End");
      await expect(tab(t.ui.tabDone)).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("ArrowRight");
      await expect(tab(t.ui.tabAll)).toBeFocused();
      await page.keyboard.press("Tab");
      await expect(page.getByRole("navigation", { name: t.ui.orderKinds }).getByRole("link").first()).toBeFocused();
    });

    test("a dialog traps the focus, closes by Escape, backdrop and button, and returns the focus", async ({ page, t }) => {
      const open = page.getByRole("main").getByRole("button", { name: t.ui.deleteAddress });
      const dialog = page.getByRole("dialog", { name: t.ui.deleteTitle });
      await open.focus();
      await page.keyboard.press("Enter");
      await expect(dialog).toBeVisible();
      for (let step = 0; step < 6; step += 1) {
        await page.keyboard.press("Tab");
        const outside = await page.evaluate(() => {
          const at = document.activeElement;
          return at !== document.body && !at?.closest("dialog");
        });
        expect(outside).toBe(false);
      }
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(open).toBeFocused();
      await open.click();
      await page.mouse.click(3, 3);
      await expect(dialog).toBeHidden();
      await open.click();
      await dialog.getByRole("button", { name: t.ui.keep }).click();
      await expect(dialog).toBeHidden();
      await expect(open).toBeFocused();
    });

    test("an island shows its failed, loading, ready, empty and login states", async ({ page, prefix, t }) => {
      const states = page.getByRole("group", { name: t.ui.stateLead });
      const choose = (name: string) => states.getByRole("button", { name, exact: true }).click();
      const main = page.getByRole("main");
      await expect(main.getByRole("heading", { name: t.state.failedTitle })).toBeVisible();
      await main.getByRole("button", { name: t.state.retry }).click();
      await expect(main.getByRole("status").filter({ hasText: t.state.loading })).toBeAttached();
      await choose(t.ui.stateReady);
      await expect(main.getByText(t.ui.readyBody)).toBeVisible();
      await choose(t.ui.stateEmpty);
      await expect(main.getByRole("heading", { name: t.ui.emptyTitle })).toBeVisible();
      await choose(t.ui.stateLogin);
      await expect(main.getByRole("link", { name: t.state.login })).toHaveAttribute(
        "href",
        `${prefix}/user/login?redirect=%2Fuser%2Fui`,
      );
    });
  },
  { tag: "@desktop" },
);

test.describe("the pages of a label", () => {
  onLabel();
  test.use({ viewport: { width: 1440, height: 900 } });
  const getBox = async (one: Locator) => (await one.boundingBox()) ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN };

  test("say a show's state in a tag as large as the next show's, and begin where what they stand over does", {
    tag: "@desktop",
  }, async ({ page }) => {
    await page.goto("/event");
    const board = page.locator("[data-board=coming]");
    await expect(board.getByText(event["zh-CN"].walkIn)).toHaveCSS("font-size", "16px");
    expect((await getBox(page.locator("h1 + p"))).x).toBeCloseTo((await getBox(board.locator("h3").first())).x, 0);
    const [icp, police] = [page.getByText("蜀ICP备2026012345号-1"), page.getByText(/^川公网安备/)];
    expect((await getBox(police)).y).toBe((await getBox(icp)).y);
    await page.goto("/event/spring-tour");
    // The tour has no colour: the sign's is for what members press.
    await expect(page.locator(".campaign-page")).toHaveCSS("background-color", "rgb(12, 18, 16)");
  });

  test("have one other item in a small row and columns of one width on a phone", { tag: "@desktop" }, async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto("/mall/item/work-shirt");
    await expect(page.getByText("规格", { exact: true })).toHaveCSS("font-weight", "700");
    expect((await getBox(page.locator("[data-goods] img"))).width).toBeLessThan(200);
    await page.goto("/mall/vip/stalls");
    const heads = await page.getByRole("columnheader").all();
    const widths = await Promise.all(heads.map(async (head) => (await getBox(head)).width));
    for (const width of widths) expect(width).toBeCloseTo(343 / widths.length, 0);
  });
});

test("black art has an edge in the dark, and a text the leading of its language", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/en-US/news/stage-words");
  const picture = page.locator("main figure img");
  for (const [colorScheme, color] of [
    ["light", "rgba(0, 0, 0, 0)"],
    ["dark", "rgb(49, 59, 69)"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(picture).toHaveCSS("outline-color", color);
  }
  const getLeading = (paragraph: Locator) =>
    paragraph.evaluate(
      (one) => Number.parseFloat(getComputedStyle(one).lineHeight) / Number.parseFloat(getComputedStyle(one).fontSize),
    );
  const text = page.locator(".prose [lang] > p, .prose > div > p").first();
  expect(await getLeading(text)).toBeCloseTo(1.9, 1);
  await page.goto("/en-US/news/queue");
  expect(await getLeading(text)).toBeCloseTo(1.7, 1);
});
