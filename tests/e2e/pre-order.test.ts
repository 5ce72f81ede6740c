import type { Page } from "@playwright/test";
import { fill } from "#i18n/catalogue.ts";
import { goods as texts } from "#i18n/goods.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { checkout, order as orderTexts } from "#i18n/order.ts";
import { payment } from "#i18n/payment.ts";
import { contract } from "#src/api/contract.ts";
import { speakDate } from "#src/lib/date.ts";
import { callServer, homeAddress, logIn, openCashier } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const uid = "cassette-slow";

/** Returns from when the item is sent, and how pages say so. */
async function readShipping(page: Page, prefix: Prefix) {
  await page.goto("/robots.txt");
  const { info } = await callServer(page, contract.goodsInfo, { goods_uid: uid });
  const ships_at = info.ships_at ?? "";
  const date = speakDate(new Date(ships_at), "date", getLocale(prefix));
  return { ships_at, line: fill(texts[getLocale(prefix)].shipsFrom, { date }) };
}

inBothLanguages(() => {
  test("a pre-order says from when it is sent on cards and its page, and nothing from then on", async ({ page, prefix }) => {
    const t = texts[getLocale(prefix)];
    const { ships_at, line } = await readShipping(page, prefix);
    const tag = page.locator(`#mall-list [data-goods=${uid}]`).getByText(t.preOrder, { exact: true });
    const shipping = page.getByRole("main").getByText(line);
    const open = async (path: string) => {
      await page.goto(`${prefix}${path}`);
      await waitForIdle(page);
    };
    await open("/mall");
    await expect(tag).toBeVisible();
    await open(`/mall/item/${uid}`);
    await expect(shipping).toBeVisible();
    await page.clock.setFixedTime(ships_at);
    await page.reload();
    await expect(shipping).toBeHidden();
    // The built page hides it before React has loaded, and React leaves it so.
    await page.getByRole("button", { name: t.more }).click();
    await expect(page.getByRole("spinbutton", { name: t.quantity })).toHaveValue("2");
    await expect(shipping).toBeHidden();
    await open("/mall");
    await expect(tag).toBeHidden();
  });

  test("a pre-order says from when it is sent at the checkout, on its order and in the list", async ({ page, prefix }) => {
    const locale = getLocale(prefix);
    const { ships_at, line } = await readShipping(page, prefix);
    const shipping = page.getByRole("main").getByText(line);
    await logIn(page);
    await callServer(page, contract.addressAdd, homeAddress);
    for (const path of ["order_bak", "order/confirm"]) {
      await page.goto(`${prefix}/mall/${path}/${uid}?sku=${uid}&quantity=1`);
      await expect(shipping).toBeVisible();
    }
    await page.getByRole("button", { name: checkout[locale].submit, exact: true }).filter({ visible: true }).click();
    await expect(page).toHaveURL(/\/mall\/order\/M\w{20}$/);
    await expect(shipping).toBeVisible();
    const order = page.url();
    const listed = page.getByRole("article").filter({ hasText: speakDate(new Date(ships_at), "date", locale) });
    await page.goto(`${prefix}/user/order/list`);
    await expect(listed).toBeVisible();
    await page.goto(order);
    const cashier = await openCashier(page, prefix);
    await cashier.getByRole("button", { name: payment[locale].pay, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: orderTexts[locale].paid })).toBeVisible();
    await expect(shipping).toBeVisible();
    await page.goto(`${prefix}/user/order/list`);
    await expect(listed).toBeVisible();
    await page.clock.setFixedTime(ships_at);
    await page.reload();
    await expect(page.getByRole("article")).toBeVisible();
    await expect(listed).toHaveCount(0);
    await page.goto(order);
    await expect(page.getByRole("heading", { level: 1, name: orderTexts[locale].paid })).toBeVisible();
    await expect(shipping).toHaveCount(0);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("a pre-order's page says from when it is sent, to search engines too", async ({ page, request }) => {
    await page.goto(`/mall/item/${uid}`);
    await expect(page.getByText(/^预计\d{4}年\d+月\d+日起发货$/)).toBeVisible();
    const html = await (await request.get(`/mall/item/${uid}`)).text();
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    const [product] = JSON.parse(data)["@graph"];
    expect(product.offers).toEqual([
      expect.objectContaining({
        availability: "https://schema.org/PreOrder",
        availabilityStarts: expect.stringMatching(/T00:00\+08:00$/),
      }),
    ]);
  });
});
