import type { Page, Route } from "@playwright/test";
import { address, addressBook } from "#i18n/address.ts";
import { campaign, campaignPage } from "#i18n/campaign.ts";
import { getLocale } from "#i18n/locale.ts";
import { order } from "#i18n/order.ts";
import { snapshot } from "#i18n/state.ts";
import { contract } from "#src/api/contract.ts";
import { callServer, homeAddress, logIn, logInWithForm, orderTote, readSnapshots } from "./support/member.ts";
import { expect, inBothLanguages, test, waitUntilStored } from "./support/page.ts";

const json = (body: unknown, status = 200) => ({ status, json: body });
const refusal = "今天不行";
type Reason = "offline" | "timeout" | "server" | "unreadable";

/** Ways in which a call fails, each with the text that the page shows. */
const faults: Record<string, [fail: (route: Route) => Promise<void>, expected: Reason | typeof refusal]> = {
  "no connection": [(route) => route.abort("internetdisconnected"), "offline"],
  "a reset connection": [(route) => route.abort("connectionreset"), "offline"],
  "status 500": [(route) => route.fulfill(json({ code: 10500, msg: "", data: {} }, 500)), "server"],
  "an HTML response": [
    (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Wi-Fi</title>" }),
    "unreadable",
  ],
  "broken JSON": [(route) => route.fulfill({ contentType: "application/json", body: '{"code":1,' }), "unreadable"],
  "an error envelope": [(route) => route.fulfill(json({ code: 10006, msg: refusal, data: {} })), refusal],
  "data of another shape": [(route) => route.fulfill(json({ code: 1, msg: "", data: { list: 7, info: "?" } })), "unreadable"],
  "a timeout": [async () => {}, "timeout"],
};

/** One page of each kind, with what prepares it and returns its path. */
const pages: Record<string, (page: Page) => Promise<string>> = {
  "the member page": async () => "/user/info",
  "the order list": async () => "/user/order/list?tab=packages",
  "the order page": async (page) => `/mall/order/${await orderTote(page)}`,
  checkout: async () => "/mall/order/confirm/tote?sku=tote&quantity=1",
  "the activity page": async () => "/mall/order_event/entrance",
  "the page of a new item": async () => "/mall/item/not-known-at-build",
  "the campaign form": async () => "/event/spring",
};

// Each page and each fault at least once; `npm run test:long` runs the other pairs.
const pageEntries = Object.entries(pages);
const faultEntries = Object.entries(faults);
const combinations = pageEntries.flatMap(([pageName, open], row) =>
  faultEntries.map(([fault, [fail, expected]], column) => {
    const isRequired = column % pageEntries.length === row || row % faultEntries.length === column;
    return { pageName, open, fault, fail, expected, tag: isRequired ? [] : ["@long"] };
  }),
);
const calls = /\/v1\/(?!user\/info|marsx|main)/;

test.describe("failed calls", { tag: "@desktop" }, () => {
  test.use({ allowed: [/Failed to load resource/] });
  for (const { pageName, open, fault, fail, expected, tag } of combinations)
    test(`${pageName} shows the reason for ${fault}, and a retry works`, { tag }, async ({ page, t }) => {
      await logIn(page);
      const path = await open(page);
      await page.route(calls, fail);
      await page.goto(path);
      const main = page.getByRole("main");
      const retry = main.getByRole("button", { name: t.state.retry });
      await expect(retry.first()).toBeVisible({ timeout: 25_000 });
      await expect(main.locator("[aria-busy=true]:visible")).toHaveCount(0, { timeout: 25_000 });
      await expect(main).toContainText(expected === refusal ? refusal : t.state[expected]);
      await page.unrouteAll();
      // A page with several islands has one retry button for each.
      await expect
        .poll(async () => {
          if (await retry.first().isVisible()) await retry.first().click();
          return retry.count();
        })
        .toBe(0);
      await expect(main.locator("[aria-busy=true]:visible")).toHaveCount(0);
      await expect(page.locator("#failure")).toBeHidden();
    });

  // Code 10001 redirects to login instead of showing a failure; calls of public pages never return it.
  const forVisitors = ["the page of a new item", "the campaign form"];
  for (const [pageName, open] of pageEntries.filter(([pageName]) => !forVisitors.includes(pageName)))
    test(`${pageName} redirects to login and back when the session is over`, async ({ page }) => {
      await logIn(page);
      const path = await open(page);
      await page.route(calls, (route) => route.fulfill(json({ code: 10001, msg: "", data: null })));
      await page.goto(path);
      await expect(page).toHaveURL(`/user/login?${new URLSearchParams({ redirect: path })}`);
      expect(await page.evaluate(() => localStorage.getItem("TOKEN"))).toBeFalsy();
      await page.unrouteAll();
      await logInWithForm(page, "");
      await expect(page).toHaveURL(path);
    });

  test("the campaign form turns into the visitor form, which links to login and back, when the session is over", async ({
    page,
  }) => {
    await logIn(page);
    await page.evaluate(() => localStorage.setItem("TOKEN", "x".repeat(43)));
    await page.goto("/event/spring");
    await page.getByRole("main").getByRole("link", { name: campaignPage["zh-CN"].book }).click();
    await expect(page).toHaveURL("/user/login?redirect=%2Fevent%2Fspring");
    await logInWithForm(page, "");
    await expect(page).toHaveURL("/event/spring");
  });
});

inBothLanguages(() => {
  test("saving an empty address focuses its first invalid field and marks all required ones", async ({ page, prefix, t }) => {
    const a = { ...address[getLocale(prefix)], ...addressBook[getLocale(prefix)] };
    await logIn(page);
    if ((page.viewportSize()?.width ?? 0) < 768) await page.setViewportSize({ width: 375, height: 667 });
    await page.goto(`${prefix}/user/info`);
    await page.getByRole("button", { name: a.add, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: a.newTitle });
    // The save button is in view although the form is longer than the screen.
    const save = dialog.getByRole("button", { name: a.save });
    await expect(save).toBeInViewport({ ratio: 1 });
    await save.click();
    const name = dialog.getByLabel(a.name);
    await expect(name).toBeFocused();
    await expect(name).toBeInViewport({ ratio: 1 });
    await expect(name).toHaveAccessibleDescription(t.field.required);
    await expect(dialog.getByLabel(a.mobile)).toHaveAccessibleDescription(t.field.required);
  });

  test("the address form hides the district list for a region with two levels", async ({ page, prefix }) => {
    const a = { ...address[getLocale(prefix)], ...addressBook[getLocale(prefix)] };
    await logIn(page);
    await page.goto(`${prefix}/user/info`);
    await page.getByRole("button", { name: a.add, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: a.newTitle });
    await dialog.getByLabel(a.province, { exact: true }).selectOption("310000");
    await expect(dialog.getByLabel(a.city, { exact: true })).toBeEnabled();
    await dialog.getByLabel(a.city, { exact: true }).selectOption("310104");
    await expect(dialog.getByLabel(a.district, { exact: true })).toBeHidden();
    await dialog.getByLabel(a.province, { exact: true }).selectOption("510000");
    await expect(dialog.getByLabel(a.district, { exact: true })).toBeVisible();
  });

  test("submitting an empty pre-registration focuses the stops, then the name, and the mobile of a new member is filled in", async ({
    page,
    prefix,
    t,
  }) => {
    const b = campaign[getLocale(prefix)];
    await page.goto(`${prefix}/event/spring`);
    await page.getByRole("link", { name: campaignPage[getLocale(prefix)].book }).click();
    const mobile = await logInWithForm(page, prefix);
    await expect(page.getByLabel(b.mobile)).toHaveValue(mobile);
    const submit = page.getByRole("button", { name: b.submit, exact: true });
    await submit.click();
    const first = page.getByRole("radio", { disabled: false }).first();
    await expect(first).toBeFocused();
    await expect(page.getByText(b.chooseStop)).toBeInViewport();
    await first.check();
    await submit.click();
    await expect(page.getByLabel(b.name)).toBeFocused();
    await expect(page.getByLabel(b.name)).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel(b.name)).toHaveAccessibleDescription(t.field.required);
  });

  test("the pre-registration is filled from the default address and keeps the submitted values afterwards", async ({
    page,
    prefix,
  }) => {
    const b = campaign[getLocale(prefix)];
    await logIn(page);
    await callServer(page, contract.addressAdd, homeAddress);
    await page.goto(`${prefix}/event/spring`);
    await expect(page.getByLabel(b.name)).toHaveValue(homeAddress.name);
    await expect(page.getByLabel(b.mobile)).toHaveValue(homeAddress.mobile);
    await page.getByLabel(b.name).fill("Anna");
    await page.getByRole("radio", { disabled: false }).first().check();
    const values = page.evaluate(
      (label) =>
        new Promise<string[]>((resolve) => {
          // Collects every value of the name field until the entry is shown.
          const values = new Set<string>();
          const collect = () => {
            const name = [...document.querySelectorAll("label")].find((one) => one.textContent === label)?.control;
            if (name instanceof HTMLInputElement) values.add(name.value);
            if (document.querySelector(".booking-form > [tabindex]")) resolve([...values]);
            else requestAnimationFrame(collect);
          };
          collect();
        }),
      b.name,
    );
    await page.getByRole("button", { name: b.submit, exact: true }).click();
    expect(await values).toEqual(["Anna"]);
    const entry = page.locator(".booking-form > [tabindex]").first();
    await expect(entry).toBeFocused();
    await expect(entry).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel(b.mobile)).toHaveValue(homeAddress.mobile);
    // The profile shows it, or that it is withdrawn, without a connection too.
    await expect.poll(() => readSnapshots(page)).toContain('"name":"Anna"');
    await page.locator("summary", { hasText: b.withdraw }).click();
    await page.getByRole("button", { name: b.withdraw }).click();
    await expect.poll(() => readSnapshots(page)).toContain('"booking":null');
    await expect(page.getByLabel(b.name)).toHaveValue("Anna");
  });
});

