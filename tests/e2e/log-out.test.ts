import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test.describe("log-out", () => {
    test("asks first, then clears everything and leads to login", async ({ page, form, t }) => {
      await logIn(page, form);
      for (const path of ["/user/info", "/mall", "/user/info"]) await page.goto(form + path);
      await page.getByRole("button", { name: t.session.logOut }).click();
      const dialog = page.getByRole("dialog", { name: t.session.logOutTitle });
      await dialog.getByRole("button", { name: t.session.stay }).click();
      await expect(dialog).toBeHidden();
      await page.getByRole("button", { name: t.session.logOut }).click();
      await dialog.getByRole("button", { name: t.session.logOut }).click();
      await expect(page).toHaveURL(`${form}/user/login`);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      await page.goBack();
      await expect(page).toHaveURL(`${form}/mall`);
      await page.goBack();
      await expect(page).toHaveURL(`${form}/user/login?redirect=%2Fuser%2Finfo`);
    });

    test("in one tab ends the session in the other", async ({ page, form, t, context }) => {
      const mobile = await logIn(page, form);
      const other = await context.newPage();
      await other.goto(`${form}/user/info`);
      await expect(other.getByText(mobile.slice(-4)).first()).toBeVisible();
      await page.goto(`${form}/user/info`);
      await page.getByRole("button", { name: t.session.logOut }).click();
      await page.getByRole("dialog").getByRole("button", { name: t.session.logOut }).click();
      await expect(page).toHaveURL(`${form}/user/login`);
      await expect(other).toHaveURL(new RegExp(`${form}/user/login`));
      expect(await other.evaluate(() => Object.keys(localStorage))).toEqual([]);
    });

    test("in two tabs at once works in both", async ({ page, form, t, context }) => {
      await logIn(page, form);
      const tabs = [page, await context.newPage()];
      for (const tab of tabs) {
        await tab.goto(`${form}/user/info`);
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
      for (const tab of tabs) await expect(tab).toHaveURL(new RegExp(`${form}/user/login`));
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    });

    test.describe("offline", () => {
      test.use({ allowed: [/ERR_INTERNET_DISCONNECTED/] });
      test("works", async ({ page, form, t, context }) => {
        await logIn(page, form);
        await page.goto(`${form}/user/info`);
        await page.getByRole("button", { name: t.session.logOut }).click();
        await context.setOffline(true);
        await page
          .getByRole("dialog")
          .getByRole("button", { name: t.session.logOut })
          .click()
          .catch(() => {});
        await context.setOffline(false);
        await page.goto(`${form}/mall`);
        expect(await page.evaluate(() => localStorage.getItem("TOKEN"))).toBeNull();
      });
    });
  });

  // What the page asks for before the host has said that the session is over.
  test.describe("a session that the host does not know", () => {
    test.use({ allowed: [/404 .*orderList/] });
    test("ends in place on a public page, and leads to login on a member's", async ({ page, form, t }) => {
      const stored = () => localStorage.setItem("TOKEN", "a-token-that-no-host-knows-0123456789");
      await page.goto(`${form}/news`);
      await page.evaluate(stored);
      await page.reload();
      await expect.poll(() => page.evaluate(() => localStorage.getItem("TOKEN"))).toBeNull();
      await expect(page).toHaveURL(`${form}/news`);
      await page.evaluate(stored);
      await page.goto(`${form}/user/order/list`);
      await expect(page).toHaveURL(new RegExp(`${form}/user/login\\?redirect=%2Fuser%2Forder%2Flist`));
      await expect(page.getByRole("heading", { name: t.session.heading })).toBeVisible();
    });
  });
});
