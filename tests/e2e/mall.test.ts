import type { Page } from "@playwright/test";
import { goods } from "#i18n/goods.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { package as passes } from "#i18n/package.ts";
import { contract } from "#src/api/contract.ts";
import { changeAnswers, logInWithForm } from "./support/member.ts";
import { expect, inBothLanguages, onLabel, serveShell, test } from "./support/page.ts";

const contentNames = {
  "zh-CN": {
    records: "唱片",
    print: "印刷",
    signed: "签名版",
    rolled: "卷筒",
    black: "黑色 180g",
    double: "《入口》双黑胶",
  },
  "en-US": {
    records: "Records",
    print: "Print",
    signed: "Signed",
    rolled: "Rolled",
    black: "Black 180 g",
    double: "Entrance, double LP",
  },
};
const getTexts = (prefix: Prefix) => ({
  ...contentNames[getLocale(prefix)],
  t: goods[getLocale(prefix)],
  pass: passes[getLocale(prefix)],
});
const getCategoryLink = (page: Page, prefix: Prefix, name: string) =>
  page.getByRole("navigation", { name: getTexts(prefix).t.kinds }).getByRole("link", { name });
const getCards = (page: Page) => page.locator("#mall-list > [data-goods]:visible");

inBothLanguages(() => {
  test("the mall filters goods by category, and Back returns to the previous category", async ({ page, prefix }) => {
    const { records, print, double, t } = getTexts(prefix);
    await page.goto(`${prefix}/mall`);
    await expect(getCards(page)).toHaveCount(10);
    await expect(getCards(page).last()).toContainText(t.soldOut);
    await getCategoryLink(page, prefix, records).click();
    await expect(page).toHaveURL(`${prefix}/mall?category=records`);
    await expect(getCards(page)).toHaveCount(3);
    await getCategoryLink(page, prefix, t.passes).click();
    await expect(getCards(page)).toHaveCount(0);
    await expect(page.locator("#passes [data-pass]:visible")).toHaveCount(3);
    await page.goBack();
    await expect(getCards(page)).toHaveCount(3);
    await getCards(page).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(double);
    await page.goBack();
    await expect(getCategoryLink(page, prefix, records)).toHaveAttribute("aria-current", "page");
    await expect(getCards(page)).toHaveCount(3);
    await page.goto(`${prefix}/mall?category=print`);
    await expect(getCategoryLink(page, prefix, print)).toHaveAttribute("aria-current", "page");
    await page.goto(`${prefix}/mall?category=no-such-kind`);
    await expect(page.getByText(t.noneBody)).toBeVisible();
    // Ways out of the empty room.
    await expect(getCards(page)).toHaveCount(3);
    await page.getByRole("link", { name: t.seeAll }).click();
    await expect(getCards(page)).toHaveCount(10);
  });

  test("an item's page marks its category, and leads to the others and to the orders", async ({ page, prefix, t }) => {
    const { records, print } = getTexts(prefix);
    await page.goto(`${prefix}/mall/item/vinyl`);
    await expect(getCategoryLink(page, prefix, records)).toHaveAttribute("aria-current", "true");
    await getCategoryLink(page, prefix, print).click();
    await expect(page).toHaveURL(`${prefix}/mall?category=print`);
    await expect(getCards(page)).toHaveCount(1);
    await page.getByRole("main").getByRole("link", { name: t.frame.orders }).click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fuser%2Forder%2Flist`);
  });

  test("a category link filters in place, and opens a new tab with Ctrl", { tag: "@full" }, async ({
    page,
    prefix,
    context,
  }) => {
    const { records } = getTexts(prefix);
    await page.goto(`${prefix}/mall`);
    const loaded: string[] = [];
    page.on("request", (request) => request.resourceType() === "document" && loaded.push(request.url()));
    await getCategoryLink(page, prefix, records).click();
    await expect(page).toHaveURL(`${prefix}/mall?category=records`);
    await expect(getCards(page)).toHaveCount(3);
    expect(loaded).toEqual([]);
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      getCategoryLink(page, prefix, records).click({ modifiers: ["Control"] }),
    ]);
    await expect(getCards(tab)).toHaveCount(3);
    await tab.close();
  });

  test("the chosen variant goes to checkout, variants that are not made are disabled, and Back restores the choice", async ({
    page,
    prefix,
  }) => {
    const { signed, rolled, t } = getTexts(prefix);
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
    await expect(oneGo).toHaveAccessibleDescription(t.ways);
    await expect(page.getByText(t.ways)).toBeVisible();
    await page.getByRole("button", { name: t.buy, exact: true }).filter({ visible: true }).first().click();
    const redirect = encodeURIComponent("/mall/order/confirm/vinyl?sku=vinyl-signed-folded&quantity=2");
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=${redirect}`);
    await page.goBack();
    await expect(page).toHaveURL(`${prefix}/mall/item/vinyl?sku=vinyl-signed-folded&quantity=2`);
    await page.getByRole("spinbutton", { name: t.quantity }).focus();
    await expect(page.getByRole("radio", { name: signed })).toBeChecked();
    await expect(page.getByRole("spinbutton", { name: t.quantity })).toHaveValue("2");
  });

  test("an item published after the build opens, and an unknown one shows an error with a link to the mall", {
    tag: "@full",
  }, async ({ page, prefix, isMobile }) => {
    const { double, t } = getTexts(prefix);
    await serveShell(page, `${prefix}/mall/item/vinyl`);
    await page.goto(`${prefix}/mall/item/vinyl`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(double);
    await expect(page).toHaveTitle(new RegExp(double));
    await page.goto(`${prefix}/mall/item/none-such`);
    await expect(page.getByText(t.unknownBody)).toBeVisible();
    // Nothing can be bought: the bar of a phone leads on.
    await expect(page.locator(".tabbar")).toBeVisible({ visible: isMobile });
    await expect(page.locator("[data-goods]:visible")).toHaveCount(3);
    await page.goto(`${prefix}/mall/vip/none-such`);
    await expect(page.getByText(getTexts(prefix).pass.unknownBody)).toBeVisible();
    await page.getByRole("link", { name: t.toMall, exact: true }).click();
    await expect(page).toHaveURL(`${prefix}/mall`);
  });

  test("a visitor who chooses a pass logs in, sees its dates and orders it after a confirmation", async ({ page, prefix }) => {
    const { pass } = getTexts(prefix);
    await page.goto(`${prefix}/mall/vip/listener`);
    await page.getByRole("radio", { name: "¥298" }).click();
    await expect(page).toHaveURL(`${prefix}/mall/vip/regular`);
    await page.locator(".vip-page .main-action button").click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fmall%2Fvip%2Fregular`);
    await logInWithForm(page, prefix);
    await expect(page).toHaveURL(`${prefix}/mall/vip/regular`);
    await expect(page.getByRole("radio", { name: "¥298" })).toBeChecked();
    await expect(page.getByText(pass.nothing)).toBeVisible();
    await expect(page.locator(".exp time")).toHaveText(/^20\d\d\.\d\d\.\d\d/);
    // The first tap only opens the confirmation dialog.
    await page.locator(".vip-page .main-action button").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("¥298");
    await dialog.getByRole("button", { name: pass.stay }).click();
    await expect(dialog).toBeHidden();
    await page.locator(".vip-page .main-action button").click();
    await dialog.getByRole("button", { name: pass.order }).click();
    await expect(page).toHaveURL(new RegExp(`${prefix}/user/order/V[0-9A-Z]+$`));
  });

  test.describe("when the server has other prices or fails", () => {
    // A changed price has another width and shifts the layout.
    test.use({ allowed: [/status of 503|layout shift/] });

    test("the item page shows a changed price, also when the tab becomes visible again", async ({ page, prefix }) => {
      let price = 29_900;
      await changeAnswers(page, contract.goodsInfo, ({ info, postage }) => {
        const [first, ...others] = info.skus;
        return { postage, info: { ...info, skus: [{ ...first, pay_fen: price }, ...others] } };
      });
      await page.goto(`${prefix}/mall/item/vinyl`);
      await expect(page.locator(".price")).toContainText("299");
      price = 31_900;
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(page.locator(".price")).toContainText("319");
    });

    test("the mall shows a changed price, an item that is new since the build, and one that is no longer sold", async ({
      page,
      prefix,
    }) => {
      const { t } = getTexts(prefix);
      let [changed, withdrawn] = ["", ""];
      await changeAnswers(page, contract.goodsLists, ({ list: [first, ...others] }) => {
        [changed, withdrawn] = [first?.goods_uid ?? "", others.pop()?.goods_uid ?? ""];
        const cheaper = { ...first, skus: first?.skus.map((sku) => ({ ...sku, pay_fen: 12_300 })) };
        const badge = {
          ...first,
          goods_uid: "badge",
          title: "Badge",
          summary: "Tin",
          category: "Badges",
          list_price_fen: 5000,
          skus: [{ sku_uid: "badge", values: [], pay_fen: 4200, stock: 3 }],
        };
        // At the end, as cards that are in view stay where they are.
        return { list: [cheaper, ...others, badge] };
      });
      await page.goto(`${prefix}/mall`);
      const card = page.locator("[data-goods=badge]");
      await expect(card).toContainText("Badge");
      await expect(card).toContainText("Tin");
      await expect(card).toContainText("¥50¥42");
      await expect(card).toContainText(t.few.replace("{n}", "3"));
      await expect(card).toHaveAttribute("href", `${prefix}/mall/item/badge`);
      await expect(page.locator(`[data-goods=${changed}]`)).toContainText("¥123");
      await expect(page.locator(`[data-goods=${withdrawn}]`)).toHaveCount(0);
      await getCategoryLink(page, prefix, "Badges").click();
      await expect(page).toHaveURL(`${prefix}/mall?category=badges`);
      await expect(getCards(page)).toHaveCount(1);
    });

    test("the mall keeps its goods, shows that they may be stale, and retries", async ({ page, prefix, t }) => {
      const goodsTexts = getTexts(prefix).t;
      await page.route("**/v1/goods/allLists", (route) => route.fulfill({ status: 503, body: "" }));
      await page.goto(`${prefix}/mall`);
      await expect(page.getByText(goodsTexts.stale)).toBeVisible();
      await expect(getCards(page)).toHaveCount(10);
      await page.unroute("**/v1/goods/allLists");
      await page.getByRole("button", { name: t.state.retry }).click();
      await expect(page.getByText(goodsTexts.stale)).toBeHidden();
    });
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the mall, item and pass pages show their full text and structured data", async ({ page, request }) => {
    for (const [path, ...texts] of [
      ["/mall?category=records", "《入口》双黑胶", "¥268", "12.9W 短袖", "全通证"],
      ["/mall/item/vinyl", "白噪合唱团的第一张双黑胶", "¥12，满 ¥199 免"],
      ["/mall/vip/regular", "常客证", "¥298/年", "商城免运费"],
    ]) {
      await page.goto(path ?? "");
      for (const text of texts) await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
    }
    const html = await (await request.get("/en-US/mall/item/vinyl")).text();
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    const [product] = JSON.parse(data)["@graph"];
    expect(product).toMatchObject({ "@type": "Product", name: "Entrance, double LP" });
  });
});

test.describe("a picture of any shape", { tag: ["@desktop", "@full"] }, () => {
  /** Gives every picture of a page another shape, as its file and its attributes say. */
  async function reshape(page: Page, path: string, width: number, height: number): Promise<void> {
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="M0 0h9v9z"/></svg>`;
    await page.route("**/pictures/**", (route) => route.fulfill({ contentType: "image/svg+xml", body }));
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replaceAll(/width="\d+" height="\d+"/g, `width="${width}" height="${height}"`);
      await route.fulfill({ response, body: html });
    });
    await page.goto(path);
    await page.waitForLoadState("networkidle");
  }
  const getSizes = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => [one.clientWidth, one.clientHeight] as const));

  test("leaves a large card of the mall as high as the two rows beside it", async ({ page }) => {
    await reshape(page, "/mall", 60, 600);
    const [[, large = 0] = [], [, small = 0] = []] = await getSizes(page, "#mall-list > [data-goods] > :first-child");
    expect(large).toBeGreaterThan(small);
    expect(large).toBeLessThan(3 * small);
  });

  test("fills its cell of an item's gallery", async ({ page }) => {
    await reshape(page, "/mall/item/vinyl", 40, 40);
    const [, ...others] = await getSizes(page, "picture img");
    for (const [width] of others) expect(width).toBeGreaterThan(200);
  });

  test.describe("beside a text", () => {
    onLabel();

    test("is not much higher than a screen", async ({ page }) => {
      await page.goto("/news/rehearsal");
      const sizes = await getSizes(page, "main .prose img");
      expect(sizes.map(([, height = Number.NaN]) => height <= 1280)).toEqual([true]);
    });
  });
});
