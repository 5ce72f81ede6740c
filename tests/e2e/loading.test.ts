import type { Page } from "@playwright/test";
import { withPrefix } from "#i18n/locale.ts";
import { matchRoute } from "#src/routes.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

/** One script for each way of loading it: its file, a page that needs it, the press that loads it, and a check that it works. */
const scripts: Record<
  string,
  { file: string; path: string; press?: (page: Page) => Promise<void>; expectWorking: (page: Page) => Promise<void> }
> = {
  "the script of every page": {
    file: "**/_astro/Base.*.js",
    path: "/about/terms",
    expectWorking: async (page) => {
      await page.getByRole("contentinfo").locator("[data-mode=dark]").click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    },
  },
  "the island runtime of member pages": {
    file: "**/_astro/islands.*.js",
    path: "/user/info",
    expectWorking: async (page) => {
      await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
    },
  },
  "a chunk that is imported on demand": {
    file: "**/_astro/calls.*.js",
    path: "/about/terms",
    expectWorking: async (page) => {
      const requests = () => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      await expect.poll(() => page.evaluate(requests)).toContain("/v1/user/info");
    },
  },
  "the script of an island that is pressed": {
    file: "**/_astro/ConcertBanner*",
    path: "",
    press: (page) => page.locator(".plan button[aria-pressed]").click(),
    expectWorking: async (page) => {
      const join = page.locator(".plan button[aria-pressed]");
      await join.click();
      await expect(join).toHaveAttribute("aria-pressed", "true");
    },
  },
};

inBothLanguages(
  () => {
    // The importing script does not catch the failed import.
    test.use({ allowed: [/ERR_FAILED|Failed to fetch|astro-island|^uncaught: $/] });
    for (const [name, { file, path, press, expectWorking }] of Object.entries(scripts)) {
      test(`shows a working reload button when ${name} fails to load`, async ({ page, prefix, t }) => {
        await logIn(page);
        await page.route(file, (route) => route.abort());
        await page.goto(prefix + path);
        await press?.(page);
        const notice = page.getByRole("alert").filter({ hasText: t.frame.failureTitle });
        await expect(notice).toBeVisible();
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await page.unroute(file);
        const reloaded = page.waitForEvent("load");
        await notice.getByRole("button", { name: t.frame.reload }).click();
        await reloaded;
        await expectWorking(page);
        await expect(notice).toBeHidden();
      });

      test(`reloads once and then shows a reload button when a newer build has removed ${name}`, {
        tag: name === "the script of every page" ? [] : ["@full"],
      }, async ({ page, prefix, t }) => {
        await logIn(page);
        await page.route(file, (route) => route.abort());
        await page.route("**/build.json", (route) => route.fulfill({ json: { id: "next", code: "next" } }));
        let loads = 0;
        page.on("request", (request) => {
          if (request.isNavigationRequest()) loads += 1;
        });
        // The reload may come before the page has loaded.
        await page.goto(prefix + path, { waitUntil: "commit" });
        await press?.(page);
        await expect.poll(() => loads).toBe(2);
        await press?.(page);
        await expect(page.getByRole("alert").filter({ hasText: t.frame.failureTitle })).toBeVisible();
        await waitForIdle(page);
        expect(loads).toBe(2);
      });
    }
  },
  { tag: "@phone" },
);

/** Pages that only scripts can fill; the last two are shells. */
const scripted = [
  "/user/login",
  "/user/info",
  "/user/order/list",
  "/user/order/V2601020304050000000A",
  "/mall/order/M2601020304050000000A",
  "/mall/order/confirm/tote",
  "/mall/order_bak/tote",
  "/mall/order_event/entrance",
  "/mall/item/not-known-at-build",
  "/mall/vip/not-known-at-build",
];

inBothLanguages(
  () => {
    test.use({ javaScriptEnabled: false });
    test("without JavaScript, pages that need it say so, and show no form, button or skeleton", async ({ page, prefix, t }) => {
      for (const path of scripted) {
        await page.goto(prefix + path);
        const main = page.getByRole("main");
        await expect(main.getByText(t.frame.needsScript), path).toBeVisible();
        await expect(main.locator(":is(form, input, button, .skeleton, [aria-busy=true]):visible"), path).toHaveCount(0);
      }
    });
  },
  { tag: "@phone" },
);

/** Reading pages, each with the kind of entries that it lists. */
const lists = [
  { path: "/", kind: "event", back: "/event" },
  { path: "/", kind: "news", back: "/news" },
  { path: "/event", kind: "event", back: "/event" },
  { path: "/news", kind: "news", back: "/news" },
] as const;

