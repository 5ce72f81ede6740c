import type { Locator, Page } from "@playwright/test";
import { address, addressChoice } from "#i18n/address.ts";
import { campaign } from "#i18n/campaign.ts";
import { goods } from "#i18n/goods.ts";
import { getLocale } from "#i18n/locale.ts";
import { memberPage } from "#i18n/member.ts";
import { checkout, order } from "#i18n/order.ts";
import { orderList } from "#i18n/order-list.ts";
import { payCode, payment } from "#i18n/payment.ts";
import { contract } from "#src/api/contract.ts";
import { getRoute, matchRoute } from "#src/routes.ts";
import { inspectFocus, pressEnterOn, tabTo } from "./support/accessibility.ts";
import { callServer, changeAnswers, createMobile, logIn, orderTote, preRegistration, waitForCode } from "./support/member.ts";
import { expect, inBothLanguages, prefixPath, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

inBothLanguages(() => {
  test("a new member finds, configures, orders and pays for an item by keyboard alone", { tag: "@desktop" }, async ({
    page,
    prefix,
    t,
  }) => {
    const locale = getLocale(prefix);
    const { session } = t;
    const inReach = (role: "button" | "link", name: string) =>
      page.getByRole(role, { name, exact: true }).filter({ visible: true }).first();
    await page.goto(`${prefix}/mall`);
    await pressEnterOn(page, page.locator('#mall-list [href$="/mall/item/tee"]').first());
    await expect(page).toHaveURL(`${prefix}/mall/item/tee`);

    await tabTo(page, page.getByRole("radio", { name: "S", exact: true }));
    // The arrow key skips the size that is sold out.
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("radio", { name: "L", exact: true })).toBeChecked();
    await tabTo(page, page.getByRole("spinbutton", { name: goods[locale].quantity }));
    await page.keyboard.press("ArrowUp");
    await expect(page).toHaveURL(`${prefix}/mall/item/tee?sku=tee-l&quantity=2`);
    await pressEnterOn(page, inReach("button", goods[locale].buy));

    const mobile = createMobile();
    await tabTo(page, page.getByLabel(session.username));
    await page.keyboard.type(mobile);
    await page.keyboard.press("Enter");
    const consent = page.getByRole("checkbox");
    await expect(consent).toBeFocused();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await expect(page.getByLabel(session.code, { exact: true })).toBeFocused();
    await page.keyboard.type(await waitForCode(mobile));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${prefix}/mall/order/confirm/tee?sku=tee-l&quantity=2`);

    const { newTitle, paste, pasted, save } = address[locale];
    const { addNew } = addressChoice[locale];
    const add = page.getByRole("button", { name: addNew, exact: true });
    // Without an address, each press of the button leads to it.
    for (let press = 0; press < 2; press++) {
      await pressEnterOn(page, inReach("button", checkout[locale].submit));
      await expect(add).toBeFocused();
    }
    await pressEnterOn(page, add);
    const dialog = page.getByRole("dialog", { name: newTitle });
    await expect(dialog.getByLabel(paste)).toBeFocused();
    await page.keyboard.insertText("小满 13800138000 上海市徐汇区龙腾大道 1 号");
    await expect(dialog.getByText(pasted)).toBeVisible();
    await pressEnterOn(page, dialog.getByRole("button", { name: save }));
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: addNew, exact: true })).toBeFocused();
    await tabTo(page, page.getByLabel(checkout[locale].noteLabel));
    await page.keyboard.type("L");
    await pressEnterOn(page, inReach("button", checkout[locale].submit));

    await expect(page).toHaveURL(new RegExp(`${prefix}/mall/order/M\\w{20}$`));
    const open = page.getByRole("link", { name: payCode[locale].openSandbox });
    await tabTo(page, open);
    const [cashier] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    await pressEnterOn(cashier, cashier.getByRole("button", { name: payment[locale].pay, exact: true }));
    await expect(cashier.getByRole("status")).toHaveText(payment[locale].paid);
    const heading = page.getByRole("heading", { level: 1, name: order[locale].paid });
    await expect(heading).toBeVisible();
    // The pressed link is gone with the pending state, so the focus moves to the new heading.
    await expect(heading).toBeFocused();
    await pressEnterOn(page, page.getByRole("link", { name: order[locale].orders }));
    await expect(page.getByText(orderList[locale].paid, { exact: true })).toBeVisible();
  });
});

// A window of 1440 x 900 at 200 % zoom.
inBothLanguages(
  () => {
    test.use({ viewport: { width: 720, height: 450 } });

    test("at 200 % zoom the header and tab bar leave three quarters of the screen, and the plan can be joined without scrolling", async ({
      page,
      prefix,
      t,
    }) => {
      await page.goto(prefix || "/");
      const join = page.getByRole("button", { name: t.concert.join });
      await expect(join).toBeInViewport({ ratio: 1 });
      await join.click({ trial: true });
      const height = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0;
      expect((await height(".top")) + (await height(".tabbar"))).toBeLessThan(450 / 4);
    });

    for (const [path, bar] of [
      ["/event/echo", ".way"],
      ["/mall/item/tote", ".buybar"],
    ] as const) {
      test(`at 200 % zoom the header and bottom bar of ${path} leave three quarters of the screen`, async ({
        page,
        prefix,
      }) => {
        await page.goto(prefix + path);
        const height = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0;
        expect((await height(".top")) + (await height(bar))).toBeLessThan(450 / 4);
      });
    }
  },
  { tag: "@desktop" },
);

/** Presses Tab through the page or dialog; expects each focused control and its ring above the bar, or in it. */
async function expectFocusAbove(page: Page, bar: Locator, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press("Tab");
    const hidden = await bar.evaluate((element) => {
      const focused = document.activeElement;
      if (!focused || focused === document.body || focused.contains(element) || element.contains(focused)) return "";
      const overlap = focused.getBoundingClientRect().bottom + 5 - element.getBoundingClientRect().top;
      return overlap > 0 ? `${focused.outerHTML.slice(0, 80)} by ${overlap} px` : "";
    });
    expect(hidden).toBe("");
  }
}

inBothLanguages(
  () => {
    test.use({ viewport: { width: 375, height: 667 } });

    for (const path of ["/event/entrance", "/event/midnight"]) {
      test(`the booking bar of ${path} stays in view and covers nothing that has the focus`, async ({ page, prefix }) => {
        await page.goto(prefix + path);
        const bar = page.locator(".reach");
        await expectFocusAbove(page, bar, 30);
        await expect(bar).toBeInViewport({ ratio: 1 });
      });
    }

    test("the address dialog keeps its save button in view, below the field that has the focus", async ({ page, prefix }) => {
      const locale = getLocale(prefix);
      await logIn(page);
      await page.goto(`${prefix}/mall/order/confirm/tote?sku=tote&quantity=1`);
      await page.getByRole("button", { name: addressChoice[locale].addNew, exact: true }).click();
      const save = page.getByRole("dialog").getByRole("button", { name: address[locale].save });
      await expect(save).toBeInViewport({ ratio: 1 });
      await expectFocusAbove(page, save.locator(".."), 9);
      await expect(save).toBeInViewport({ ratio: 1 });
    });

    test("the dialog of a pre-registration keeps its button in view, below the field that has the focus", async ({
      page,
      prefix,
    }) => {
      const locale = getLocale(prefix);
      await logIn(page);
      await callServer(page, contract.makeBooking, { ...preRegistration, stop: "wuhan" });
      await page.goto(`${prefix}/user/info`);
      await page.getByRole("button", { name: memberPage[locale].change, exact: true }).click();
      const change = page.getByRole("dialog").getByRole("button", { name: campaign[locale].change });
      await expect(change).toBeInViewport({ ratio: 1 });
      await expectFocusAbove(page, change.locator(".."), 5);
      await expect(change).toBeInViewport({ ratio: 1 });
    });
  },
  { tag: "@phone" },
);

inBothLanguages(() => {
  // Resizing the viewport shifts the layout.
  test.use({ allowed: [/layout shift/] });

  for (const path of [
    "/",
    "/event/entrance",
    "/user/login",
    "/user/ui",
    "/mall/item/vinyl",
    "/mall/vip/regular",
    "/mall/order/confirm/tote?sku=tote&quantity=1",
    "/user/info",
  ]) {
    test(`Tab passes through ${path} with a visible, unobstructed focus and no keyboard trap`, {
      tag: "@desktop",
    }, async ({ page, prefix }) => {
      // Chinese runs at phone width, English at desktop width.
      await page.setViewportSize(prefix ? { width: 1440, height: 900 } : { width: 375, height: 812 });
      const { session } = getRoute(matchRoute(path.replace(/\?.*/, ""))?.name ?? "home");
      if (session) await logIn(page);
      await page.goto(prefixPath(prefix, path));
      // Includes the content that islands render for a member.
      if (session) await waitForIdle(page);
      const problems: string[] = [];
      const stops: string[] = [];
      for (let step = 0; step < 250; step += 1) {
        await page.keyboard.press("Tab");
        const { at: stop, problem } = await page.evaluate(inspectFocus);
        if (!stop) break;
        if (problem) problems.push(problem);
        stops.push(stop);
      }
      expect(problems).toEqual([]);
      expect(stops.length).toBeGreaterThan(5);
      expect(stops.length).toBeLessThan(250);
    });
  }
});

test("a word that is being composed is no search among the orders before it is chosen", { tag: "@desktop" }, async ({
  page,
}) => {
  const t = orderList["zh-CN"];
  await logIn(page);
  await orderTote(page);
  // A list that is long enough for a search.
  await changeAnswers(page, contract.mallOrderList, (data) => ({ ...data, total: 20 }));
  await page.clock.install();
  await page.goto("/user/order/list");
  await page.getByRole("searchbox", { name: t.search }).focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "fan'bu", selectionStart: 6, selectionEnd: 6 });
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL("/user/order/list");
  await session.send("Input.insertText", { text: "帆布" });
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL(`/user/order/list?${new URLSearchParams({ q: "帆布" })}`);
  await expect(page.getByText(t.found.replace("{n}", "20"))).toBeAttached();
});
