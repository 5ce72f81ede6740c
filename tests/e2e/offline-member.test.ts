import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { seat } from "../../i18n/activity.ts";
import { fill } from "../../i18n/catalogue.ts";
import { getLocale } from "../../i18n/locale.ts";
import { memberPage } from "../../i18n/member.ts";
import { order } from "../../i18n/order.ts";
import { orderList } from "../../i18n/order-list.ts";
import { payCode } from "../../i18n/payment.ts";
import { snapshot } from "../../i18n/state.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer, createSession, logIn, orderTote, readSnapshots } from "./support/member.ts";
import { expect, inBothLanguages, test, waitUntilStored } from "./support/page.ts";
import { watch } from "./support/watch.ts";

// What a member has seen of tickets and orders is readable again without a connection, and by nobody else.

test.use({
  serviceWorkers: "allow",
  allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|Failed to fetch/],
  baseURL: async ({ line }, use) => use(line.origin),
});

/** Logs a member in who has a ticket and an unpaid order, opens the profile and the list of orders, and waits until both are stored. */
async function visit(page: Page, prefix = "") {
  await logIn(page);
  const { activity } = await callServer(page, contract.activityBooking, { activity_uid: "slow" });
  const code = activity.check_in_code ?? "no code";
  const order_sn = await orderTote(page);
  await page.goto(`${prefix}/user/info`);
  await expect(page.getByText(code.slice(0, 4)).first()).toBeVisible();
  await expect.poll(() => readSnapshots(page)).toContain(code);
  await page.goto(`${prefix}/user/order/list`);
  await expect(page.getByRole("main").locator(`a[href$="${order_sn}"]`).first()).toBeVisible();
  const pages = ["/user/info", "/user/order/list", "/mall/order_event/_", "/mall/order/_", "/user/order/_", "/offline"];
  await waitUntilStored(page, ...pages.map((path) => prefix + path));
  for (const text of [code, order_sn]) await expect.poll(() => readSnapshots(page)).toContain(text);
  return { code, order_sn };
}