inBothLanguages(() => {
  test.describe("while the server fails", () => {
    test.use({ allowed: [/status of 500/] });
    test("an order under way, what is stored of it and the member's page do not blame the connection", async ({
      page,
      prefix,
    }) => {
      const locale = getLocale(prefix);
      const [o, s] = [order[locale], snapshot[locale]];
      const main = page.getByRole("main");
      const blame = /没连上|连上网络|No connection|connected/;
      await logIn(page);
      const order_sn = await orderTote(page);
      await page.goto(`${prefix}/mall/order/${order_sn}`);
      await expect.poll(() => readSnapshots(page)).toContain(order_sn);
      await page.route("**/v1/**", (route) => route.fulfill(json({ code: 10500, msg: "", data: {} }, 500)));
      await page.getByRole("button", { name: o.checkNow }).click();
      await expect(main.getByRole("status").filter({ hasText: o.lost })).toBeVisible();
      await expect(main).not.toContainText(blame);
      await page.reload();
      await expect(main.getByText(s.takenAt.split("{time}")[0] ?? "")).toBeVisible();
      await expect(main).not.toContainText(blame);
      const checked = page.waitForResponse(`**${contract.userInfo.path}`);
      await page.goto(`${prefix}/user/info`);
      await checked;
      await expect(main.getByText(/登录还在|still logged in/)).toBeVisible();
      await expect(main).not.toContainText(blame);
    });
  });
});

