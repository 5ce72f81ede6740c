import type { Page } from "@playwright/test";
import { acceptTerms, createMobile, logIn, logOut, waitForCode } from "./support/member.ts";
import { expect, holdOnce, inBothLanguages, test } from "./support/page.ts";

/** Fills the form of the login page and sends it. */
async function requestCode(page: Page, t: Record<"username" | "send", string>, mobile: string): Promise<void> {
  await page.getByLabel(t.username).fill(mobile);
  await acceptTerms(page);
  await page.getByRole("button", { name: t.send }).click();
}

inBothLanguages(() => {
  test.describe("login", () => {
    test("accepts the code that the server sent and returns to the requested page", async ({ page, prefix, t }) => {
      const mobile = createMobile();
      await page.goto(`${prefix}/user/info`);
      await expect(page).toHaveURL(new RegExp(`${prefix}/user/login\\?redirect=%2Fuser%2Finfo$`));
      await requestCode(page, t.session, `+86 ${mobile}`);
      await expect(page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`)).toBeVisible();
      await expect(page.getByLabel(t.session.code, { exact: true })).toBeFocused();
      // The sixth digit submits the form.
      const code = await waitForCode(mobile);
      const inFullWidth = code.slice(0, 3).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
      await page.keyboard.type(`${inFullWidth} ${code.slice(3)}`);
      await expect(page).toHaveURL(`${prefix}/user/info`);
      await expect(page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`)).toBeVisible();
    });

    test("accepts a code that arrives before the response to its request", async ({ page, prefix, t }) => {
      const mobile = createMobile();
      await page.goto(`${prefix}/user/login?redirect=%2Fuser%2Finfo`);
      await page.getByLabel(t.session.username).fill(mobile);
      await acceptTerms(page);
      const { answered, respond } = await holdOnce(page, "/VerificationCode/send");
      await page.getByRole("button", { name: t.session.send }).click();
      await answered;
      await page.getByLabel(t.session.code, { exact: true }).fill(await waitForCode(mobile));
      await expect(page).toHaveURL(`${prefix}/user/info`);
      respond();
    });

    test("shows missing fields and the server's errors, and keeps the input", async ({ page, prefix, t }) => {
      const mobile = createMobile();
      await page.goto(`${prefix}/user/login`);
      // Without a code, the way in is to ask for one.
      await expect(page.getByRole("button", { name: t.session.submit, exact: true })).toHaveCount(0);
      await page.getByRole("button", { name: t.session.send }).click();
      await expect(page.getByText(t.session.needUsername)).toBeVisible();
      await requestCode(page, t.session, "1");
      await expect(page.getByRole("alert").filter({ hasText: t.field.username })).toBeVisible();
      await expect(page.getByLabel(t.session.username)).toHaveValue("1");
      await page.getByLabel(t.session.username).fill("1 (415) 555-2671");
      await page.getByRole("button", { name: t.session.send }).click();
      await expect(page.getByLabel(t.session.username)).toHaveAccessibleDescription(t.field.mainland);
      await page.getByLabel(t.session.username).fill(mobile);
      await page.getByRole("button", { name: t.session.send }).click();
      const rightCode = await waitForCode(mobile);
      const wrongCode = rightCode === "000000" ? "000001" : "000000";
      await page.getByLabel(t.session.code, { exact: true }).fill(wrongCode);
      const code = page.getByLabel(t.session.code, { exact: true });
      await expect(code).toHaveAccessibleDescription(new RegExp(t.code.wrongCode));
      await expect(code).toBeFocused();
      // The error is shown only once.
      await expect(page.getByText(t.code.wrongCode)).toHaveCount(1);
      await page.getByRole("button", { name: t.session.submit, exact: true }).click();
      await expect(page.getByText(t.code.wrongCode)).toHaveCount(1);
      await expect(page.getByLabel(t.session.username)).toHaveValue(mobile);
      await expect(page.getByLabel(t.session.code, { exact: true })).toHaveValue(wrongCode);
    });

    test("sends no code before the terms are accepted, and stores the consent on the device", async ({ page, prefix, t }) => {
      const mobile = createMobile();
      const sent: string[] = [];
      page.on("request", (request) => request.url().endsWith("/VerificationCode/send") && sent.push(request.url()));
      await page.goto(`${prefix}/user/login`);
      const box = page.getByRole("checkbox");
      await expect(box).not.toBeChecked();
      await expect(page.getByRole("main").getByRole("link", { name: t.session.terms })).toHaveAttribute(
        "href",
        `${prefix}/about/terms`,
      );
      await page.getByLabel(t.session.username).fill(mobile);
      await page.getByRole("button", { name: t.session.send }).click();
      const error = page.getByRole("alert").filter({ hasText: t.session.needConsent });
      await expect(error).toBeVisible();
      await expect(box).toBeFocused();
      await expect(box).toHaveAccessibleDescription(t.session.needConsent);
      await page.getByLabel(t.session.username).press("Enter");
      await page.getByLabel(t.session.code, { exact: true }).fill("123456");
      await page.getByRole("button", { name: t.session.submit, exact: true }).click();
      await expect(box).toBeFocused();
      expect(sent).toEqual([]);
      await page.keyboard.press("Space");
      await expect(box).toBeChecked();
      await expect(error).toBeHidden();
      await page.getByRole("button", { name: t.session.send }).click();
      await waitForCode(mobile);
      await page.reload();
      await expect(box).toBeChecked();
      await box.uncheck();
      await page.reload();
      await page.getByLabel(t.session.username).fill(createMobile());
      await expect(box).not.toBeChecked();
    });

    test("continues the countdown after a reload, and sends a code to a corrected number without waiting for it", {
      tag: "@full",
    }, async ({ page, prefix, t }) => {
      const [mistyped, right] = [createMobile(), createMobile()];
      const sentTo = (mobile: string) => page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`);
      const username = page.getByLabel(t.session.username);
      await page.goto(`${prefix}/user/login`);
      await username.fill(mistyped);
      await acceptTerms(page);
      await page.getByRole("button", { name: t.session.send }).click();
      await waitForCode(mistyped);
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
      await page.reload();
      await expect(sentTo(mistyped)).toBeVisible();
      await expect(username).toHaveValue(mistyped);
      await expect(page.getByText(/\b[45]\d\b/)).toBeVisible();
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
      await username.fill(right);
      await expect(page.getByRole("button", { name: t.session.send })).toBeEnabled();
      await expect(sentTo(mistyped)).toBeHidden();
      await expect(page.getByText(t.session.codeHint)).toBeVisible();
      await username.press("Enter");
      await waitForCode(right);
      await expect(sentTo(right)).toBeVisible();
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
    });

    test("offers another code when the pause is over", { tag: "@full" }, async ({ page, prefix, t }) => {
      await page.clock.install();
      await page.goto(`${prefix}/user/login`);
      await requestCode(page, t.session, createMobile());
      const resend = page.getByRole("button", { name: t.session.resend });
      await expect(resend).toBeDisabled();
      await page.clock.runFor(61_000);
      await expect(resend).toBeEnabled();
    });

    test("redirects a member to the target on this site only", async ({ page, prefix }) => {
      await logIn(page);
      await page.goto(`${prefix}/user/login?redirect=/mall`);
      await expect(page).toHaveURL(`${prefix}/mall`);
      // unit/redirect.test.ts has every kind.
      for (const hostile of ["//evil.example", "/%5Cevil.example"]) {
        await page.goto(`${prefix}/user/login?redirect=${hostile}`);
        await expect(page).toHaveURL(prefix || "/");
      }
    });

    test("shows the waiting time when a second code is requested too early", { tag: "@full" }, async ({ page, prefix, t }) => {
      const mobile = createMobile();
      await page.goto(`${prefix}/user/login`);
      for (const round of [1, 2]) {
        await requestCode(page, t.session, mobile);
        if (round === 2) break;
        await expect(page.getByRole("button", { name: t.session.resend })).toBeVisible();
        await page.evaluate(() => sessionStorage.clear());
        await page.reload();
      }
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
      await expect(page.locator("form").getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(1);
    });
  });

  test("logging out ends the session at the server, though the page goes at once", { tag: "@desktop" }, async ({
    page,
    prefix,
    t,
  }) => {
    await logIn(page);
    const token = await page.evaluate(() => localStorage.getItem("TOKEN") ?? "");
    const getCode = async () => (await (await page.request.get("/v1/user/info", { headers: { token } })).json()).code;
    expect(await getCode()).toBe(1);
    await page.goto(`${prefix}/user/info`);
    await logOut(page, t.session.logOut);
    await expect(page).toHaveURL(`${prefix}/user/login`);
    await expect.poll(getCode).toBe(10001);
  });

  test("the header shows the initial of the member's name, before the first paint", async ({ page, prefix, t }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await logIn(page);
    // The scripts from files are on their way: only the one in the head has run.
    await page.route("**/_astro/*.js", () => {});
    for (const [nickname, initial] of [
      ["小满", "小"],
      ["\u201cAnna\u201d Bell", "A"],
    ] as const) {
      await page.evaluate((name) => {
        localStorage.setItem(
          "USER_INFO",
          JSON.stringify({ ...JSON.parse(localStorage.getItem("USER_INFO") ?? ""), nickname: name }),
        );
      }, nickname);
      await page.goto(`${prefix}/event`, { waitUntil: "commit" });
      const me = page.getByRole("banner").getByRole("link", { name: t.frame.me, exact: true });
      await expect(me).toBeVisible();
      expect(await me.evaluate((link) => getComputedStyle(link, "::before").content)).toBe(`"${initial}"`);
    }
  });

  test("the profile's avatar has the initial of the header", { tag: "@full" }, async ({ page, prefix }) => {
    await logIn(page);
    await page.goto(`${prefix}/user/info`);
    const avatar = page.getByRole("main").locator(".avatar").first();
    await expect(avatar).toHaveText(/\S/);
    const getInitial = () => page.evaluate(() => document.documentElement.style.getPropertyValue("--me"));
    await expect(async () => expect(`"${await avatar.innerText()}"`).toBe(await getInitial())).toPass();
  });
});
