import { createMobile, waitForCode } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(
  () => {
    test.describe("before React has loaded", () => {
      test.beforeEach(async ({ page }) => {
        // Delays every script as a slow connection does.
        await page.route("**/_astro/*.js", async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          await route.continue();
        });
      });

      test("a click on the concert plan banner is replayed", async ({ page, prefix, t }) => {
        await page.goto(prefix || "/", { waitUntil: "commit" });
        await page.getByRole("button", { name: t.concert.join }).click();
        await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
      });

      test("Enter on the concert plan banner is replayed", { tag: "@full" }, async ({ page, prefix, t }) => {
        await page.goto(prefix || "/", { waitUntil: "commit" });
        await page.getByRole("button", { name: t.concert.join }).press("Enter");
        await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
      });

      test.describe("the close button of the concert plan banner", () => {
        // The page moves up long after the click that closed the banner.
        test.use({ allowed: [/layout shift/] });
        test("hides the banner", async ({ page, prefix, t }) => {
          await page.goto(prefix || "/", { waitUntil: "commit" });
          await page.getByRole("button", { name: t.concert.close }).click();
          await expect(page.getByText("12.9W", { exact: true })).toBeHidden();
        });
      });

      test("text and clicks in the login form are kept and the code is sent", async ({ page, prefix, t }) => {
        const mobile = createMobile();
        await page.goto(`${prefix}/user/login`, { waitUntil: "commit" });
        await page.getByLabel(t.session.username).fill(mobile);
        await page.getByRole("checkbox").click();
        await page.getByRole("button", { name: t.session.send }).click();
        await waitForCode(mobile);
        await expect(page.getByLabel(t.session.username)).toHaveValue(mobile);
      });

      test("Enter in the login form sends the code without a page load", async ({ page, prefix, t }) => {
        const mobile = createMobile();
        await page.goto(`${prefix}/user/login`, { waitUntil: "commit" });
        await page.getByLabel(t.session.username).fill(mobile);
        await page.getByRole("checkbox").click();
        await page.keyboard.press("Enter");
        await waitForCode(mobile);
        expect(new URL(page.url()).search).toBe("");
      });
    });
  },
  { tag: "@phone" },
);
