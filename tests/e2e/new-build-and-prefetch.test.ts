import type { Page } from "@playwright/test";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test("a newer build is said once, quietly; the page stays until its reader reloads it", async ({ page, prefix, t }) => {
    await page.clock.install();
    let loads = 0;
    let asked = 0;
    page.on("load", () => {
      loads += 1;
    });
    await page.route("**/build.json", (route) => {
      asked += 1;
      // The third look finds a newer one, and those after it too.
      return asked < 3 ? route.continue() : route.fulfill({ json: { id: "next", code: "next" } });
    });
    await page.goto(`${prefix}/about/terms`);
    await page.clock.runFor(1100);
    await expect.poll(() => asked).toBe(1);
    // Nobody looks while the page is hidden; on return it is time.
    const show = (state: string) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await show("hidden");
    await page.clock.runFor(20 * 60_000);
    expect(asked).toBe(1);
    await show("visible");
    await page.clock.runFor(10);
    await expect.poll(() => asked).toBe(2);
    const notice = page.getByRole("listitem").filter({ hasText: t.frame.newBuild });
    await expect(notice).toHaveCount(0);
    await page.clock.runFor(5 * 60_000);
    await expect(notice).toBeVisible();
    await page.clock.runFor(20 * 60_000);
    await expect(notice).toHaveCount(1);
    expect({ asked, loads }).toEqual({ asked: 3, loads: 1 });
    const reloaded = page.waitForEvent("load");
    await notice.getByRole("button", { name: t.frame.reload }).click();
    await reloaded;
  });
});

test("a newer build is looked for a second after load, by the clock of the page", async ({ page }) => {
  const looked = page.waitForRequest("**/build.json");
  await page.goto("/about/terms");
  const answer = await (await looked).response();
  await answer?.finished();
  const after = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    const look = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/build.json"));
    return navigation instanceof PerformanceNavigationTiming && look ? look.startTime - navigation.loadEventStart : 0;
  });
  expect(after).toBeGreaterThan(990);
  // A busy machine may be late, but not by the pause between two looks.
  expect(after).toBeLessThan(4000);
});

/** Pages that were fetched ahead. */
function fetchedAhead(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { purpose = "", "sec-purpose": secPurpose = purpose } = request.headers();
    if (secPurpose.startsWith("prefetch")) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

test.describe("pages are fetched ahead", { tag: "@desktop" }, () => {
  test("by the browser, for the link that is pointed at", async ({ page }) => {
    const session = await page.context().newCDPSession(page);
    const states: string[] = [];
    session.on("Preload.prefetchStatusUpdated", ({ key, status }) => states.push(`${new URL(key.url).pathname} ${status}`));
    await session.send("Preload.enable");
    await page.goto("/about/terms");
    await page.getByRole("contentinfo").getByRole("link", { name: "隐私政策" }).hover();
    await expect.poll(() => states).toContain("/about/privacy Ready");
  });

  test("at most four at once, where the browser does not do it", async ({ page }) => {
    await page.addInitScript(() => Reflect.set(HTMLScriptElement, "supports", undefined));
    const paths = fetchedAhead(page);
    await page.goto("/event");
    await page.waitForLoadState("networkidle");
    const links = page.getByRole("main").locator("a[href^='/event/']");
    const hints = page.locator("link[rel=prefetch]");
    // In one go, so that none has arrived before all are wanted.
    await links.evaluateAll((all) => {
      for (const one of all.slice(0, 6)) if (one instanceof HTMLElement) one.focus();
    });
    await expect(hints).toHaveCount(4);
    await expect.poll(() => paths.length).toBe(4);
    // There is room again when they have arrived.
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
    test(`never with ${JSON.stringify(connection)}`, async ({ page }) => {
      await page.addInitScript((value) => {
        Object.defineProperty(navigator, "connection", { value });
      }, connection);
      const session = await page.context().newCDPSession(page);
      const states: string[] = [];
      session.on("Preload.prefetchStatusUpdated", ({ key }) => states.push(key.url));
      await session.send("Preload.enable");
      const paths = fetchedAhead(page);
      await page.goto("/about/terms");
      await expect(page.locator("html")).toHaveAttribute("data-thrifty", "");
      const footer = page.getByRole("contentinfo");
      await footer.getByRole("link", { name: "隐私政策" }).hover();
      await footer.getByRole("link", { name: "隐私政策" }).focus();
      await page.waitForLoadState("networkidle");
      // The look for a newer build comes later than any fetching ahead would.
      await page.waitForResponse("**/build.json");
      expect({ states, paths }).toEqual({ states: [], paths: [] });
    });
});
