import { newMobile, sentCode } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(
  () => {
    test.describe("what a visitor does before React is there", () => {
      test.beforeEach(async ({ page }) => {
        // A slow line: every script is a while on its way.
        await page.route("**/_astro/*.js", async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          await route.continue();
        });
      });

      test("a click on the banner is carried out", async ({ page, prefix, t }) => {
        await page.goto(prefix || "/", { waitUntil: "commit" });
        await page.getByRole("button", { name: t.concert.join }).click();
        await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
      });

      test("so is Enter on it, by keyboard", async ({ page, prefix, t }) => {
        await page.goto(prefix || "/", { waitUntil: "commit" });
        await page.getByRole("button", { name: t.concert.join }).press("Enter");
        await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
      });

      test.describe("closing the banner", () => {
        // The page moves up later than the click that asked for it.
        test.use({ allowed: [/layout shift/] });
        test("works too, once", async ({ page, prefix, t }) => {
          await page.goto(prefix || "/", { waitUntil: "commit" });
          await page.getByRole("button", { name: t.concert.close }).click();
          await expect(page.getByText("12.9W", { exact: true })).toBeHidden();
        });
      });

      test("what was typed and clicked in a form is kept and sent", async ({ page, prefix, t }) => {
        const mobile = newMobile();
        await page.goto(`${prefix}/user/login`, { waitUntil: "commit" });
        await page.getByLabel(t.session.username).fill(mobile);
        await page.getByRole("checkbox").click();
        await page.getByRole("button", { name: t.session.send }).click();
        await sentCode(mobile);
        await expect(page.getByLabel(t.session.username)).toHaveValue(mobile);
      });

      test("a form sent by Enter does not leave the page, and is sent", async ({ page, prefix, t }) => {
        const mobile = newMobile();
        await page.goto(`${prefix}/user/login`, { waitUntil: "commit" });
        await page.getByLabel(t.session.username).fill(mobile);
        await page.getByRole("checkbox").click();
        await page.keyboard.press("Enter");
        await sentCode(mobile);
        expect(new URL(page.url()).search).toBe("");
      });
    });
  },
  { tag: "@phone" },
);
