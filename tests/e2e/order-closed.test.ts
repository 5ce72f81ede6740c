import { getLocale } from "../../i18n/locale.ts";
import { order } from "../../i18n/order.ts";
import { logIn } from "./support/member.ts";
import { orderTote } from "./support/ordering.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test("nothing but the way on is green on the page of a closed order", async ({ page, prefix }) => {
    const t = order[getLocale(prefix)];
    await logIn(page, prefix);
    const order_sn = await orderTote(page);
    // Half an hour later.
    await page.route("**/v1/mall/orderInfo", async (route) => {
      const answer = await route.fetch();
      const envelope = await answer.json();
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
      await route.fulfill({ response: answer, json: envelope });
    });
    await page.goto(`${prefix}/mall/order/${order_sn}`);
    const steps = page.getByRole("list", { name: t.progress }).getByRole("listitem");
    await expect(steps).toHaveText([new RegExp(t.stepPending), new RegExp(t.stepClosed)]);
    const colour = async (side: string) =>
      page.evaluate((side) => {
        const drawn = document.querySelectorAll(side === "Top" ? ".steps li" : ".addr");
        return [...drawn].map((one) => getComputedStyle(one)[side === "Top" ? "borderTopColor" : "borderLeftColor"]);
      }, side);
    const accent = await page.getByRole("link", { name: t.rebuy }).evaluate((link) => getComputedStyle(link).backgroundColor);
    expect([...(await colour("Top")), ...(await colour("Left"))]).toHaveLength(3);
    expect([...(await colour("Top")), ...(await colour("Left"))]).not.toContain(accent);
  });
});
