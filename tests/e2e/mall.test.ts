import type { Page } from "@playwright/test";
import { goods } from "../../i18n/goods.ts";
import { getLocale, type Prefix } from "../../i18n/locale.ts";
import { package as passes } from "../../i18n/package.ts";
import { logInHere } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const words = {
  "zh-CN": {
    records: "唱片",
    print: "印刷",
    signed: "签名版",
    rolled: "卷筒",
    black: "黑色 180g",
    double: "《入口》双黑胶",
  },
  "en-US": {
    ...{ records: "Records", print: "Print", signed: "Signed", rolled: "Rolled", black: "Black 180 g" },
    double: "Entrance, double LP",
  },
};
const of = (prefix: Prefix) => ({ ...words[getLocale(prefix)], t: goods[getLocale(prefix)], pass: passes[getLocale(prefix)] });
const kind = (page: Page, prefix: Prefix, name: string) =>
  page.getByRole("navigation", { name: of(prefix).t.kinds }).getByRole("link", { name });
const cards = (page: Page) => page.locator("#shelf > [data-good]:visible");

/** The good at `path` as if it had been published after the build: the page is the shell, the host knows it. */
async function publishLate(page: Page, prefix: Prefix, path: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const shell = await route.fetch({ url: new URL(`${prefix}/mall/item/no-such`, route.request().url()).href });
    await route.fulfill({ response: shell });
  });
}

