import { orderList } from "../../i18n/order-list.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const theme = () => document.documentElement.dataset.theme;
const background = () => getComputedStyle(document.body).backgroundColor;
const light = "rgb(243, 245, 247)";
const dark = "rgb(10, 13, 16)";

inBothLanguages(() => {
  test("the language switch changes the prefix of the live URL, and is remembered", async ({ page, prefix, t, context }) => {
    await page.goto(`${prefix}/mall/item/not-known-at-build?x=1`);
    await page.getByRole("link", { name: t.frame.otherLabel }).click();
    const other = prefix ? "" : "/en-US";
    await expect(page).toHaveURL(`${other}/mall/item/not-known-at-build?x=1`);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: "locale", value: prefix ? "zh-CN" : "en-US", path: "/", sameSite: "Lax" });
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(364.9);
    expect(days).toBeLessThanOrEqual(365);
  });

  test("the language switch leads to the live URL in another tab too", async ({ page, prefix, t, context }) => {
    const other = prefix ? "" : "/en-US";
    const language = page.getByRole("link", { name: t.frame.otherLabel });
    const opens = async (act: () => Promise<void>, url: string) => {
      const [tab] = await Promise.all([context.waitForEvent("page"), act()]);
      await expect(tab).toHaveURL(url);
      await tab.close();
    };
    await page.goto(`${prefix}/mall`);
    await page.locator("#kinds [data-kind=records]").click();
    await expect(page).toHaveURL(`${prefix}/mall?category=records`);
    for (const button of ["middle", "left"] as const) {
      await opens(() => language.click({ button, modifiers: ["ControlOrMeta"] }), `${other}/mall?category=records`);
    }
    await page.goto(`${prefix}/mall/item/not-known-at-build?x=1`);
    await opens(() => language.click({ button: "middle" }), `${other}/mall/item/not-known-at-build?x=1`);
    // What the menu of the link offers is where it leads by then.
    await page.reload();
    await language.focus();
    await expect(language).toHaveAttribute("href", `${other}/mall/item/not-known-at-build?x=1`);
    expect(await context.cookies()).toEqual([]);
  });

  test("links keep the prefix that the visitor came by", async ({ page, prefix }) => {
    await page.goto(prefix || "/");
    const hrefs = await page
      .locator("a[href^='/']:not([data-locale])")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(hrefs.length).toBeGreaterThan(10);
    for (const href of hrefs) expect(href?.startsWith("/en-US")).toBe(prefix === "/en-US");
  });

  test("the skip link leads past the header by keyboard", async ({ page, prefix, t }) => {
    await page.goto(`${prefix}/news`);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: t.frame.skip })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${prefix}/news#main`);
  });

  test.describe("not found", () => {
    test.use({ allowed: [/status of 404/] });
    test("shows the path as it was asked for, as text", async ({ page, prefix, t }) => {
      await page.goto(`${prefix}/<img src=x onerror=alert(1)>`);
      await expect(page.getByRole("heading", { name: t.error.notFoundHeading })).toBeVisible();
      await expect(page.locator("#path")).toHaveText(`${prefix}/<img src=x onerror=alert(1)>`);
      await page.getByRole("link", { name: t.error.home }).click();
      await expect(page).toHaveURL(prefix || "/");
    });
  });

  test.describe("a script that does not come", () => {
    const gone = "**/_astro/PlanBanner*";
    test.use({ allowed: [/ERR_FAILED|Failed to load|astro-island|Failed to fetch/] });
    test("shows a way to reload, and the page stays readable", async ({ page, prefix, t }) => {
      await page.route(gone, (route) => route.abort());
      await page.goto(prefix || "/");
      await page.getByRole("button", { name: t.concert.join }).click();
      const notice = page.getByRole("alert").filter({ hasText: t.frame.failureTitle });
      await expect(notice).toBeVisible();
      await expect(page.getByText("12.9W", { exact: true })).toBeVisible();
      await page.unroute(gone);
      await notice.getByRole("button", { name: t.frame.reload }).click();
      await expect(notice).toBeHidden();
      await page.getByRole("button", { name: t.concert.join }).click();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
    });

    test("reloads once when there is a newer build, then shows the way", async ({ page, prefix, t }) => {
      let loads = 0;
      page.on("load", () => {
        loads += 1;
      });
      await page.route(gone, (route) => route.abort());
      await page.route("**/build.json", (route) => route.fulfill({ json: { id: "next", code: "next" } }));
      await page.goto(prefix || "/");
      const reloaded = page.waitForEvent("load");
      await page.getByRole("button", { name: t.concert.join }).click();
      await reloaded;
      await page.getByRole("button", { name: t.concert.join }).click();
      await expect(page.getByRole("alert").filter({ hasText: t.frame.failureTitle })).toBeVisible();
      expect(loads).toBe(2);
    });
  });
});

