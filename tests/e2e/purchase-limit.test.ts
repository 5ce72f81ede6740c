import { goods } from "../../i18n/goods.ts";
import { getLocale } from "../../i18n/locale.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const homeAddress = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };

inBothLanguages(() => {
  test("the item page shows that unpaid orders reach the purchase limit and links to them", async ({ page, prefix }) => {
    const t = goods[getLocale(prefix)];
    await logIn(page);
    const { list } = await callServer(page, contract.addressAdd, homeAddress);
    const { info, postage } = await callServer(page, contract.goodsInfo, { goods_uid: "tote" });
    const [sku] = info.skus;
    if (!sku) throw new Error("no variant");
    const quantity = info.limit_per_member;
    const goods_fen = sku.pay_fen * quantity;
    await callServer(page, contract.mallCreateOrder, {
      goods_uid: "tote",
      sku_uid: sku.sku_uid,
      quantity,
      note: "",
      client_request_id: crypto.randomUUID(),
      address_id: list[0]?.address_id,
      expected_pay_fen: goods_fen + (goods_fen >= postage.free_from_fen ? 0 : postage.fen),
    });
    await page.goto(`${prefix}/mall/item/tote`);
    await expect(page.getByText(t.limitReached)).toBeVisible();
    const main = page.getByRole("main");
    await expect(main.getByText(t.soldOut)).toHaveCount(0);
    await expect(main.getByText(t.limit.replace("{n}", "0"))).toHaveCount(0);
    await main.getByRole("link", { name: t.toOrders }).filter({ visible: true }).first().click();
    await expect(page).toHaveURL(`${prefix}/user/order/list`);
    await expect(page.getByText(info.title).first()).toBeVisible();
  });
});