inBothLanguages(() => {
  test("goods are browsed by kind, and Back goes through what was looked at", async ({ page, prefix }) => {
    const { records, print, double, t } = of(prefix);
    await page.goto(`${prefix}/mall`);
    await expect(cards(page)).toHaveCount(10);
    await expect(cards(page).last()).toContainText(t.soldOut);
    await kind(page, prefix, records).click();
    await expect(page).toHaveURL(`${prefix}/mall?category=records`);
    await expect(cards(page)).toHaveCount(3);
    await kind(page, prefix, t.passes).click();
    await expect(cards(page)).toHaveCount(0);
    await expect(page.locator("#passes [data-pass]:visible")).toHaveCount(3);
    await page.goBack();
    await expect(cards(page)).toHaveCount(3);
    await cards(page).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(double);
    await page.goBack();
    await expect(kind(page, prefix, records)).toHaveAttribute("aria-current", "page");
    await expect(cards(page)).toHaveCount(3);
    await page.goto(`${prefix}/mall?category=print`);
    await expect(kind(page, prefix, print)).toHaveAttribute("aria-current", "page");
    await page.goto(`${prefix}/mall?category=no-such-kind`);
    await expect(page.getByText(t.noneBody)).toBeVisible();
    await page.getByRole("link", { name: t.seeAll }).click();
    await expect(cards(page)).toHaveCount(10);
  });

  test("another kind is shown in place; with a key held its link leads to a tab of its own", async ({
    page,
    prefix,
    context,
  }) => {
    const { records } = of(prefix);
    await page.goto(`${prefix}/mall`);
    const loaded: string[] = [];
    page.on("request", (request) => request.resourceType() === "document" && loaded.push(request.url()));
    await kind(page, prefix, records).click();
    await expect(page).toHaveURL(`${prefix}/mall?category=records`);
    await expect(cards(page)).toHaveCount(3);
    expect(loaded).toEqual([]);
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      kind(page, prefix, records).click({ modifiers: ["Control"] }),
    ]);
    await expect(cards(tab)).toHaveCount(3);
    await tab.close();
  });

  test("a variant is chosen among those that are made, and goes on to the order; Back finds it again", async ({
    page,
    prefix,
  }) => {
    const { signed, rolled, t } = of(prefix);
    await page.goto(`${prefix}/mall/item/vinyl`);
    await page.getByRole("radio", { name: signed }).click();
    await expect(page.getByRole("radio", { name: signed })).toBeChecked();
    await expect(page.getByRole("radio", { name: rolled })).toBeDisabled();
    await expect(page.getByRole("radio", { name: rolled })).toHaveAccessibleName(new RegExp(t.notMade));
    await expect(page.locator(".price")).toContainText("368");
    await page.getByRole("button", { name: t.more }).click();
    await expect(page.getByRole("button", { name: t.more })).toHaveAttribute("aria-disabled", "true");
    await expect(page).toHaveURL(`${prefix}/mall/item/vinyl?sku=vinyl-signed-folded&quantity=2`);
    const oneGo = page.getByRole("button", { name: t.oneGo });
    await expect(oneGo).toHaveAttribute("formaction", `${prefix}/mall/order_bak/vinyl`);
    await page.getByRole("button", { name: t.buy, exact: true }).filter({ visible: true }).first().click();
    const wanted = encodeURIComponent("/mall/order/confirm/vinyl?sku=vinyl-signed-folded&quantity=2");
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=${wanted}`);
    await page.goBack();
    await expect(page).toHaveURL(`${prefix}/mall/item/vinyl?sku=vinyl-signed-folded&quantity=2`);
    await page.getByRole("spinbutton", { name: t.quantity }).focus();
    await expect(page.getByRole("radio", { name: signed })).toBeChecked();
    await expect(page.getByRole("spinbutton", { name: t.quantity })).toHaveValue("2");
  });

  test("a good that came after the build opens; one that never was says so, with a way back", async ({ page, prefix }) => {
    const { double, t } = of(prefix);
    await publishLate(page, prefix, `${prefix}/mall/item/vinyl`);
    await page.goto(`${prefix}/mall/item/vinyl`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(double);
    await expect(page).toHaveTitle(new RegExp(double));
    await page.goto(`${prefix}/mall/item/none-such`);
    await expect(page.getByText(t.unknownBody)).toBeVisible();
    await page.goto(`${prefix}/mall/vip/none-such`);
    await expect(page.getByText(of(prefix).pass.unknownBody)).toBeVisible();
    await page.getByRole("link", { name: t.toMall, exact: true }).click();
    await expect(page).toHaveURL(`${prefix}/mall`);
  });

  test("a pass is chosen by a visitor, who logs in on the way, sees the dates and orders it once", async ({ page, prefix }) => {
    const { pass } = of(prefix);
    await page.goto(`${prefix}/mall/vip/listener`);
    await page.getByRole("radio", { name: "¥298" }).click();
    await expect(page).toHaveURL(`${prefix}/mall/vip/regular`);
    await page.locator(".vip-page .cta-r button").click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fmall%2Fvip%2Fregular`);
    await logInHere(page, prefix);
    await expect(page).toHaveURL(`${prefix}/mall/vip/regular`);
    await expect(page.getByRole("radio", { name: "¥298" })).toBeChecked();
    await expect(page.getByText(pass.nothing)).toBeVisible();
    await expect(page.locator(".exp time")).toHaveText(/^20\d\d\.\d\d\.\d\d$/);
    // One tap orders nothing yet.
    await page.locator(".vip-page .cta-r button").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("¥298");
    await dialog.getByRole("button", { name: pass.stay }).click();
    await expect(dialog).toBeHidden();
    await page.locator(".vip-page .cta-r button").click();
    await dialog.getByRole("button", { name: pass.order }).click();
    await expect(page).toHaveURL(new RegExp(`${prefix}/user/order/V[0-9A-Z]+$`));
  });

  test.describe("when the host has other prices, or none", () => {
    // What a price takes more or less of room is not the visitor's doing.
    test.use({ allowed: [/status of 503|layout shift/] });

    test("the page of a good draws what has changed, on return too", async ({ page, prefix }) => {
      let price = 29_900;
      await page.route("**/v1/goods/info", async (route) => {
        const response = await route.fetch();
        const answer = await response.json();
        answer.data.info.skus[0].pay_fen = price;
        await route.fulfill({ response, json: answer });
      });
      await page.goto(`${prefix}/mall/item/vinyl`);
      await expect(page.locator(".price")).toContainText("299");
      price = 31_900;
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(page.locator(".price")).toContainText("319");
    });

    test("the mall stays readable, says so, and tries again", async ({ page, prefix, t }) => {
      const own = of(prefix).t;
      await page.route("**/v1/goods/allLists", (route) => route.fulfill({ status: 503, body: "" }));
      await page.goto(`${prefix}/mall`);
      await expect(page.getByText(own.stale)).toBeVisible();
      await expect(cards(page)).toHaveCount(10);
      await page.unroute("**/v1/goods/allLists");
      await page.getByRole("button", { name: t.state.retry }).click();
      await expect(page.getByText(own.stale)).toBeHidden();
    });
  });
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });
  test("mall, good and pass read in full", async ({ page, request }) => {
    for (const [path, ...texts] of [
      ["/mall?category=records", "《入口》双黑胶", "¥268", "12.9W 短袖", "全通证"],
      ["/mall/item/vinyl", "白噪合唱团的第一张双黑胶", "¥12，满 ¥199 免"],
      ["/mall/vip/regular", "常客证", "¥298/年", "商城免运费"],
    ]) {
      await page.goto(path ?? "");
      for (const text of texts) await expect(page.getByText(text).first()).toBeVisible();
    }
    const html = await (await request.get("/en-US/mall/item/vinyl")).text();
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(data)).toMatchObject({ "@type": "Product", name: "Entrance, double LP" });
  });
});
