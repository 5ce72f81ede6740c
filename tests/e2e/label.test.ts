import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { activity, seat } from "#i18n/activity.ts";
import { address, addressChoice } from "#i18n/address.ts";
import { campaign, campaignPage } from "#i18n/campaign.ts";
import { fill } from "#i18n/catalogue.ts";
import { event } from "#i18n/event.ts";
import { goods } from "#i18n/goods.ts";
import { checkout, order } from "#i18n/order.ts";
import { package as packageTexts } from "#i18n/package.ts";
import { payment } from "#i18n/payment.ts";
import { contract } from "#src/api/contract.ts";
import { photographer } from "#tests/fixtures/label/make-photographs.ts";
import { callServer, logInWithForm, openCashier } from "./support/member.ts";
import { expect, onLabel, test } from "./support/page.ts";

// A label that is not the demo: tests/fixtures/label, with photographs.
const dist = process.env.TEST_LABEL_DIST ?? "";
const locale = "zh-CN";
onLabel();

/** Runs the operator's command at the door. */
async function checkIn(code: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: process.env.TEST_LABEL_DATA_DIR, DATABASE_URL: "", ENV_FILE: "" };
  const args = ["server", "bookings", "check-in", code, "--anyway", "yes"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout;
}

async function pay(page: Page): Promise<void> {
  const cashier = await openCashier(page, "");
  await expect(cashier).toHaveTitle(/江声唱片/);
  await cashier.getByRole("button", { name: payment[locale].pay, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: order[locale].paid })).toBeVisible();
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true }).click();

test("a visitor of another label reads, logs in, buys a record and a pass, books at the hour of the pass, is checked in and pre-registers", {
  tag: "@phone",
}, async ({ page }) => {
  const main = page.getByRole("main");
  const heading = page.getByRole("heading", { level: 1 });
  await page.goto("/");
  await expect(page).toHaveTitle("江声唱片，成都的爵士乐");
  await main.getByRole("link", { name: "排练房的温度计" }).click();
  await expect(heading).toHaveText("排练房的温度计");
  await main
    .getByRole("article")
    .first()
    .getByRole("link", { name: /灯船之夜/ })
    .click();
  await expect(heading).toHaveText("灯船之夜");
  await expect(page).toHaveURL("/event/lantern");

  await page.goto("/mall/item/first-pressing");
  await expect(heading).toHaveText("《第一遍》黑胶");
  await page.getByRole("radio", { name: "琥珀" }).click();
  await press(page, goods[locale].buy);
  await expect(page).toHaveURL(/\/user\/login\?redirect=/);
  await logInWithForm(page, "", process.env.TEST_LABEL_DATA_DIR);
  await expect(page).toHaveURL("/mall/order/confirm/first-pressing?sku=first-pressing-amber&quantity=1");
  await press(page, addressChoice[locale].addNew);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(address[locale].paste).fill("小满 13800138000 成都市锦江区合江亭 1 号");
  await expect(dialog.getByText(address[locale].pasted)).toBeVisible();
  await press(page, address[locale].save);
  await press(page, checkout[locale].submit);
  await pay(page);

  await page.goto("/mall/order_event/lantern");
  await expect(page.getByText(fill(seat[locale].earlyOpen, { pass: "楼座证" }))).toBeVisible();
  await page.getByRole("link", { name: seat[locale].passes }).click();
  await expect(page).toHaveURL("/mall#passes");
  const pass = page.locator("#passes").getByRole("link", { name: /楼座证/ });
  await pass.click();
  await press(page, packageTexts[locale].openShort);
  await dialog.getByRole("button", { name: packageTexts[locale].order }).click();
  await pay(page);
  expect((await callServer(page, contract.userInfo)).info.membership).toMatchObject({ package_uid: "balcony", level: 2 });
  // Each member can buy one: the way on leads to it.
  await page.goto("/mall/vip/balcony");
  await page.getByRole("link", { name: packageTexts[locale].ownPass }).filter({ visible: true }).first().click();
  await expect(page).toHaveURL("/user/info");

  // Everybody else books from 2036 on.
  await page.goto("/event/lantern");
  await main.getByRole("link", { name: activity[locale].book }).click();
  await page.getByRole("button", { name: seat[locale].book }).click();
  const code = page.getByRole("region", { name: seat[locale].code }).getByText(/^[0-9A-Z]{8}$/);
  expect(await checkIn(await code.innerText())).toContain("checked in");
  await page.reload();
  await expect(page.getByText(seat[locale].checkedIn)).toBeVisible();

  await page.goto("/event/spring");
  await expect(heading).toContainText("沿江");
  await expect(page.getByText("大渡河边的老电影院").first()).toBeVisible();
  await page.getByRole("radio", { name: /乐山/ }).check();
  await page.getByRole("radio", { name: "2", exact: true }).check();
  await page.getByRole("button", { name: campaign[locale].submit, exact: true }).click();
  // The tour closes before this stop begins.
  const own = `${fill(campaign[locale].yours, { city: "乐山", date: "09.02\u00a019:309月2日 19:30", n: 2 })}.*[0-9A-Z]{4} [0-9A-Z]{4}2036.09.01 12:00`;
  await expect(page.locator(".booking-form")).toContainText(new RegExp(own));
  await expect(page.locator("[data-stop=leshan]")).toHaveText(campaignPage[locale].mine);
  expect((await callServer(page, contract.bookingInfo)).booking).toMatchObject({ stop: "leshan", name: "小满" });
});

