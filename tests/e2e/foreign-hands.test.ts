import { seat } from "#i18n/activity.ts";
import { addressBook, address as addressTexts } from "#i18n/address.ts";
import { campaign } from "#i18n/campaign.ts";
import { fill } from "#i18n/catalogue.ts";
import { goods } from "#i18n/goods.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { memberPage } from "#i18n/member.ts";
import { checkout, checkoutAndPay, order } from "#i18n/order.ts";
import { orderList } from "#i18n/order-list.ts";
import { package as passTexts } from "#i18n/package.ts";
import { payCode } from "#i18n/payment.ts";
import { search } from "#i18n/search.ts";
import { session } from "#i18n/session.ts";
import { ui } from "#i18n/ui.ts";
import { contract } from "#src/api/contract.ts";
import { changesTexts, createVisit, kinds, type Visit } from "./support/foreign-hands.ts";
import {
  callServer,
  createMobile,
  homeAddress,
  logIn,
  orderPackage,
  orderTote,
  preRegistration,
  waitForCode,
} from "./support/member.ts";
import { expect, inBothLanguages, prefixPath, test } from "./support/page.ts";

const nextYear = String(new Date().getFullYear() + 1);

/** What a visitor came for, by island, on pages that are built with fields. */
const tasks: Record<string, (visit: Visit, prefix: Prefix) => Promise<void>> = {
  async "an item is chosen and bought, at its present price"({ page, open, during }, prefix) {
    const t = goods[getLocale(prefix)];
    const signed = page.locator(".choices label").filter({ hasText: /签名版|Signed/ });
    const early = async () => {
      await page.getByRole("button", { name: t.more }).click();
      await signed.click();
    };
    await during(
      contract.goodsInfo,
      async () => {
        await open(`${prefix}/mall/item/vinyl`, early);
        await expect(page.locator("main .price")).toContainText("368");
      },
      ({ info }) => {
        for (const sku of info.skus) sku.pay_fen += 100;
      },
    );
    await expect(page.locator("main .price")).toContainText("369");
    await expect(page.locator(".buybar .numeral")).toContainText("738");
    await expect(signed.getByRole("radio")).toBeChecked();
    await page.getByRole("button", { name: t.less }).click();
    await expect(page.locator(".buybar .numeral")).toContainText("369");
    await page.getByRole("button", { name: t.buy }).filter({ visible: true }).click();
    await expect(page).toHaveURL(/redirect=.*vinyl%3Fsku%3D[\w-]+%26quantity%3D1/);
  },

  async "a pass is chosen, thought over and ordered"({ page, open, during }, prefix) {
    const t = passTexts[getLocale(prefix)];
    await logIn(page);
    const third = page.locator("label:has([name=redirect])").nth(2);
    await open(`${prefix}/mall/vip/listener`, () => third.click());
    await expect(third.getByRole("radio")).toBeChecked();
    const price = (await third.locator(".numeral").innerText()).match(/¥[\d,.]+/)?.[0] ?? "no price";
    const buy = page.locator(".vip-page button[type=submit]").filter({ visible: true }).first();
    const dialog = page.getByRole("dialog");
    for (const answer of [t.stay, t.order]) {
      await buy.click();
      await expect(dialog).toContainText(price);
      const press = () => dialog.getByRole("button", { name: answer }).click();
      await (answer === t.order ? during(contract.packageCreateOrder, press) : press());
    }
    await expect(page).toHaveURL(/\/user\/order\/V/);
    await expect(page.getByRole("timer")).toBeVisible();
    await expect(page.locator(".torn-edge")).toContainText(price);
  },

  async "a member logs in"({ page, open, during }, prefix) {
    const t = session[getLocale(prefix)];
    const mobile = createMobile();
    const name = page.getByLabel(t.username);
    const send = page.getByRole("button", { name: t.send });
    await open(`${prefix}/user/login?redirect=%2Fuser%2Finfo`, async () => {
      await page.getByRole("checkbox").click();
      await name.pressSequentially("139");
    });
    await expect(name).toHaveValue("139");
    await expect(name).toBeFocused();
    await expect(page.getByRole("checkbox")).toBeChecked();
    await name.fill("");
    await send.click();
    await expect(page.getByText(t.needUsername)).toBeVisible();
    await name.fill(mobile);
    await during(contract.sendCode, () => send.click());
    await page.getByLabel(t.code).fill(await waitForCode(mobile));
    await expect(page).toHaveURL(`${prefix}/user/info`);
    await expect(page.getByText(mobile.slice(-4)).first()).toBeVisible();
  },

  async "a notification is read and closed"({ page, open }, prefix) {
    const t = ui[getLocale(prefix)];
    await open(`${prefix}/user/ui`);
    await page.getByRole("main").getByRole("button", { name: t.tryBody }).click();
    const toast = page.getByRole("listitem").filter({ hasText: t.toastCalendarBody });
    await expect(toast).toContainText(t.toastCalendar);
    await toast.getByRole("button").last().click();
    await expect(toast).toHaveCount(0);
  },
};