inBothLanguages(() => {
  test("a phone that was on the site yesterday shows articles, tickets and orders in flight mode", { tag: "@phone" }, async ({
    prefix,
    baseURL,
    line,
    launchOptions,
    contextOptions,
    viewport,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "entrance-phone-"));
    const launch = (): Promise<BrowserContext> =>
      chromium.launchPersistentContext(folder, {
        ...launchOptions,
        ...contextOptions,
        baseURL,
        viewport,
        locale: getLocale(prefix),
      });
    const yesterday = await launch();
    let page = await yesterday.newPage();
    await page.goto(`${prefix}/news/sample-1`);
    const title = await page.locator("h1").innerText();
    await waitUntilStored(page, `${prefix}/news/sample-1`, `${prefix}/event`, `${prefix}/news`);
    const { code, order_sn } = await visit(page, prefix);
    await yesterday.close();

    const today = await launch();
    const problems = await watch(today, baseURL ?? "");
    await line.cut(today);
    await today.clock.setSystemTime(Date.now() + 24 * 3600_000);
    page = await today.newPage();
    await page.goto(`${prefix}/news/sample-1`);
    await expect(page.locator("h1")).toHaveText(title, { useInnerText: true });
    await page.goto(`${prefix}/event`);
    await expect(page.locator("main a[href*='/event/']").first()).toBeVisible();

    const [s, t] = [seat[getLocale(prefix)], snapshot[getLocale(prefix)]];
    const notice = page.getByRole("status").filter({ hasText: t.takenAt.split("{time}")[0] });
    await page.goto(`${prefix}/user/info`);
    await expect(notice.first()).toContainText(/\d{4}\.\d\d\.\d\d \d\d:\d\d/);
    await page.getByRole("main").locator("a[href$='/mall/order_event/slow']").first().click();
    await expect(page).toHaveURL(`${prefix}/mall/order_event/slow`);
    const ticket = page.getByRole("region", { name: s.code });
    await expect(ticket).toContainText(code);
    await expect(ticket.getByRole("img", { name: fill(s.codeImage, { code }) })).toBeVisible();
    await expect(notice).toBeVisible();
    await expect(page.locator("summary", { hasText: s.giveBack })).toHaveCount(0);
    // One that is not booked cannot be booked now.
    await page.goto(`${prefix}/mall/order_event/entrance`);
    await expect(page.getByRole("main")).toContainText(t.needsConnection);
    await expect(page.getByRole("button", { name: s.book })).toHaveCount(0);

    const [o, l] = [order[getLocale(prefix)], orderList[getLocale(prefix)]];
    await page.goto(`${prefix}/user/order/list`);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("link", { name: l.pay })).toHaveCount(0);
    await page.getByRole("link", { name: l.view }).first().click();
    await expect(page).toHaveURL(`${prefix}/mall/order/${order_sn}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(o.pending);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("main")).toContainText(t.needsConnection);
    await expect(page.getByRole("timer")).toHaveCount(0);
    await expect(page.locator("summary", { hasText: o.cancel })).toHaveCount(0);
    await expect(page.getByRole("img", { name: payCode[getLocale(prefix)].label })).toHaveCount(0);
    await expect(page.locator("#failure")).toBeHidden();

    // What is live comes back with the connection, by itself.
    await line.mend(today);
    await expect(page.getByRole("timer")).toBeVisible();
    await expect(notice).toHaveCount(0);
    await today.close();
    rmSync(folder, { recursive: true });
    expect(
      problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|layout shift/.test(problem)),
    ).toEqual([]);
  });
});

test("a member's tickets and orders are never shown to another one on the same phone, whatever happened between", {
  tag: ["@phone", "@full"],
}, async ({ page, context, line, baseURL }) => {
  const { code, order_sn } = await visit(page);
  const second = await createSession(baseURL ?? "");
  const store = (values: Record<string, string>) =>
    page.evaluate((all) => {
      for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value);
    }, values);
  // As after a crash in the middle of a login: nobody has logged out, and the first member's profile is still there.
  const { TOKEN } = second;
  for (const session of [{ TOKEN }, second]) {
    await page.goto("/robots.txt");
    await store(session);
    await line.cut(context);
    for (const path of ["/user/info", "/user/order/list", `/mall/order/${order_sn}`, "/mall/order_event/slow"]) {
      await page.goto(path);
      await expect(page.getByRole("main").getByRole("alert").first()).toBeVisible();
      await expect(page.getByText(code.slice(0, 4))).toHaveCount(0);
      await expect(page.locator("#failure")).toBeHidden();
    }
    await line.mend(context);
  }
  // The second one's first answer leaves nothing of the first one's on the device.
  await page.goto("/user/info");
  await expect(page.getByText(memberPage["zh-CN"].noBookings)).toBeVisible();
  await expect.poll(() => readSnapshots(page)).toContain("slow");
  expect(await readSnapshots(page)).not.toContain(code);
  expect(await readSnapshots(page)).not.toContain(order_sn);
});

test("an answer that arrives after another member has logged in is stored for nobody", { tag: ["@phone", "@full"] }, async ({
  page,
  context,
  baseURL,
}) => {
  const { code, order_sn } = await visit(page);
  const second = await createSession(baseURL ?? "");
  const answers: (() => Promise<void>)[] = [];
  await page.route(`**${contract.mallOrderInfo.path}*`, async (route) => {
    const response = await route.fetch();
    answers.push(() => route.fulfill({ response }));
  });
  await page.goto(`/mall/order/${order_sn}`);
  await expect(page.locator("main astro-island[ssr]")).toHaveCount(0);
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  const other = await context.newPage();
  await other.goto("/robots.txt");
  await other.evaluate((all) => {
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value);
  }, second);
  const answered = page.waitForResponse(`**${contract.mallOrderInfo.path}*`);
  await Promise.all(answers.map((send) => send()));
  await answered;
  await other.goto("/user/info");
  await expect(other.getByText(memberPage["zh-CN"].noBookings)).toBeVisible();
  // What the first one had stored is gone with the second one's first answer.
  await expect.poll(() => readSnapshots(other)).not.toContain(code);
  expect(await readSnapshots(other)).not.toContain(order_sn);
});

test("logging out without a connection deletes a member's tickets and orders, with two tabs open", {
  tag: ["@phone", "@full"],
}, async ({ page, context, line, t }) => {
  await visit(page);
  const other = await context.newPage();
  await other.goto("/user/info");
  await page.goto("/user/info");
  await page.getByRole("button", { name: t.session.logOut }).click();
  await line.cut(context);
  await page.getByRole("dialog").getByRole("button", { name: t.session.logOut }).click();
  for (const tab of [page, other]) await expect(tab.getByRole("heading", { name: t.error.offlineHeading })).toBeVisible();
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([]);
  // Nobody is logged in: the member's pages lead away.
  await page.goto("/user/order/list");
  await expect(page).toHaveURL(/\/user\/login/);
});

test("a session that the server has ended leaves no tickets and orders behind", { tag: "@phone" }, async ({ page }) => {
  await visit(page);
  await page.evaluate(() => {
    localStorage.setItem("TOKEN", "x".repeat(43));
  });
  await page.goto("/news");
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([]);
});

/** Ways in which a browser stores nothing. Each runs in the page before its own scripts. */
const faults = {
  denied: () =>
    Object.defineProperty(window, "indexedDB", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    }),
  full: () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
};
for (const [fault, inject] of Object.entries(faults))
  test(`a member's pages work with ${fault} storage, and report a lost connection`, { tag: ["@phone", "@full"] }, async ({
    page,
    context,
    line,
    t,
  }) => {
    await page.addInitScript(inject);
    await logIn(page);
    const order_sn = await orderTote(page);
    await page.goto(`/mall/order/${order_sn}`);
    await expect(page.getByRole("timer")).toBeVisible();
    await page.goto("/user/info");
    await expect(page.getByText(memberPage["zh-CN"].noBookings)).toBeVisible();
    await waitUntilStored(page, "/user/info", "/user/order/list");
    await line.cut(context);
    await page.goto("/user/info");
    await expect(page.getByRole("main")).toContainText(t.state.offline);
    await expect(page.locator("#failure")).toBeHidden();
    await line.mend(context);
    await page.getByRole("button", { name: t.session.logOut }).click();
    await page.getByRole("dialog").getByRole("button", { name: t.session.logOut }).click();
    await expect(page).toHaveURL("/user/login");
  });
