import type { Page } from "@playwright/test";
import { logInHere } from "./support/member.ts";
import { expect, test } from "./support/page.ts";

/** What a browser may do to a page that wants to store something. Runs in the page before its own scripts. */
const faults = {
  denied: () => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
  corrupt: () => {
    if (sessionStorage.getItem("damaged")) return;
    sessionStorage.setItem("damaged", "once");
    const all = ["TOKEN", "USER_INFO", "USER_TOKEN", "CHAT_TOKEN", "COLOR_MODE", "no such key"];
    for (const [index, key] of all.entries())
      localStorage.setItem(key, ["{", "null", "[1", '{"id":{}}', "purple", "\u0000"][index] ?? "");
  },
};

const isWhole = (page: Page) => expect(page.locator("#failure")).toBeHidden();

for (const [fault, damage] of Object.entries(faults)) {
  test.describe(`storage that is ${fault}`, { tag: "@phone" }, () => {
    test("leaves every page working, and keeps a session for the tab", async ({ page, t }) => {
      await page.addInitScript(damage);
      for (const path of ["/", "/event/spring", "/mall", "/user/ui"]) {
        await page.goto(path);
        await expect(page.locator("h1")).toBeVisible();
        await page.waitForLoadState("networkidle");
        await isWhole(page);
      }
      const modes = page.getByRole("contentinfo");
      await modes.getByRole("button", { name: t.frame.dark }).click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
      await page.goto("/user/info");
      await expect(page).toHaveURL("/user/login?redirect=%2Fuser%2Finfo");
      const mobile = await logInHere(page, "");
      await expect(page).toHaveURL("/user/info");
      await expect(page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`).first()).toBeVisible();
      await page.goto("/");
      await expect(page.locator("html")).toHaveAttribute("data-member", "");
      await page.goto("/user/order/list");
      await expect(page).toHaveURL("/user/order/list");
      await isWhole(page);
    });
  });
}