test("a visitor whose cookie says en-US is taken from / to /en-US, and from nowhere else", async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: "locale", value: "en-US", url: baseURL ?? "" }]);
  await page.goto("/?from=poster#plan");
  await expect(page).toHaveURL("/en-US?from=poster#plan");
  await page.goto("/news");
  await expect(page).toHaveURL("/news");
  await page.goto("/zh-CN");
  await expect(page).toHaveURL("/zh-CN");
});

test("Chinese is chosen for good by the switch", async ({ page, t }) => {
  await page.goto("/en-US");
  await page.locator("header [data-locale]").click();
  await expect(page).toHaveURL("/");
  await page.goto("/");
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: t.concert.join })).toBeVisible();
});

test.describe("the colour mode", () => {
  for (const [scheme, color] of [
    ["light", light],
    ["dark", dark],
  ] as const) {
    test.describe(`on a ${scheme} device`, () => {
      test.use({ colorScheme: scheme });
      test("follows the device until it is set, before anything is painted, in all tabs", async ({ page, t, context }) => {
        await page.goto("/about/terms");
        expect(await page.evaluate(background)).toBe(color);
        expect(await page.evaluate(theme)).toBeUndefined();
        const modes = page.getByRole("contentinfo");
        await modes.getByRole("button", { name: t.frame.dark }).click();
        expect(await page.evaluate(background)).toBe(dark);
        const other = await context.newPage();
        await other.goto("/about/privacy", { waitUntil: "commit" });
        await expect.poll(() => other.evaluate(theme)).toBe("dark");
        await modes.getByRole("button", { name: t.frame.light }).click();
        await expect.poll(() => other.evaluate(background)).toBe(light);
        await page.reload();
        expect(await page.evaluate(background)).toBe(light);
        await expect(modes.getByRole("button", { name: t.frame.light })).toHaveAttribute("aria-pressed", "true");
        await modes.getByRole("button", { name: t.frame.system }).click();
        expect(await page.evaluate(background)).toBe(color);
      });
    });
  }

  test("goes round system, light and dark by the header's button", async ({ page, t }) => {
    await page.goto("/about/terms");
    const button = page.getByRole("banner").getByRole("button", { name: t.frame.colorMode });
    const seen: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      await button.click();
      seen.push(await page.evaluate(theme));
    }
    expect(seen).toEqual(["light", "dark", undefined]);
  });
});

test("a page may force light or dark, whatever is stored, and gives the choice back", async ({ page, t }) => {
  await page.goto("/user/ui");
  await page.getByRole("contentinfo").getByRole("button", { name: t.frame.light }).click();
  const forced = page.locator("#forced");
  await forced.getByRole("button", { name: t.frame.dark }).click();
  expect(await page.evaluate(background)).toBe(dark);
  await page.getByRole("banner").getByRole("button", { name: t.frame.colorMode }).click();
  await page.getByRole("contentinfo").getByRole("button", { name: t.frame.light }).click();
  expect(await page.evaluate(background)).toBe(dark);
  await forced.getByRole("button").first().click();
  expect(await page.evaluate(background)).toBe(light);
});

test("a view transition that the browser cuts short is no failure of the page", async ({ page }) => {
  await page.goto("/about/terms");
  await page.evaluate(() => {
    void Promise.reject(new DOMException("Transition was aborted because of invalid state", "InvalidStateError"));
  });
  await expect(page.locator("#failure")).toBeHidden();
});

test.describe("an island that throws", () => {
  test.use({ allowed: [/no query today/] });
  test("shows its failed state and can be tried again; the page around it stands", async ({ page, prefix, t }) => {
    await logIn(page, prefix);
    await page.addInitScript(() => {
      const real = URLSearchParams.prototype.get;
      let broken = true;
      window.addEventListener(
        "click",
        () => {
          broken = false;
        },
        true,
      );
      URLSearchParams.prototype.get = function (name: string) {
        if (broken) throw new Error("no query today");
        return real.call(this, name);
      };
    });
    await page.goto("/user/order/list");
    await expect(page.getByRole("heading", { name: t.state.failedTitle })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("main").getByRole("button", { name: t.state.retry }).click();
    await expect(page.getByRole("heading", { name: orderList["zh-CN"].emptyTitle })).toBeVisible();
  });
});