/** The same on pages that have no fields before their data have loaded: what changes fields alone finds nothing there that React has not drawn. */
const textTasks: typeof tasks = {
  async "an order is placed"({ page, open, during }, prefix) {
    const t = checkout[getLocale(prefix)];
    await logIn(page);
    await callServer(page, contract.addressAdd, homeAddress);
    await open(`${prefix}/mall/order/confirm/tote?sku=tote&quantity=2`);
    await page.getByLabel(t.noteLabel).fill("三楼");
    const submit = page.getByRole("button", { name: t.submit }).filter({ visible: true });
    await during(contract.mallCreateOrder, () => submit.click());
    await expect(page).toHaveURL(/\/mall\/order\/M/);
    await expect(page.getByText("三楼")).toBeVisible();
  },

  async "an order is placed with a new address and paid for on one page"({ page, open, during }, prefix) {
    const locale = getLocale(prefix);
    const t = { ...addressTexts[locale], ...addressBook[locale] };
    await logIn(page);
    await open(`${prefix}/mall/order_bak/tote?sku=tote&quantity=1`);
    await page.locator("fieldset button").first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t.paste).fill("小满 13800138000 上海市徐汇区龙腾大道 1 号");
    await expect(dialog.getByText(t.pasted)).toBeVisible();
    await during(contract.addressAdd, () => dialog.getByRole("button", { name: t.save }).click());
    await expect(page.getByRole("radio", { name: /小满/ })).toBeChecked();
    await page.getByRole("button", { name: checkoutAndPay[locale].submit }).filter({ visible: true }).click();
    await expect(page.getByRole("img", { name: payCode[locale].label })).toBeVisible();
  },

  async "an order counts down, and is cancelled"({ page, open, during }, prefix) {
    const t = order[getLocale(prefix)];
    await logIn(page);
    await open(`${prefix}/mall/order/${await orderTote(page)}`);
    const timer = page.getByRole("timer");
    const time = await timer.innerText();
    await expect(timer).not.toHaveText(time);
    await page.getByRole("button", { name: t.checkNow }).click();
    await expect(page.getByRole("status").filter({ hasText: t.notYet })).toBeVisible();
    await page.locator("summary", { hasText: t.cancel }).click();
    const cancel = page.getByRole("main").getByRole("button", { name: t.cancel });
    await during(contract.orderCancel, () => cancel.click());
    await expect(page.getByRole("heading", { level: 1, name: t.cancelledTitle.replace("\n", " ") })).toBeVisible();
    await expect(timer).toHaveCount(0);
  },

  async "the order of a pass is paid"({ page, open, during }, prefix) {
    const t = order[getLocale(prefix)];
    await logIn(page);
    const order_sn = await orderPackage(page);
    const { link } = await callServer(page, contract.packagePayCode, { order_sn });
    await open(`${prefix}/user/order/${order_sn}`);
    await during(contract.packageOrderInfo, async () => {
      await page.request.post(link ?? "", { form: { action: "pay" } });
    });
    await expect(page.getByRole("heading", { level: 1, name: t.paid })).toBeVisible();
    await expect(page.getByText(nextYear)).not.toHaveCount(0);
  },

  async "a place is booked and given back"({ page, open, during }, prefix) {
    const t = seat[getLocale(prefix)];
    await logIn(page);
    await open(`${prefix}/mall/order_event/slow`);
    await during(contract.activityBooking, () => page.getByRole("button", { name: t.book }).click());
    const ticket = page.getByRole("region", { name: t.code });
    const { list } = await callServer(page, contract.activityInfo);
    const code = list.find(({ activity_uid }) => activity_uid === "slow")?.check_in_code ?? "no code";
    for (const half of [code.slice(0, 4), code.slice(4)]) await expect(ticket).toContainText(half);
    await ticket.locator("summary").click();
    await ticket.getByRole("button", { name: t.giveBack }).click();
    await expect(page.getByRole("status").filter({ hasText: t.returned })).toBeVisible();
    await expect(ticket).toHaveCount(0);
  },

  async "a visitor signs up for a tour, and changes it"({ page, open, during }, prefix) {
    const t = campaign[getLocale(prefix)];
    await logIn(page);
    await open(`${prefix}/event/spring`);
    await page.getByRole("radio", { name: /昆明|Kunming/ }).check();
    await page.getByLabel(t.name).fill("Anna");
    await page.getByLabel(t.mobile).fill(preRegistration.mobile);
    const entry = page.locator(".booking-form > [tabindex]");
    await during(contract.makeBooking, () => page.locator(".booking-form button[type=submit]").click());
    await expect(entry).toContainText(/昆明|Kunming/);
    await page.locator(".booking-form .choices label").nth(2).click();
    await page.locator(".booking-form button[type=submit]").click();
    await expect(entry).toContainText(/3 人|party of\s3/);
  },

  async "a member joins the concert plan"({ page, open, during }, prefix) {
    await logIn(page);
    const join = page.locator(".plan button[aria-pressed]");
    await during(contract.userToken, () => open(prefixPath(prefix, "/"), () => join.click()));
    await expect(join).toHaveAttribute("aria-pressed", "true");
    await join.click();
    await expect(join).toHaveAttribute("aria-pressed", "false");
  },

  async "addresses are added, made the default, deleted and brought back"({ page, open, during }, prefix) {
    const locale = getLocale(prefix);
    const t = { ...addressTexts[locale], ...addressBook[locale] };
    await logIn(page);
    await callServer(page, contract.addressAdd, homeAddress);
    await open(`${prefix}/user/info`);
    const rows = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /删除|Delete/ }) });
    await page.getByRole("main").locator("button.more").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t.name).fill("Bert");
    await dialog.getByLabel(t.mobile).fill("13900138000");
    await dialog.getByLabel(t.province).selectOption("440000");
    await dialog.getByLabel(t.city).selectOption("441900");
    await dialog.getByLabel(t.detail, { exact: false }).fill("8 Hongfu Road");
    await during(contract.addressAdd, () => dialog.getByRole("button", { name: t.save }).click());
    await expect(rows).toHaveCount(2);
    await page.getByRole("button", { name: t.makeDefault }).click();
    await expect(rows.first()).toContainText("Bert");
    await page.getByRole("button", { name: fill(t.remove, { name: "Bert" }) }).click();
    await expect(rows).toHaveCount(1);
    await page.getByRole("button", { name: t.undo }).click();
    await expect(rows.first()).toContainText("Bert");
  },

  async "a pre-registration is changed on the member's page, and the member logs out"({ page, open, during }, prefix) {
    const t = session[getLocale(prefix)];
    await logIn(page);
    await callServer(page, contract.makeBooking, { ...preRegistration, stop: "kunming" });
    await open(`${prefix}/user/info`);
    const card = page.getByRole("main").getByRole("article");
    const people = (n: number) => fill(memberPage[getLocale(prefix)].people, { n });
    await expect(card).toContainText(people(1));
    await card.getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".choices label").nth(1).click();
    await during(contract.makeBooking, () => dialog.locator("button[type=submit]").click());
    await page.keyboard.press("Escape");
    await expect(card).toContainText(people(2));
    for (const answer of [t.stay, t.logOut]) {
      await page.getByRole("main").getByRole("button", { name: t.logOut }).first().click();
      await dialog.getByRole("button", { name: answer }).click();
    }
    await expect(page).not.toHaveURL(/\/user\/info$/);
  },

  async "an order is found among the orders"({ page, open, during }, prefix) {
    const t = orderList[getLocale(prefix)];
    await logIn(page);
    const [first, second] = [await orderTote(page), await orderTote(page)];
    await open(`${prefix}/user/order/list?q=${first.slice(0, 4)}`);
    const rows = page.getByRole("main").getByRole("article");
    await expect(rows).toHaveCount(2);
    await during(contract.mallOrderList, () => page.getByRole("searchbox", { name: t.search }).fill(second));
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(second.slice(-4));
    await expect(page.getByRole("status").filter({ hasText: fill(t.found, { n: 1 }) })).toBeAttached();
  },

  async "the site is searched"({ page, open }, prefix) {
    const field = page.getByRole("main").getByRole("searchbox", { name: search[getLocale(prefix)].title });
    const word = prefix ? "news item" : "一则";
    await open(`${prefix}/search`, () => field.pressSequentially(word.slice(0, 1)));
    await expect(field).toHaveValue(word.slice(0, 1));
    await field.pressSequentially(word.slice(1));
    await expect(page.locator("[data-results] li").first()).toBeVisible();
    // The results of what was typed before stand there until those of the whole word.
    await expect(async () => {
      const counts = await page.locator("[data-count]").allInnerTexts();
      const total = counts.reduce((sum, one) => sum + Number.parseInt(one, 10), 0);
      await expect(page.locator("[data-status]")).toContainText(String(total), { timeout: 500 });
    }).toPass();
  },

  async "the mall shows present prices, and one kind of items"({ page, open, during }, prefix) {
    const card = page.locator("#mall-list [data-goods=tote]");
    await during(
      contract.goodsLists,
      () => open(`${prefix}/mall`),
      ({ list }) => {
        for (const item of list) for (const sku of item.skus) sku.pay_fen += 100;
        for (const item of list) item.price_fen += 100;
      },
    );
    await expect(card).toContainText("¥99");
    await page.locator("#kinds [data-kind=records]").click();
    await expect(page.locator("#mall-list > [data-goods]:visible")).toHaveCount(3);
  },
};

