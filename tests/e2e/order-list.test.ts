import { getLocale } from "../../i18n/locale.ts";
import { orderList } from "../../i18n/order-list.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test("the order list has tabs and pages, and Back restores the page and the scroll position", async ({ page, prefix }) => {
    const t = orderList[getLocale(prefix)];
    await logIn(page);
    await page.goto(`${prefix}/user/order/list`);
    await expect(page.getByRole("heading", { name: t.emptyTitle })).toBeVisible();
    const { list } = await callServer(page, contract.goodsLists);
    const { list: addresses } = await callServer(page, contract.addressAdd, {
      name: "Anna",
      mobile: "13800138000",
      region_code: "440305",
      detail: "8 Keji South Road",
      is_default: true,
    });
    const skus = list.flatMap((item) =>
      item.on_sale
        ? item.skus
            .filter(({ stock }) => stock > 20)
            .slice(0, 1)
            .map((sku) => ({ ...sku, ...item }))
        : [],
    );
    let created = 0;
    for (const { goods_uid, sku_uid, pay_fen, limit_per_member } of skus) {
      for (let n = 0; n < Math.min(limit_per_member, 4) && created < 11; n += 1, created += 1) {
        await callServer(page, contract.mallCreateOrder, {
          goods_uid,
          sku_uid,
          quantity: 1,
          address_id: addresses[0]?.address_id,
          expected_pay_fen: pay_fen + (pay_fen >= 19900 ? 0 : 1200),
          client_request_id: `request-${created}`,
        });
      }
    }
    expect(created).toBe(11);
    await page.reload();
    const pay = page.getByRole("link", { name: t.pay });
    await expect(pay).toHaveCount(10);
    await expect(page.getByText(/(29|30):\d\d/).first()).toBeVisible();
    await page.getByRole("navigation", { name: t.pages }).getByRole("link", { name: "2", exact: true }).click();
    await expect(page).toHaveURL(`${prefix}/user/order/list?page=2`);
    await expect(pay).toHaveCount(1);
    await page.goBack();
    await expect(pay).toHaveCount(10);
    // Reads the position on `pagehide`, because the click may scroll first.
    await page.evaluate(() => addEventListener("pagehide", () => sessionStorage.setItem("left-at", String(scrollY))));
    await pay.last().click();
    await expect(page).toHaveURL(new RegExp(`${prefix}/mall/order/M`));
    const before = Number(await page.evaluate(() => sessionStorage.getItem("left-at")));
    expect(before).toBeGreaterThan(200);
    await page.goBack();
    await expect(pay).toHaveCount(10);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
    await page.getByRole("link", { name: t.packages, exact: true }).first().click();
    await expect(page).toHaveURL(`${prefix}/user/order/list?tab=packages`);
    await expect(page.getByRole("link", { name: t.toPasses })).toBeVisible();
  });
});
