import type { Page } from "@playwright/test";
import { audio } from "#i18n/frame.ts";
import { getLocale } from "#i18n/locale.ts";
import { expect, inBothLanguages, onLabel, test } from "./support/page.ts";

const getPiece = (page: Page, index = 0) => {
  const piece = page.locator("[data-audio]").nth(index);
  return { button: piece.getByRole("button"), slider: piece.getByRole("slider"), alert: piece.locator("[data-failed]") };
};

inBothLanguages(() => {
  test("a preview is loaded and plays when it is pressed, and one plays at a time", async ({ page, prefix }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${prefix}/news/tape`);
    await page.waitForLoadState("networkidle");
    const [first, second] = [getPiece(page), getPiece(page, 1)];
    await expect(first.button).toHaveAttribute("aria-pressed", "false");
    expect(requests.filter((path) => /^\/audio\/|player/.test(path))).toEqual([]);
    await first.button.click();
    await expect(first.button).toHaveAttribute("aria-pressed", "true");
    await expect(first.slider).not.toHaveValue("0");
    await second.button.click();
    await expect(second.button).toHaveAttribute("aria-pressed", "true");
    await expect(first.button).toHaveAttribute("aria-pressed", "false");
    await second.button.click();
    await expect(second.button).toHaveAttribute("aria-pressed", "false");
    expect(new Set(requests.filter((path) => path.startsWith("/audio/"))).size).toBe(2);
  });

  test("a preview is played and moved by keyboard, and the system shows its title", async ({ page, prefix }) => {
    await page.goto(`${prefix}/news/tape`);
    const { button, slider } = getPiece(page);
    await slider.focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowRight");
    await expect(slider).toHaveAttribute("aria-valuetext", "0:03");
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(button).toHaveAttribute("aria-pressed", "true");
    expect(await slider.evaluate((input: HTMLInputElement) => input.valueAsNumber)).toBeGreaterThanOrEqual(3);
    await slider.focus();
    await page.keyboard.press("End");
    await expect(button).toHaveAttribute("aria-pressed", "false");
    const title = await page.locator("[data-audio]").first().getAttribute("data-title");
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(title);
  });
});

// Pages of a show and of an item, which carry their pieces in other places than an article does.
test.describe("on a label", () => {
  onLabel();
  for (const path of ["/event/lantern", "/mall/item/first-pressing"])
    test(`a preview on ${path} is loaded when it is pressed by keyboard, plays and stops`, async ({ page }) => {
      const requests: string[] = [];
      page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      const { button, slider } = getPiece(page);
      await expect(button).toHaveAttribute("aria-pressed", "false");
      expect(requests.filter((path) => /^\/audio\/|player/.test(path))).toEqual([]);
      await button.focus();
      await page.keyboard.press("Enter");
      await expect(button).toHaveAttribute("aria-pressed", "true");
      await expect(slider).not.toHaveValue("0");
      await page.keyboard.press("Enter");
      await expect(button).toHaveAttribute("aria-pressed", "false");
      expect(new Set(requests.filter((path) => path.startsWith("/audio/"))).size).toBe(1);
    });
});

test.describe("a preview of less than a second", () => {
  onLabel();
  test("has a slider of one second, and is drawn as it plays", async ({ page }) => {
    await page.goto("/mall/item/first-pressing");
    const { button, slider } = getPiece(page, 1);
    await expect(slider).toHaveAttribute("max", "1");
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    // It is over: from where it is left, it plays again.
    await expect(button).toHaveAttribute("aria-pressed", "false");
    const widths = page.locator("[data-audio]").nth(1).locator("[data-played]");
    await expect(widths).toHaveAttribute("width", /^\d+(\.\d)?$/);
  });
});

test.describe("when a preview fails to load", () => {
  test.use({ allowed: [/ERR_FAILED/] });
  test("a player says so, and plays when it is pressed again", async ({ page, prefix }) => {
    await page.route("**/audio/*", (route) => route.abort(), { times: 1 });
    await page.goto("/news/tape");
    const { button, alert } = getPiece(page);
    await button.click();
    await expect(alert).toHaveText(audio[getLocale(prefix)].failed);
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(alert).toBeEmpty();
  });
});

test("a large picture in the text of a show ends where its date does, as those below the text", async ({ page }) => {
  await page.goto("/event/echo");
  const getRight = (selector: string) =>
    page
      .getByRole("main")
      .locator(selector)
      .last()
      .evaluate((element) => element.getBoundingClientRect().right);
  await page
    .getByRole("main")
    .locator(".prose")
    .evaluate((text) => {
      const picture = new Image(2000, 1000);
      picture.src = document.querySelector("figure img")?.getAttribute("src") ?? "";
      text.append(document.createElement("p"));
      text.lastElementChild?.append(picture);
    });
  expect(await getRight(".prose img")).toBeCloseTo(await getRight("dl.stub"), 0);
});

test("quiet text has the ink of other text for who asks for more contrast", { tag: "@desktop" }, async ({ page }) => {
  for (const path of ["/event", "/mall/item/tee", "/user/login"]) {
    await page.goto(path);
    const readInks = () =>
      page.evaluate(() => ["--ink-3", "--ink-2"].map((name) => getComputedStyle(document.body).getPropertyValue(name)));
    expect(new Set(await readInks()).size, path).toBe(2);
    await page.emulateMedia({ contrast: "more" });
    expect(new Set(await readInks()).size, path).toBe(1);
    await page.emulateMedia({ contrast: "no-preference" });
  }
});

test("the second poster of the past shows stands lower than the first, however many shows are to come", {
  tag: "@phone",
}, async ({ page }) => {
  await page.goto("/event");
  const shown = page.locator("[data-board=past] li:not([hidden])");
  const [first, second] = await shown.evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
  expect(second).toBeGreaterThan(first ?? Number.NaN);
});

test.describe("the title of a label's tour", { tag: "@desktop" }, () => {
  onLabel();

  test("stands where it does before its summary has arrived", async ({ page }) => {
    await page.goto("/event/spring-tour");
    const moved = await page.getByRole("heading", { level: 1 }).evaluate((title) => {
      const { top } = title.getBoundingClientRect();
      title.parentElement?.querySelector("h1 ~ p")?.remove();
      return title.getBoundingClientRect().top - top;
    });
    await expect(page.locator("h1 ~ p")).toHaveCount(0);
    expect(moved).toBeCloseTo(0, 0);
  });
});
