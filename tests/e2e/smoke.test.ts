import { getLocale, prefixes, withPrefix } from "../../i18n/locale.ts";
import { getRoute, matchRoute, type RouteName, routes, shellParam } from "../../src/routes.ts";
import { builtPages } from "../support/content/site.ts";
import { expect, test } from "./support/test.ts";
import { waitForIdle } from "./support/watch.ts";

const built = builtPages().map(({ path }) => path);

/** Returns a path of a route: a built page if there is one, otherwise one that the shell serves. */
function getSamplePath(name: RouteName): string | null {
  const { path, shell } = getRoute(name);
  if (!path.includes("{")) return path;
  const builtPath = built.find((page) => {
    const match = matchRoute(page);
    return match?.name === name && match.prefix === "" && !Object.values(match.params).includes(shellParam);
  });
  return builtPath ?? (shell ? path.replace(/\{\w+\}/g, "M2601010101010000ABCD") : null);
}

for (const prefix of prefixes) {
  test(`every route opens under ${prefix || "/"}`, { tag: prefix ? ["@phone", "@full"] : "@phone" }, async ({ page }) => {
    for (const name of Object.keys(routes) as RouteName[]) {
      const path = getSamplePath(name);
      // The second page of news exists only with enough news.
      if (!path) continue;
      const response = await page.goto(withPrefix(prefix, path));
      expect(response?.status(), path).toBe(200);
      const { session } = getRoute(name);
      if (session) await page.waitForURL((url) => url.pathname === withPrefix(prefix, "/user/login"));
      await expect(page.locator("html"), path).toHaveAttribute("lang", getLocale(prefix));
      await expect(page.locator("h1"), path).toHaveCount(1);
      await expect(page.locator("h1"), path).not.toBeEmpty();
      await waitForIdle(page);
    }
  });
}

test.describe("the 404 page", () => {
  test.use({ allowed: [/status of 404/] });
  for (const prefix of prefixes) {
    test(`shows the requested path in the language of ${prefix || "/"}`, async ({ page }) => {
      const response = await page.goto(withPrefix(prefix, "/no/such/page"));
      expect(response?.status()).toBe(404);
      await expect(page.locator("html")).toHaveAttribute("lang", getLocale(prefix));
      await expect(page.getByText(withPrefix(prefix, "/no/such/page"))).toBeVisible();
    });
  }
});
