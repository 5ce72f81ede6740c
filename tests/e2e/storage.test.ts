import type { Page } from "@playwright/test";
import { logInWithForm } from "./support/member.ts";
import { expect, test } from "./support/page.ts";
import { storageFaults } from "./support/storage-faults.ts";
import { waitForIdle } from "./support/watch.ts";

const expectNoFailure = (page: Page) => expect(page.locator("#failure")).toBeHidden();

for (const [fault, injectFault] of Object.entries(storageFaults)) {
  test.describe(`with ${fault} storage`, { tag: fault === "denied" ? ["@phone"] : ["@phone", "@full"] }, () => {
    test("every page works and the session lasts for the tab", async ({ page, t }) => {
      await page.addInitScript(injectFault);
      for (const path of ["/", "/event/spring", "/mall", "/user/ui"]) {
        await page.goto(path);
        await expect(page.locator("h1")).toBeVisible();
        await waitForIdle(page);
        await expectNoFailure(page);
      }
      const modes = page.getByRole("contentinfo");
      await modes.getByRole("button", { name: t.frame.dark }).click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
      await page.goto("/user/info");
      await expect(page).toHaveURL("/user/login?redirect=%2Fuser%2Finfo");
      const mobile = await logInWithForm(page, "");
      await expect(page).toHaveURL("/user/info");
      await expect(page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`).first()).toBeVisible();
      const expectMember = () => expect(page.locator("html")).toHaveAttribute("data-member", "");
      await page.getByRole("navigation", { name: t.frame.tabNav }).getByRole("link", { name: t.frame.news }).click();
      await expect(page).toHaveURL("/news");
      await expectMember();
      await page.reload();
      await expectMember();
      await page.goBack();
      await expect(page).toHaveURL("/user/info");
      await expectMember();
      await page.getByRole("contentinfo").getByRole("link", { name: t.frame.ordersShort }).click();
      await expect(page).toHaveURL("/user/order/list");
      await expectMember();
      await expectNoFailure(page);
    });
  });
}
