import { languageOffer } from "#i18n/language-offer.ts";
import { orderList } from "#i18n/order-list.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, prefixPath, test } from "./support/page.ts";

const readTheme = () => document.documentElement.dataset.theme;
const readBackground = () => getComputedStyle(document.body).backgroundColor;
const light = "rgb(243, 245, 247)";
const dark = "rgb(10, 13, 16)";

/** Returns the texts of what can be pressed in the window and has the offer or a notification with a text above its middle. */
function findCovered(text: string): string[] {
  return Array.from(document.querySelectorAll<HTMLElement>("a, button, input, label, summary")).flatMap((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width === 0 || y < 0 || y + height > innerHeight || element.closest("#offer, #notifications")) return [];
    const cover = document.elementFromPoint(x + width / 2, y + height / 2)?.closest("#offer, #notifications li");
    return cover?.textContent?.includes(text) ? [element.textContent || element.ariaLabel || element.tagName] : [];
  });
}

inBothLanguages(() => {
  test("the language switch changes the prefix of the current URL and stores the choice in a cookie", async ({
    page,
    prefix,
    t,
    context,
  }) => {
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

  test("the language switch opens the current URL in a new tab too", { tag: "@full" }, async ({ page, prefix, t, context }) => {
    const other = prefix ? "" : "/en-US";
    const language = page.getByRole("link", { name: t.frame.otherLabel });
    const expectNewTab = async (act: () => Promise<void>, url: string) => {
      const [tab] = await Promise.all([context.waitForEvent("page"), act()]);
      await expect(tab).toHaveURL(url);
      await tab.close();
    };
    await page.goto(`${prefix}/mall`);
    await page.locator("#kinds [data-kind=records]").click();
    await expect(page).toHaveURL(`${prefix}/mall?category=records`);
    for (const button of ["middle", "left"] as const) {
      await expectNewTab(() => language.click({ button, modifiers: ["ControlOrMeta"] }), `${other}/mall?category=records`);
    }
    await page.goto(`${prefix}/mall/item/not-known-at-build?x=1`);
    await expectNewTab(() => language.click({ button: "middle" }), `${other}/mall/item/not-known-at-build?x=1`);
    // Focus updates the href, so the context menu of the link has the current URL too.
    await page.reload();
    await language.focus();
    await expect(language).toHaveAttribute("href", `${other}/mall/item/not-known-at-build?x=1`);
    expect(await context.cookies()).toEqual([]);
  });

  test("the skip link jumps past the header by keyboard", { tag: "@full" }, async ({ page, prefix, t }) => {
    await page.goto(`${prefix}/news`);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: t.frame.skip })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${prefix}/news#main`);
  });
});

test("the en-US locale cookie redirects only / to /en-US", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "locale", value: "en-US", url: baseURL ?? "" }]);
  await page.goto("/?from=poster#plan");
  await expect(page).toHaveURL("/en-US?from=poster#plan");
  await page.goto("/news");
  await expect(page).toHaveURL("/news");
  await page.goto("/zh-CN");
  await expect(page).toHaveURL("/zh-CN");
});

test("switching to Chinese stops the redirect from / to /en-US", { tag: "@full" }, async ({ page, t }) => {
  await page.goto("/en-US");
  await page.locator("header [data-locale]").click();
  await expect(page).toHaveURL("/");
  await page.goto("/");
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: t.concert.join })).toBeVisible();
});

test.describe("colour mode", () => {
  for (const [scheme, color] of [
    ["light", light],
    ["dark", dark],
  ] as const) {
    test.describe(`on a ${scheme} device`, { tag: scheme === "dark" ? ["@full"] : [] }, () => {
      test.use({ colorScheme: scheme });
      test("follows the device until it is set, then applies before first paint and in all tabs", async ({
        page,
        t,
        context,
      }) => {
        await page.goto("/about/terms");
        expect(await page.evaluate(readBackground)).toBe(color);
        expect(await page.evaluate(readTheme)).toBeUndefined();
        const modes = page.getByRole("contentinfo");
        await modes.getByRole("button", { name: t.frame.dark }).click();
        expect(await page.evaluate(readBackground)).toBe(dark);
        const other = await context.newPage();
        await other.goto("/about/privacy", { waitUntil: "commit" });
        await expect.poll(() => other.evaluate(readTheme)).toBe("dark");
        await modes.getByRole("button", { name: t.frame.light }).click();
        await expect.poll(() => other.evaluate(readBackground)).toBe(light);
        await page.reload();
        expect(await page.evaluate(readBackground)).toBe(light);
        await expect(modes.getByRole("button", { name: t.frame.light })).toHaveAttribute("aria-pressed", "true");
        await modes.getByRole("button", { name: t.frame.system }).click();
        expect(await page.evaluate(readBackground)).toBe(color);
      });
    });
  }

  test("cycles through system, light and dark with the header button", { tag: "@full" }, async ({ page, t }) => {
    await page.goto("/about/terms");
    const button = page.getByRole("banner").getByRole("button", { name: t.frame.colorMode });
    const themes: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      await button.click();
      themes.push(await page.evaluate(readTheme));
    }
    expect(themes).toEqual(["light", "dark", undefined]);
  });
});