test.describe("behind a proxy whose server is gone", () => {
  test.use({
    allowed: [/status of 50[234]|ERR_/],
    serviceWorkers: "allow",
    baseURL: async ({ line }, use) => use(line.origin),
  });
  test("a stored page and a ticket are shown, and where nothing is stored the answer", { tag: "@phone" }, async ({
    page,
    line,
  }) => {
    await page.goto("/news/sample-1");
    const title = await page.locator("h1").innerText();
    // A page is stored once it is idle, and the login leaves it.
    await waitUntilStored(page, "/news/sample-1");
    await logIn(page);
    const { activity } = await callServer(page, contract.activityBooking, { activity_uid: "slow" });
    await page.goto("/user/info");
    await waitUntilStored(page, "/mall/order_event/_");
    await expect.poll(() => readSnapshots(page)).toContain(activity.check_in_code);
    for (const status of [502, 503, 504]) {
      line.fail(status);
      await page.goto("/news/sample-1");
      await expect(page.locator("h1")).toHaveText(title, { useInnerText: true });
      await page.goto("/mall/order_event/slow");
      await expect(page.getByText(activity.check_in_code ?? "no code").first()).toBeVisible();
      await page.goto("/about/terms");
      await expect(page.getByRole("heading", { name: "Bad Gateway" })).toBeVisible();
    }
  });
});
