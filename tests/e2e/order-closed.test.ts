import { getLocale } from "../../i18n/locale.ts";
import { order } from "../../i18n/order.ts";
import { logIn } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test("the page of a closed order uses the accent colour only for the reorder link", async ({ page, prefix }) => {
    const t = order[getLocale(prefix)];
    await logIn(page);
    const order_sn = await orderTote(page);
    // The response half an hour later.
    await page.route("**/v1/mall/orderInfo", async (route) => {
      const response = await route.fetch();
      const envelope = await response.json();
      const at = envelope.data.info.pay_expire_at;
      const timeline = [...envelope.data.info.timeline, { status: "closed", at }];
      const closed = {
        status: "closed",
        close_reason: "expired",
        closed_at: at,
        timeline,
        actions: { pay: false, rebuy: true },
      };
      envelope.data.info = { ...envelope.data.info, ...closed };
      await route.fulfill({ response: response, json: envelope });
    });
    await page.goto(`${prefix}/mall/order/${order_sn}`);
    const steps = page.getByRole("list", { name: t.progress }).getByRole("listitem");
    await expect(steps).toHaveText([new RegExp(t.stepPending), new RegExp(t.stepClosed)]);
    const getColours = async (side: string) =>
      page.evaluate((side) => {
        const elements = document.querySelectorAll(side === "Top" ? ".steps li" : ".addr");
        return [...elements].map((one) => getComputedStyle(one)[side === "Top" ? "borderTopColor" : "borderLeftColor"]);
      }, side);
    const accent = await page.getByRole("link", { name: t.rebuy }).evaluate((link) => getComputedStyle(link).backgroundColor);
    expect([...(await getColours("Top")), ...(await getColours("Left"))]).toHaveLength(3);
    expect([...(await getColours("Top")), ...(await getColours("Left"))]).not.toContain(accent);
  });
});