test("a forced colour mode overrides the stored one until it is released", { tag: "@full" }, async ({ page, t }) => {
  await page.goto("/user/ui");
  await page.getByRole("contentinfo").getByRole("button", { name: t.frame.light }).click();
  const forced = page.locator("#forced");
  await forced.getByRole("button", { name: t.frame.dark }).click();
  expect(await page.evaluate(readBackground)).toBe(dark);
  await page.getByRole("banner").getByRole("button", { name: t.frame.colorMode }).click();
  await page.getByRole("contentinfo").getByRole("button", { name: t.frame.light }).click();
  expect(await page.evaluate(readBackground)).toBe(dark);
  await forced.getByRole("button").first().click();
  expect(await page.evaluate(readBackground)).toBe(light);
});

test("an aborted view transition does not show the failure notice", { tag: "@full" }, async ({ page }) => {
  await page.goto("/about/terms");
  await page.evaluate(() => {
    void Promise.reject(new DOMException("Transition was aborted because of invalid state", "InvalidStateError"));
  });
  await expect(page.locator("#failure")).toBeHidden();
});

test.describe("an island that throws", { tag: "@full" }, () => {
  test.use({ allowed: [/no query today/] });
  test("shows its failed state with a retry button while the rest of the page stays", async ({ page, t }) => {
    await logIn(page);
    await page.addInitScript(() => {
      const real = URLSearchParams.prototype.get;
      let isBroken = true;
      window.addEventListener(
        "click",
        () => {
          isBroken = false;
        },
        true,
      );
      URLSearchParams.prototype.get = function (name: string) {
        if (isBroken) throw new Error("no query today");
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

for (const [prefix, locale, preferred] of [
  ["", "en-US", "en-US"],
  ["/en-US", "zh-CN", "zh-TW"],
] as const)
  test.describe(`a browser that prefers ${preferred}, on a page in the other language`, { tag: prefix ? "@full" : [] }, () => {
    test.use({ prefix, locale: preferred });
    test("is offered its own once, which leads to the same page", async ({ page, t }) => {
      // Without a choice the home page asks too, and leads nowhere by itself: crawlers see the page that they asked for.
      await page.goto(prefix || "/");
      const offer = page.getByRole("region", { name: languageOffer[locale].title });
      await expect(offer).toHaveAttribute("lang", locale);
      await expect(offer.getByRole("button", { name: languageOffer[locale].close })).toBeVisible();
      await expect(page).toHaveURL(prefix || "/");
      await page.goto(`${prefix}/news`);
      await expect(page.getByRole("link", { name: t.frame.otherLabel })).toBeVisible();
      await page.waitForLoadState("networkidle");
      await expect(offer).toBeHidden();
      await page.evaluate(() => localStorage.clear());
      await page.goto(`${prefix}/event?x=1`);
      await offer.getByRole("link", { name: languageOffer[locale].accept }).click();
      await expect(page).toHaveURL(`${prefix ? "" : "/en-US"}/event?x=1`);
    });

    test("is offered it where it covers nothing that can be pressed, until it is closed", async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      const offer = page.getByText(languageOffer[locale].title);
      for (const path of ["/mall/item/vinyl", "/user/login", "/event/spring", "/"]) {
        await page.goto(prefixPath(prefix, path));
        await expect(offer, path).toBeVisible();
        expect(await page.evaluate(findCovered, languageOffer[locale].title), path).toEqual([]);
        if (path !== "/") await page.evaluate(() => localStorage.clear());
      }
      await page.getByRole("button", { name: languageOffer[locale].close }).click();
      await expect(offer).toBeHidden();
    });
  });