test("the pages of a label show its name, colour, record numbers and no word of the demo", { tag: "@phone" }, async ({
  page,
}) => {
  await page.goto("/en-US/event/lantern");
  const footer = page.locator("footer");
  await expect(footer.getByRole("link", { name: "蜀ICP备2026012345号-1" })).toBeVisible();
  await expect(footer.getByRole("link", { name: "Weibo" })).toHaveAttribute("href", "https://weibo.com/river-sound");
  expect(await footer.innerText()).toContain("hello@river-sound.example\n1 Hejiangting, Chengdu");
  await expect(page.locator("html")).toHaveCSS("--accent", /.+/);
  const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim());
  expect(accent.toLowerCase()).toBe("#8a4b00");
  const pages = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  const foreign = pages.filter((file) =>
    /社交新体验|New Generation|春天开门|Spring Opens/.test(readFileSync(join(dist, file), "utf8")),
  );
  expect(foreign).toEqual([]);
  await page.goto("/");
  const banner = page.getByRole("region", { name: "灯船等人到齐。" });
  await expect(banner).toContainText("听友计划");
  await expect(banner).not.toContainText(/入$|1,000|12\.9W|人已加入/);
  await expect(banner.locator(".plate, .count, .queue")).toHaveCount(0);
});

test("a tour named spring has a page of its own while another one is open next", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/en-US/event/spring");
  const countLines = (heading: Element) => {
    const range = document.createRange();
    range.selectNodeContents(heading);
    return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size;
  };
  expect(await page.getByRole("heading", { level: 1, name: "Downstream" }).evaluate(countLines)).toBe(1);
  await page.goto("/event");
  await page.getByRole("main").getByRole("link", { name: /上山/ }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("上山");
  expect(await heading.evaluate(countLines)).toBe(1);
});

test("the Markdown of an item's text is paragraphs and a list on its page", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/en-US/mall/item/work-shirt");
  const facts = page.locator("section[aria-labelledby=facts]");
  await expect(facts.locator("> p")).toHaveText(["Cotton, washed once.", "Measures"]);
  await expect(facts.getByRole("listitem")).toHaveText(["72 cm long", "three pockets, as on the drummer's"]);
});

test("the share card of a pass shows its cover", async ({ page, request }) => {
  await page.goto("/mall/vip/balcony");
  const card = (await page.locator('meta[property="og:image"]').getAttribute("content")) ?? "";
  expect(card, "photographs alone are JPEG").toMatch(/\/cards\/\w+\.jpg$/);
  expect((await request.get(new URL(card).pathname)).ok()).toBe(true);
});

test("an article leads to the tour that it names, in both languages", async ({ page }) => {
  for (const [prefix, label, heading] of [
    ["", event["zh-CN"].relatedTour, "上山"],
    ["/en-US", event["en-US"].relatedTour, "Uphill"],
  ] as const) {
    await page.goto(`${prefix}/news/on-the-road`);
    const article = page.getByRole("main").getByRole("article").first();
    await expect(article.getByRole("link", { name: event[prefix ? "en-US" : "zh-CN"].events })).toHaveCount(0);
    await article.getByRole("link", { name: label }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page).toHaveURL(`${prefix}/event/spring-tour`);
  }
});

test("a photograph at the head of the board begins where the text does", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/event");
  const getLeft = (selector: string) => page.$eval(selector, (one) => one.getBoundingClientRect().left);
  await expect(page.locator("[data-board=coming] picture source")).not.toHaveCount(0);
  expect(await getLeft("[data-board=coming] picture img")).toBeCloseTo(await getLeft("[data-board=coming] [data-year] h3"), 0);
});

test("the poster of a news item without a cover is shown whole", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/news/tea");
  const poster = page.locator("article figure img").first();
  const { shown, drawn } = await poster.evaluate((image: HTMLImageElement) => ({
    shown: image.clientWidth / image.clientHeight,
    drawn: image.naturalWidth / image.naturalHeight,
  }));
  expect(shown).toBeCloseTo(drawn, 1);
});

test("a former id of a label's show leads to the present one", { tag: "@phone" }, async ({ request }) => {
  const moved = await request.get("/event/lamp-boat", { maxRedirects: 0 });
  expect([moved.status(), moved.headers().location]).toEqual([308, "/event/lantern"]);
});

test("photographs have widths to choose from, and no place where they were taken leaves the build", { tag: "@phone" }, async ({
  page,
}) => {
  await page.goto("/event/lantern");
  await expect(page.getByRole("img", { name: "夜里的江面，一条挂着灯的船" }).first()).toHaveAttribute("srcset", /320w.*640w/);
  await page.goto("/mall/item/first-pressing");
  const first = page.locator("picture img").first();
  await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\.avif$/);
  const folder = join(dist, "pictures");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(webp|avif)$/.test(name));
  expect(files.length).toBeGreaterThan(20);
  const traces = files.filter((name) => {
    const bytes = readFileSync(join(folder, name)).toString("latin1");
    return bytes.includes(photographer) || /Exif\0\0|GPSLatitude/.test(bytes);
  });
  expect(traces).toEqual([]);
});
