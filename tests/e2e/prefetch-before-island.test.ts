import { getLocale } from "../../i18n/locale.ts";
import { checkout } from "../../i18n/order.ts";
import { payCode } from "../../i18n/payment.ts";
import { withhold } from "./support/before-hydration.ts";
import { logIn } from "./support/member.ts";
import { orderPackage, orderTote } from "./support/ordering.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const wanted = "tote?sku=tote&quantity=1";
const pages = {
  "the page of an order": {
    pathOf: async (page) => `/mall/order/${await orderTote(page)}`,
    calls: ["/v1/mall/genMiniProgramCodeBySn", "/v1/mall/orderInfo"],
  },
  "the page of an order of a pass": {
    pathOf: async (page) => `/user/order/${await orderPackage(page)}`,
    calls: ["/v1/memberPackage/genMiniProgramCodeBySn", "/v1/order/info"],
  },
  "the page that confirms an order": {
    pathOf: async () => `/mall/order/confirm/${wanted}`,
    calls: ["/v1/address/lists", "/v1/goods/info"],
  },
} satisfies Record<string, { pathOf: (page: Parameters<typeof orderTote>[0]) => Promise<string>; calls: string[] }>;

inBothLanguages(() => {
  for (const [name, { pathOf, calls }] of Object.entries(pages)) {
    test(`${name} sends its calls side by side before its scripts are there, and each once`, async ({ page, prefix }) => {
      await logIn(page, prefix);
      const path = await pathOf(page);
      await page.goto("about:blank");
      const sent: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (calls.includes(pathname)) sent.push(pathname);
      });
      const release = await withhold(page);
      await page.goto(prefix + path, { waitUntil: "commit" });
      await expect.poll(() => sent.toSorted()).toEqual(calls);
      await release();
      await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
      await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
      expect(sent.toSorted()).toEqual(calls);
    });
  }

  test("an order that is placed and paid on one page asks for its pay code beside its details", async ({ page, prefix }) => {
    const t = checkout[getLocale(prefix)];
    await logIn(page, prefix);
    await orderTote(page);
    await page.goto(`${prefix}/mall/order_bak/${wanted}`);
    let release = () => {};
    const asked = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/v1/mall/orderInfo", async (route) => {
      await asked;
      await route.continue();
    });
    const code = page.waitForRequest("**/v1/mall/genMiniProgramCodeBySn");
    await page.getByRole("button", { name: t.submitAndPay, exact: true }).filter({ visible: true }).click();
    await code;
    release();
    await expect(page.getByRole("img", { name: payCode[getLocale(prefix)].label })).toBeVisible();
  });
});
