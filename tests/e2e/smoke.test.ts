import { getLocale, prefixes, withPrefix } from "../../i18n/locale.ts";
import { getRoute, matchRoute, type RouteName, routes, shellParam } from "../../src/routes.ts";
import { builtPages } from "../support/site.ts";
import { expect, test } from "./support/test.ts";

const built = builtPages().map(({ path }) => path);

/** A path that shows a route: a page of the build where there is one, otherwise one that opens through the shell. */
function sample(name: RouteName): string | null {
  const { path, shell } = getRoute(name);
  if (!path.includes("{")) return path;
  const known = built.find((page) => {
    const match = matchRoute(page);
    return match?.name === name && match.prefix === "" && !Object.values(match.params).includes(shellParam);
  });
  return known ?? (shell ? path.replace(/\{\w+\}/g, "M2601010101010000ABCD") : null);
}

for (const name of Object.keys(routes) as RouteName[]) {
  const path = sample(name);
  // A second page of news is there once there is news enough.
  if (!path) continue;
  test(`${name} opens in all three prefixes`, { tag: "@phone" }, async ({ page }) => {
    for (const prefix of prefixes) {
      const answer = await page.goto(withPrefix(prefix, path));
      expect(answer?.status(), path).toBe(200);
      const { session } = getRoute(name);
      if (session) await page.waitForURL((url) => url.pathname === withPrefix(prefix, "/user/login"));
      await expect(page.locator("html")).toHaveAttribute("lang", getLocale(prefix));
      await expect(page.locator("h1")).toHaveCount(1);
      await expect(page.locator("h1")).not.toBeEmpty();
      await page.waitForLoadState("networkidle");
    }
  });
}

test.describe("a page that is not there", () => {
  test.use({ allowed: [/status of 404/] });
  for (const prefix of prefixes) {
    test(`says so in the language of ${prefix || "/"}`, async ({ page }) => {
      const answer = await page.goto(withPrefix(prefix, "/no/such/page"));
      expect(answer?.status()).toBe(404);
      await expect(page.locator("html")).toHaveAttribute("lang", getLocale(prefix));
      await expect(page.getByText(withPrefix(prefix, "/no/such/page"))).toBeVisible();
    });
  }
});
