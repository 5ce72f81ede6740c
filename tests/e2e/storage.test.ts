import type { Page } from "@playwright/test";
import { logInHere } from "./support/member.ts";
import { expect, test } from "./support/page.ts";
import { storageFaults } from "./support/storage-faults.ts";

const isWhole = (page: Page) => expect(page.locator("#failure")).toBeHidden();

for (const [fault, damage] of Object.entries(storageFaults)) {
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
      const isMember = () => expect(page.locator("html")).toHaveAttribute("data-member", "");
      await page.getByRole("navigation", { name: t.frame.tabNav }).getByRole("link", { name: t.frame.news }).click();
      await expect(page).toHaveURL("/news");
      await isMember();
      await page.reload();
      await isMember();
      await page.goBack();
      await expect(page).toHaveURL("/user/info");
      await isMember();
      await page.getByRole("contentinfo").getByRole("link", { name: t.frame.ordersShort }).click();
      await expect(page).toHaveURL("/user/order/list");
      await isMember();
      await isWhole(page);
    });
  });
}
