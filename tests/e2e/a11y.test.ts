import type { Page } from "@playwright/test";
import { addressBook } from "#i18n/address.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { memberPage } from "#i18n/member.ts";
import { order } from "#i18n/order.ts";
import { orderList } from "#i18n/order-list.ts";
import { payCode, payment } from "#i18n/payment.ts";
import { contract } from "#src/api/contract.ts";
import { checkAllWidths } from "./support/accessibility.ts";
import { callServer, homeAddress, logIn, orderTote, preRegistration } from "./support/member.ts";
import { expect, inBothLanguages, prefixPath, samplePaths, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

// `npm test` looks at this page and at checkout, `npm run test:full` at all. The tests set widths themselves.
const sample = "/mall/item/vinyl";
const full = { tag: ["@desktop", "@full"] };
// A label has what the demo does not: photographs, shows without a picture, a cancelled one, one that moved and is full.
const labelFolders = {
  event: ["lantern", "fog", "paper", "tide", "river-tour", "spring-tour", "spring"],
  mall: ["item/first-pressing", "item/work-shirt", "vip/balcony", "vip/stalls"],
  news: ["rehearsal", "tea", "on-the-road"],
};
const labelPaths = Object.entries(labelFolders).flatMap(([folder, ids]) => [
  `/${folder}`,
  ...ids.map((id) => `/${folder}/${id}`),
]);
const sites = [
  { site: "the demo", origin: process.env.TEST_ORIGIN, paths: samplePaths },
  { site: "a label", origin: process.env.TEST_LABEL_ORIGIN, paths: ["/", ...labelPaths, "/search?q=", "/about/terms"] },
];

inBothLanguages(() => {
  // Resizing the viewport shifts the layout, and a missing page responds with 404.
  test.use({ allowed: [/layout shift|status of (404|500)/] });

  for (const { site, origin, paths } of sites)
    test.describe(`of ${site}`, () => {
      test.skip(!origin, "npm run test:full builds the label");
      test.use({ baseURL: origin ?? "" });
      for (const path of paths)
        test(
          `${path} has no accessibility or layout problems at any width`,
          path === sample ? { tag: "@desktop" } : full,
          async ({ page, prefix }) => {
            const record = prefix ? "LP" : "黑胶";
            await page.goto(prefixPath(prefix, path.replace(/=$/, `=${record}`)));
            await waitForIdle(page);
            expect(await checkAllWidths(page)).toEqual({});
          },
        );
    });

  test("the door of the 404 page opens under a pointer, but not with reduced motion", { tag: ["@desktop", "@full"] }, async ({
    page,
  }) => {
    await page.goto("/no/such/page");
    const leaf = page.locator("main p g").last();
    for (const reducedMotion of ["reduce", "no-preference"] as const) {
      await page.emulateMedia({ reducedMotion });
      await leaf.hover();
      const transform = () => leaf.evaluate((door) => getComputedStyle(door).transform);
      if (reducedMotion === "reduce") expect(await transform()).toBe("none");
      else await expect.poll(transform).not.toBe("none");
    }
  });

  test("the API documentation page has no accessibility or layout problems at any width", full, async ({ page, prefix }) => {
    await page.goto(`/docs?lang=${getLocale(prefix)}`);
    for (const call of ["sendCode", "mallOrderInfo"]) await page.locator(`#${call} > summary`).click();
    expect(await checkAllWidths(page)).toEqual({});
  });
});

test.describe("texts in the other language", () => {
  /** A news item of the demo that exists only in Chinese. */
  const id = "stage-words";

  /** The card of the news item in a list on an English page. */
  const card = (page: Page) => page.getByRole("article").filter({ has: page.locator(`a[href$="/news/${id}"]`) });

  test.use({ locale: "en-US" });

  test("a news card in the other language has a lang attribute and a visible language label", { tag: "@full" }, async ({
    page,
  }) => {
    for (const path of ["/en-US/news", "/en-US/news/page/2"]) {
      await page.goto(path);
      if ((await card(page).count()) > 0) break;
    }
    await expect(card(page).locator("xpath=ancestor-or-self::*[@lang][1]")).toHaveAttribute("lang", "zh-CN");
    await expect(card(page).getByText("中文", { exact: true })).toBeVisible();
    // The category is in the language of the page.
    await expect(card(page).locator("p").first()).toHaveAttribute("lang", "en-US");
    await expect(page.locator("main :is(li, article)").filter({ hasText: "中文" }).first()).toBeVisible();
  });
});

const createAddress = (prefix: Prefix) => ({
  ...homeAddress,
  name: "Anna",
  region_code: "440305",
  detail: prefix ? "8 Keji South Road, floor 12, at the very end" : "科技园南路 8 号二栋 1201 室，电梯上来右手边最里面那扇门",
});

const expectAccessible = async (page: Page, label: string) =>
  expect({ [label]: await checkAllWidths(page) }).toEqual({ [label]: {} });

inBothLanguages(() => {
  // Resizing the viewport shifts the layout.
  test.use({ allowed: [/layout shift/] });

  for (const kind of ["order/confirm", "order_bak"])
    test(`${kind} has no accessibility or layout problems at any width`, full, async ({ page, prefix }) => {
      await logIn(page);
      await callServer(page, contract.addressAdd, createAddress(prefix));
      await page.goto(`${prefix}/mall/${kind}/tote?sku=tote&quantity=1`);
      await expect(page.getByRole("radio", { name: /Anna/ })).toBeChecked();
      await expectAccessible(page, kind);
    });

  for (const action of ["pay", "expire"] as const) {
    test(`the order page and the cashier have no accessibility or layout problems at any width after "${action}"`, {
      tag: ["@desktop", "@full"],
    }, async ({ page, prefix }) => {
      // Four pages, each walked by axe at two widths.
      test.setTimeout(300_000);
      const locale = getLocale(prefix);
      const t = order[locale];
      await logIn(page);
      await page.goto(`${prefix}/mall/order/${await orderTote(page, 1, createAddress(prefix))}`);
      await expect(page.getByRole("img", { name: payCode[locale].label })).toBeVisible();
      await expectAccessible(page, "pending");
      const href = await page.getByRole("link", { name: payCode[locale].openSandbox }).getAttribute("href");
      const cashier = await page.context().newPage();
      await cashier.goto(href ?? "");
      await expectAccessible(cashier, "cashier");
      // A tab that closes before the response arrives may never send the request.
      const posted = cashier.waitForResponse((response) => response.request().method() === "POST");
      await cashier.getByRole("button", { name: payment[locale][action], exact: true }).click();
      await posted;
      await cashier.close();
      const title = page.getByRole("heading", { level: 1, name: action === "pay" ? t.paid : t.expiredTitle });
      // After a minute the page polls only every five seconds.
      await expect(title).toBeVisible({ timeout: 20_000 });
      await expectAccessible(page, action);
      await page.goto(`${prefix}/user/order/list`);
      await expect(page.getByRole("article").getByText(orderList[locale][action === "pay" ? "paid" : "expired"])).toBeVisible();
      await expectAccessible(page, "list");
    });
  }

  test("member pages and their open dialogs have no accessibility or layout problems at any width", {
    tag: ["@desktop", "@full"],
  }, async ({ page, prefix, t }) => {
    const own = memberPage[getLocale(prefix)];
    const book = addressBook[getLocale(prefix)];
    await logIn(page);
    for (const path of ["/user/info", "/user/order/list"]) {
      await page.goto(prefix + path);
      await waitForIdle(page);
      await expectAccessible(page, `${path}, empty`);
    }
    await callServer(page, contract.addressAdd, createAddress(prefix));
    await callServer(page, contract.makeBooking, { ...preRegistration, stop: "kunming" });
    await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
    for (const [path, selector] of [
      ["/mall/item/tee", "[name=quantity]"],
      ["/mall/vip/regular", ".exp time"],
      ["/mall/order_event/entrance", "main img"],
      ["/event/spring", ".booking-form"],
    ] as const) {
      await page.goto(prefix + path);
      await expect(page.locator(selector).first()).toBeVisible();
      for (const summary of await page.locator("main summary").all()) await summary.click();
      await expectAccessible(page, path);
    }
    await page.goto(`${prefix}/user/info`);
    await expect(page.getByText("138 0013 8000")).toBeVisible();
    await expectAccessible(page, "/user/info");
    for (const name of [book.add, own.change, t.session.logOut]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page, name);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
  });
});

/** Returns the controls of a page that have no edge in forced colours, and chosen ones that look like the others. */
const findEdgeless = (page: Page) =>
  page.evaluate(() => {
    const find = (selector: string, width: number) =>
      [...document.querySelectorAll(selector)].filter(
        (one) => one.checkVisibility() && Number.parseFloat(getComputedStyle(one).borderTopWidth) < width,
      );
    const all = [...find(".button, .field-box, [type=checkbox]", 1), ...find("label:has(> [type=radio]:checked)", 3)];
    return all.map(({ outerHTML }) => outerHTML.slice(0, 120));
  });

test("forced colours keep edges, what is chosen and a ticket's code", full, async ({ page }) => {
  await logIn(page);
  await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
  const [tote, order] = ["tote?sku=tote&quantity=1", await orderTote(page)];
  const forms = ["order_event/entrance", `order/confirm/${tote}`, `order_bak/${tote}`, `order/${order}`, "vip/regular"];
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  for (const path of ["/search?q=a", "/user/info", ...forms.map((form) => `/mall/${form}`)]) {
    await page.goto(path);
    await waitForIdle(page);
    expect({ path, faults: await findEdgeless(page) }).toEqual({ path, faults: [] });
    if (!path.includes("order_event")) continue;
    const code = page.getByRole("main").locator("svg[role=img][shape-rendering]");
    expect(await code.evaluate((svg) => getComputedStyle(svg).backgroundColor)).toBe("rgb(255, 255, 255)");
  }
});