inBothLanguages(
  () => {
    test.use({ javaScriptEnabled: false });
    for (const { path, kind, back } of lists)
      test(`without JavaScript ${path} can be read and links to each ${kind} and back`, {
        tag: path === "/" ? ["@full"] : [],
      }, async ({ page, prefix }) => {
        await page.goto(withPrefix(prefix, path));
        const main = page.getByRole("main");
        await expect(page.locator("h1")).toBeVisible();
        await expect(page.locator("h1")).not.toBeEmpty();
        await expect(main.locator("[aria-busy=true]:visible, .skeleton:visible")).toHaveCount(0);

        const hrefs = await main
          .locator("a[href]")
          .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
        const targets = [...new Set(hrefs)].filter((href) => matchRoute(href)?.name === kind);
        expect(targets.length).toBeGreaterThan(0);
        for (const href of targets) {
          const entry = main
            .locator(`:is(article, li, section, a):has(a[href="${href}"]), a[href="${href}"]`)
            .filter({ visible: true })
            .last();
          await expect(entry, href).toBeVisible();
          await expect(entry, href).toHaveText(/\S/);
          expect((await page.request.get(href)).status(), href).toBe(200);
        }

        await main.locator(`a[href="${targets[0]}"]`).filter({ visible: true }).last().click();
        await expect(page).toHaveURL(targets[0] ?? "");
        await expect(page.locator("h1")).toBeVisible();
        await expect(main.locator(".prose").last()).toBeVisible();
        await expect(main.locator(".prose").last()).toHaveText(/\S/);
        await expect(main.locator("[aria-busy=true]:visible, .skeleton:visible")).toHaveCount(0);
        await main.locator(`a[href="${prefix}${back}"]`).first().click();
        await expect(page).toHaveURL(`${prefix}${back}`);
      });
  },
  { tag: "@phone" },
);

inBothLanguages(() => {
  test("a newer build shows one notification, and the page reloads only on request", async ({ page, prefix, t }) => {
    await page.clock.install();
    let loads = 0;
    let requestCount = 0;
    page.on("load", () => {
      loads += 1;
    });
    await page.route("**/build.json", (route) => {
      requestCount += 1;
      // From the third request on there is a newer build.
      return requestCount < 3 ? route.continue() : route.fulfill({ json: { id: "next", code: "next" } });
    });
    await page.goto(`${prefix}/about/terms`);
    // One second after the load.
    await page.clock.runFor(900);
    expect(requestCount).toBe(0);
    await page.clock.runFor(200);
    await expect.poll(() => requestCount).toBe(1);
    // A hidden page sends no request; it sends one when it becomes visible.
    const setVisibility = (state: string) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await setVisibility("hidden");
    await page.clock.runFor(20 * 60_000);
    expect(requestCount).toBe(1);
    await setVisibility("visible");
    await page.clock.runFor(10);
    await expect.poll(() => requestCount).toBe(2);
    const notice = page.getByRole("listitem").filter({ hasText: t.frame.newBuild });
    await expect(notice).toHaveCount(0);
    await page.clock.runFor(5 * 60_000);
    await expect(notice).toBeVisible();
    await page.clock.runFor(20 * 60_000);
    await expect(notice).toHaveCount(1);
    expect({ requestCount, loads }).toEqual({ requestCount: 3, loads: 1 });
    const reloaded = page.waitForEvent("load");
    await notice.getByRole("button", { name: t.frame.reload }).click();
    await reloaded;
  });
});

/** Records the paths that the page prefetches from now on. */
function recordPrefetches(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { purpose = "", "sec-purpose": secPurpose = purpose } = request.headers();
    if (secPurpose.startsWith("prefetch")) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

test.describe("link prefetching", { tag: ["@desktop", "@full"] }, () => {
  test("lets the browser prefetch the hovered link", async ({ page }) => {
    const session = await page.context().newCDPSession(page);
    const states: string[] = [];
    session.on("Preload.prefetchStatusUpdated", ({ key, status }) => states.push(`${new URL(key.url).pathname} ${status}`));
    await session.send("Preload.enable");
    await page.goto("/about/terms");
    await page.getByRole("contentinfo").getByRole("link", { name: "隐私政策" }).hover();
    await expect.poll(() => states).toContain("/about/privacy Ready");
  });

  test("falls back to at most four concurrent prefetch hints without speculation rules", async ({ page }) => {
    await page.addInitScript(() => Reflect.set(HTMLScriptElement, "supports", undefined));
    const paths = recordPrefetches(page);
    await page.goto("/event");
    await waitForIdle(page);
    const links = page.getByRole("main").locator("a[href^='/event/']");
    const hints = page.locator("link[rel=prefetch]");
    // Focuses all links in one task, so that no response arrives in between.
    await links.evaluateAll((all) => {
      for (const one of all.slice(0, 6)) if (one instanceof HTMLElement) one.focus();
    });
    await expect(hints).toHaveCount(4);
    await expect.poll(() => paths.length).toBe(4);
    // Finished prefetches free their slots.
    await expect
      .poll(async () => {
        await links.nth(6).blur();
        await links.nth(6).focus();
        return hints.count();
      })
      .toBe(5);
    await expect.poll(() => paths.length).toBe(5);
  });

  for (const connection of [{ saveData: true }, { effectiveType: "2g" }, { effectiveType: "slow-2g" }])
    test(`prefetches nothing with ${JSON.stringify(connection)}`, { tag: connection.saveData ? [] : ["@full"] }, async ({
      page,
    }) => {
      await page.addInitScript((value) => {
        Object.defineProperty(navigator, "connection", { value });
      }, connection);
      const session = await page.context().newCDPSession(page);
      const states: string[] = [];
      session.on("Preload.prefetchStatusUpdated", ({ key }) => states.push(key.url));
      await session.send("Preload.enable");
      const paths = recordPrefetches(page);
      // Requested later than any prefetch would be.
      const build = page.waitForResponse("**/build.json");
      await page.goto("/about/terms");
      await expect(page.locator("html")).toHaveAttribute("data-thrifty", "");
      const footer = page.getByRole("contentinfo");
      await footer.getByRole("link", { name: "隐私政策" }).hover();
      await footer.getByRole("link", { name: "隐私政策" }).focus();
      await build;
      await waitForIdle(page);
      expect({ states, paths }).toEqual({ states: [], paths: [] });
    });
});