inBothLanguages(() => {
  test.use({ allowed: [/^console warning: Error: Minified React error #4\d\d|layout shift/] });
  for (const kind of kinds)
    for (const [task, run] of Object.entries({ ...tasks, ...(changesTexts(kind) && textTasks) }))
      test(`beside ${kind}, ${task}`, async ({ page, prefix, t }) => {
        await run(await createVisit(page, kind), prefix);
        await expect(page.locator("#failure")).toBeHidden();
        await expect(page.getByText(t.state.broken)).toHaveCount(0);
      });

  test.describe("an island whose elements another has moved", () => {
    test.use({ allowed: [/NotFoundError/] });
    test("says that it broke, and works again after a retry", async ({ page, prefix, t }) => {
      await page.goto(`${prefix}/user/ui`);
      const states = page.getByRole("group", { name: t.ui.stateLead });
      await states.getByRole("button", { name: t.ui.stateFailed }).click();
      await states.evaluate((options) => {
        const island = options.closest("astro-island");
        // What React is about to remove, and all that it has drawn.
        for (const moved of [island?.querySelector(".empty"), island?.firstElementChild]) {
          if (!moved) throw new Error("nothing is drawn");
          const box = document.createElement("div");
          moved.replaceWith(box);
          box.append(moved);
        }
      });
      await states.getByRole("button", { name: t.ui.stateEmpty }).click();
      const broken = page.getByRole("main").getByRole("alert").filter({ hasText: t.state.broken });
      await expect(broken).toBeVisible();
      await expect(states).toHaveCount(0);
      await broken.getByRole("button", { name: t.state.retry }).click();
      await states.getByRole("button", { name: t.ui.stateReady }).click();
      await expect(page.getByText(t.ui.readyBody)).toBeVisible();
      await expect(states).toHaveCount(1);
    });
  });

  test.describe("a failure", () => {
    test.use({ allowed: [/^uncaught|Failed to load|ERR_|^policy/] });
    const reject = "Promise.reject(new TypeError('failed'))";
    const raise = "setTimeout(() => { throw new TypeError('failed'); })";

    test("of a script that is not the site's raises nothing", async ({ page, prefix }) => {
      await page.goto(`${prefix}/user/login`);
      for (const code of [reject, raise, "Promise.reject('Object Not Found Matching Id:1')", "Promise.reject({ code: 4001 })"])
        for (const script of [
          "chrome-extension://abcdef/content.js",
          page.url(),
          `${new URL("/cdn-cgi/beacon.js", page.url())}`,
        ])
          await page.evaluate(`void ${code}\n//# sourceURL=${script}`);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      await expect(page.locator("#failure")).toBeHidden();
    });

    for (const code of [reject, raise])
      test(`of a module of the site shows the reload button: ${code}`, async ({ page, prefix }) => {
        await page.goto(`${prefix}/user/login`);
        await page.evaluate(`void ${code}\n//# sourceURL=${new URL("/_astro/page.js", page.url())}`);
        await expect(page.locator("#failure")).toBeVisible();
      });
  });
});
