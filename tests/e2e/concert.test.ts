import { logIn, logInHere, logInInactive } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test("a visitor sees the count, asks for it once after idle, and is sent to login on joining", async ({
    page,
    prefix,
    t,
  }) => {
    const calls: string[] = [];
    page.on("request", (request) => request.url().includes("/v1/marsx/") && calls.push(new URL(request.url()).pathname));
    await page.goto(prefix || "/");
    await expect(page.getByText("12.9W", { exact: true })).toBeVisible();
    await expect.poll(() => calls).toEqual(["/v1/marsx/getplan"]);
    await page.getByRole("button", { name: t.concert.join }).click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
  });

  test("a visitor joins by logging in, is in after a reload, and leaves", async ({ page, prefix, t }) => {
    await page.goto(prefix || "/");
    await page.getByRole("button", { name: t.concert.join }).click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
    await logInHere(page, prefix);
    await expect(page).toHaveURL(prefix || "/");
    // What they wanted is done; nobody has to want it twice.
    const button = page.getByRole("button", { name: t.concert.joined, exact: true });
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText(t.concert.yourDot)).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => [...Object.keys(localStorage)].sort()))
      .toEqual(["CHAT_TOKEN", "LOGIN_CONSENT", "TOKEN", "USER_INFO", "USER_TOKEN"]);
    await page.waitForLoadState("networkidle");
    await page.reload();
    await expect(button).toBeVisible();
    await button.click();
    await expect(page.getByRole("button", { name: t.concert.join })).toHaveAttribute("aria-pressed", "false");
    await page.waitForLoadState("networkidle");
    await page.reload();
    await page.waitForLoadState("networkidle");
    await expect(page.getByRole("button", { name: t.concert.join })).toBeVisible();
  });

  test("a member who is not activated is told to activate in the app", async ({ page, prefix, t }) => {
    await logInInactive(page, prefix);
    await page.goto(prefix || "/");
    await page.waitForLoadState("networkidle");
    await page.getByRole("button", { name: t.concert.join }).click();
    const notification = page.getByRole("region", { name: t.frame.notifications }).getByRole("listitem");
    await expect(notification).toContainText(t.concert.notActivated);
    await expect(notification).toContainText(t.concert.notActivatedHint);
    await expect(page.getByRole("button", { name: t.concert.join })).toHaveAttribute("aria-pressed", "false");
    await page.getByRole("button", { name: t.frame.closeNotification }).click();
    await expect(notification).toBeHidden();
  });

  test("closing the banner lasts for the page's life", async ({ page, prefix, t }) => {
    await page.goto(prefix || "/");
    await page.getByRole("button", { name: t.concert.close }).click();
    await expect(page.getByText("12.9W", { exact: true })).toBeHidden();
    await page.reload();
    await expect(page.getByText("12.9W", { exact: true })).toBeVisible();
  });

  test.describe("a banner that is switched", () => {
    test.use({ allowed: [/layout shift/] });
    test("shows and goes as the plan's isShow says", async ({ page, prefix, t }) => {
      // The page's own store, which its chunk keeps to itself.
      await page.route("**/_astro/PlanBanner*.js", async (route) => {
        const response = await route.fetch();
        const code = await response.text();
        const [, store] = /\b([\w$]+)=[\w$]+\(\{total:[^{}]*isShow:/.exec(code) ?? [];
        await route.fulfill({ response, body: `${code};window.plan=${store}` });
      });
      await logIn(page, prefix);
      await page.goto(prefix || "/");
      const join = page.getByRole("button", { name: t.concert.join });
      await expect(join).toBeVisible();
      await page.waitForFunction(() => "plan" in window);
      const show = (isShow: boolean) => page.evaluate((isShow) => Reflect.get(window, "plan").setKey("isShow", isShow), isShow);
      await show(false);
      await expect(join).toBeHidden();
      await show(true);
      await expect(join).toBeVisible();
    });
  });

  test.describe("without an answer", () => {
    test.use({ allowed: [/ERR_FAILED/] });
    test("joining is taken back, with words, when the host does not answer", async ({ page, prefix, t }) => {
      await logIn(page, prefix);
      await page.goto(prefix || "/");
      await page.waitForLoadState("networkidle");
      await page.route("**/v1/main/forwardCallApi", (route) => route.abort());
      await page.getByRole("button", { name: t.concert.join }).click();
      await expect(page.getByRole("region", { name: t.frame.notifications }).getByRole("listitem")).toContainText(
        t.concert.failed,
      );
      await expect(page.getByRole("button", { name: t.concert.join })).toHaveAttribute("aria-pressed", "false");
    });
  });
});
