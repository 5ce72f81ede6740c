import type { Page } from "@playwright/test";
import type { Prefix } from "../../i18n/locale.ts";
import { demoOrders } from "../../scripts/demo-orders.ts";
import { ask } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { bytesOf, loadUntilIdle } from "./support/weight.ts";

const kib = 1024;
/** What HTML with its styles, and all scripts, may weigh. */
// Of the scripts, some are for what a visitor does before they are there.
const mall = { document: 14 * kib, script: 78 * kib };
const member = { document: 12 * kib, script: 95 * kib };
// A checkout and the order's page in one.
const checkoutAndPay = { ...member, document: 13 * kib };

/** Loads a page in a tab of its own, as its cache and what it holds are no other page's. */
async function expectWithin(page: Page, path: string, promised: typeof mall): Promise<void> {
  const tab = await page.context().newPage();
  const all = (await loadUntilIdle(tab, path)).loaded();
  const react = all.filter((one) => one.type === "Script" && one.path.includes("/react."));
  expect.soft(bytesOf(all, "Document"), `HTML and styles of ${path}`).toBeLessThanOrEqual(promised.document);
  expect.soft(bytesOf(all, "Stylesheet"), `styles beside ${path}`).toBe(0);
  expect.soft(bytesOf(all, "Script"), `scripts of ${path}`).toBeLessThanOrEqual(promised.script);
  expect.soft(react.length, `React of ${path}`).toBe(1);
  expect.soft(bytesOf(react, "Script"), `React of ${path}`).toBeLessThan(58 * kib);
  await tab.close();
}

/** What the first paint of a page has to wait for. */
const blocking = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry) => "renderBlockingStatus" in entry && entry.renderBlockingStatus === "blocking")
      .map(({ name }) => name),
  );

async function ordersOf(page: Page): Promise<string[]> {
  const demo = { stored: { TOKEN: "", USER_INFO: "" }, call: (path: string, body?: object) => ask(page, path, body) };
  const orders = await demoOrders(demo, new URL(page.url()).origin);
  const [paid, bought] = [await orders.paid("mall"), await orders.paid("package")];
  return [`/mall/order/${await orders.pending("mall")}`, `/mall/order/${paid}`, `/user/order/${bought}`];
}

const wanted = "tote?sku=tote&quantity=1";
const mallPages = ["/mall/item/vinyl", "/mall/item/no-such", "/mall/vip/regular"];
const memberPages = [
  ...[`/mall/order/confirm/${wanted}`, `/mall/order_bak/${wanted}`, "/mall/order_event/entrance"],
  ...["/user/info", "/user/order/list"],
];

test.describe("a page of the mall or of a member", { tag: "@phone" }, () => {
  inBothLanguages(() => {
    const at = (prefix: Prefix, paths: string[]) => paths.map((path) => prefix + path);

    for (const path of ["/mall", "/mall/item/vinyl", "/mall/vip/regular"]) {
      test(`${path} is light for a visitor: React waits for an intent, and nothing holds up the first paint`, async ({
        page,
        prefix,
      }) => {
        const all = (await loadUntilIdle(page, prefix + path)).loaded();
        expect(bytesOf(all, "Document")).toBeLessThanOrEqual(mall.document);
        expect(all.filter((one) => one.path.includes("/react."))).toEqual([]);
        expect(bytesOf(all, "Script")).toBeLessThanOrEqual(mall.script - 57 * kib);
        expect(await blocking(page)).toEqual([]);
      });
    }

    test("weighs no more than promised", async ({ page, prefix }) => {
      for (const path of at(prefix, ["/user/login"]))
        await expectWithin(page, path, path.includes("/order_bak/") ? checkoutAndPay : member);
      await logIn(page, prefix);
      for (const path of at(prefix, mallPages)) await expectWithin(page, path, mall);
      for (const path of at(prefix, [...memberPages, ...(await ordersOf(page))]))
        await expectWithin(page, path, path.includes("/order_bak/") ? checkoutAndPay : member);
    });
  });
});
