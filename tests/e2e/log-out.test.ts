import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test.describe("logging out", () => {
    test("requires confirmation, then clears all storage and leads to login", async ({ page, prefix, t }) => {
      await logIn(page);
      for (const path of ["/user/info", "/mall", "/user/info"]) await page.goto(prefix + path);
      await page.getByRole("button", { name: t.session.logOut }).click();
      const dialog = page.getByRole("dialog", { name: t.session.logOutTitle });
      await dialog.getByRole("button", { name: t.session.stay }).click();
      await expect(dialog).toBeHidden();
      await page.getByRole("button", { name: t.session.logOut }).click();
      await dialog.getByRole("button", { name: t.session.logOut }).click();
      await expect(page).toHaveURL(`${prefix}/user/login`);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      await page.goBack();
      await expect(page).toHaveURL(`${prefix}/mall`);
      await page.goBack();
      await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fuser%2Finfo`);
    });

    test("in one tab ends the session in another tab", async ({ page, prefix, t, context }) => {
      const mobile = await logIn(page);
      const other = await context.newPage();
      await other.goto(`${prefix}/user/info`);
      await expect(other.getByText(mobile.slice(-4)).first()).toBeVisible();
      await page.goto(`${prefix}/user/info`);
      await page.getByRole("button", { name: t.session.logOut }).click();
      await page.getByRole("dialog").getByRole("button", { name: t.session.logOut }).click();
      await expect(page).toHaveURL(`${prefix}/user/login`);
      await expect(other).toHaveURL(new RegExp(`${prefix}/user/login`));
      expect(await other.evaluate(() => Object.keys(localStorage))).toEqual([]);
    });

    test("in two tabs at once ends the session in both", { tag: "@full" }, async ({ page, prefix, t, context }) => {
      await logIn(page);
      const tabs = [page, await context.newPage()];
      for (const tab of tabs) {
        await tab.goto(`${prefix}/user/info`);
        await tab.getByRole("button", { name: t.session.logOut }).click();
      }
      await Promise.all(
        tabs.map((tab) =>
          tab
            .getByRole("dialog")
            .getByRole("button", { name: t.session.logOut })
            .click({ timeout: 3000 })
            .catch(() => {}),
        ),
      );
      for (const tab of tabs) await expect(tab).toHaveURL(new RegExp(`${prefix}/user/login`));
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    });

    test.describe("without a connection", () => {
      test.use({ allowed: [/ERR_INTERNET_DISCONNECTED/] });
      test("clears the token", async ({ page, prefix, t, context }) => {
        await logIn(page);
        await page.goto(`${prefix}/user/info`);
        await page.getByRole("button", { name: t.session.logOut }).click();
        await context.setOffline(true);
        await page
          .getByRole("dialog")
          .getByRole("button", { name: t.session.logOut })
          .click()
          .catch(() => {});
        await context.setOffline(false);
        await page.goto(`${prefix}/mall`);
        expect(await page.evaluate(() => localStorage.getItem("TOKEN"))).toBeNull();
      });
    });
  });

  // The page prefetches its orders before the server has reported the expired session.
  test.describe("a session unknown to the server", () => {
    test.use({ allowed: [/404 .*orderList/] });
    test("is dropped silently on a public page and redirects to login on a member page", async ({ page, prefix, t }) => {
      const storeUnknownToken = () => localStorage.setItem("TOKEN", "a-token-that-no-host-knows-0123456789");
      await page.goto(`${prefix}/news`);
      await page.evaluate(storeUnknownToken);
      await page.reload();
      await expect.poll(() => page.evaluate(() => localStorage.getItem("TOKEN"))).toBeNull();
      await expect(page).toHaveURL(`${prefix}/news`);
      await page.evaluate(storeUnknownToken);
      await page.goto(`${prefix}/user/order/list`);
      await expect(page).toHaveURL(new RegExp(`${prefix}/user/login\\?redirect=%2Fuser%2Forder%2Flist`));
      await expect(page.getByRole("heading", { name: t.session.heading })).toBeVisible();
    });
  });
});
