import { agree, logIn, newMobile, sentCode } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test.describe("login", () => {
    test("takes the code that the host printed, and leads to where the visitor was going", async ({ page, prefix, t }) => {
      const mobile = newMobile();
      await page.goto(`${prefix}/user/info`);
      await expect(page).toHaveURL(new RegExp(`${prefix}/user/login\\?redirect=%2Fuser%2Finfo$`));
      await page.getByLabel(t.session.username).fill(`+86 ${mobile}`);
      await agree(page);
      await page.getByRole("button", { name: t.session.send }).click();
      await expect(page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`)).toBeVisible();
      await expect(page.getByLabel(t.session.code, { exact: true })).toBeFocused();
      // The sixth digit sends it.
      await page.keyboard.type(await sentCode(mobile));
      await expect(page).toHaveURL(`${prefix}/user/info`);
      await expect(page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`)).toBeVisible();
    });

    test("says what is missing, keeps what was typed, and shows the host's refusal", async ({ page, prefix, t }) => {
      const mobile = newMobile();
      await page.goto(`${prefix}/user/login`);
      await page.getByRole("button", { name: t.session.submit, exact: true }).click();
      await expect(page.getByText(t.session.needUsername)).toBeVisible();
      await page.getByLabel(t.session.username).fill("1");
      await agree(page);
      await page.getByRole("button", { name: t.session.send }).click();
      await expect(page.getByRole("alert").filter({ hasText: t.field.username })).toBeVisible();
      await expect(page.getByLabel(t.session.username)).toHaveValue("1");
      await page.getByLabel(t.session.username).fill(mobile);
      await page.getByRole("button", { name: t.session.send }).click();
      const right = await sentCode(mobile);
      const wrong = right === "000000" ? "000001" : "000000";
      await page.getByLabel(t.session.code, { exact: true }).fill(wrong);
      const code = page.getByLabel(t.session.code, { exact: true });
      await expect(code).toHaveAccessibleDescription(new RegExp(t.code.wrongCode));
      await expect(code).toBeFocused();
      // It is said once.
      await expect(page.getByText(t.code.wrongCode)).toHaveCount(1);
      await page.getByRole("button", { name: t.session.submit, exact: true }).click();
      await expect(page.getByText(t.code.wrongCode)).toHaveCount(1);
      await expect(page.getByLabel(t.session.username)).toHaveValue(mobile);
      await expect(page.getByLabel(t.session.code, { exact: true })).toHaveValue(wrong);
    });

    test("sends no code before the terms are accepted, and remembers on the device that they are", async ({
      page,
      prefix,
      t,
    }) => {
      const mobile = newMobile();
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
      await sentCode(mobile);
      await page.reload();
      await expect(box).toBeChecked();
      await box.uncheck();
      await page.reload();
      await page.getByLabel(t.session.username).fill(newMobile());
      await expect(box).not.toBeChecked();
    });

    test("counts down to the next code, through a reload", async ({ page, prefix, t }) => {
      const mobile = newMobile();
      await page.goto(`${prefix}/user/login`);
      await page.getByLabel(t.session.username).fill(mobile);
      await agree(page);
      await page.getByRole("button", { name: t.session.send }).click();
      await sentCode(mobile);
      await page.reload();
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
      await expect(page.getByLabel(t.session.username)).toHaveValue(mobile);
      await expect(page.getByText(/\b[45]\d\b/)).toBeVisible();
    });

    test("lets the right number have its code at once after a mistyped one", async ({ page, prefix, t }) => {
      const [mistyped, right] = [newMobile(), newMobile()];
      const sentTo = (mobile: string) => page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`);
      const username = page.getByLabel(t.session.username);
      await page.goto(`${prefix}/user/login`);
      await username.fill(mistyped);
      await agree(page);
      await page.getByRole("button", { name: t.session.send }).click();
      await sentCode(mistyped);
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
      await page.reload();
      await expect(sentTo(mistyped)).toBeVisible();
      await username.fill(right);
      await expect(page.getByRole("button", { name: t.session.send })).toBeEnabled();
      await expect(sentTo(mistyped)).toBeHidden();
      await expect(page.getByText(t.session.codeHint)).toBeVisible();
      await username.press("Enter");
      await sentCode(right);
      await expect(sentTo(right)).toBeVisible();
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
    });

    test("ticks until the pause is over, and no longer", async ({ page, prefix, t }) => {
      await page.clock.install();
      await page.addInitScript(() => {
        const ticking = new Set<number>();
        const { setInterval: begin, clearInterval: stop } = window;
        Object.assign(window, {
          ticking,
          setInterval(...given: Parameters<typeof begin>) {
            const timer = Number(begin(...given));
            ticking.add(timer);
            return timer;
          },
          clearInterval(timer: number) {
            ticking.delete(timer);
            stop(timer);
          },
        });
      });
      const ticking = () => page.evaluate(() => Reflect.get(window, "ticking").size);
      await page.goto(`${prefix}/user/login`);
      await page.getByLabel(t.session.username).fill(newMobile());
      await agree(page);
      const before = await ticking();
      await page.getByRole("button", { name: t.session.send }).click();
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
      expect(await ticking()).toBe(before + 1);
      await page.clock.runFor(61_000);
      await expect(page.getByRole("button", { name: t.session.resend })).toBeEnabled();
      expect(await ticking()).toBe(before);
    });

    test("is skipped by whoever is logged in, to a place of ours whatever the redirect says", async ({ page, prefix }) => {
      await logIn(page, prefix);
      await page.goto(`${prefix}/user/login?redirect=/mall`);
      await expect(page).toHaveURL(`${prefix}/mall`);
      for (const hostile of [
        "//evil.example",
        "/..//evil.example",
        "blob:x",
        "https%3A%2F%2Fevil.example",
        "/%5Cevil.example",
      ]) {
        await page.goto(`${prefix}/user/login?redirect=${hostile}`);
        await expect(page).toHaveURL(prefix || "/");
      }
    });

    test("sends a repeated try away with the time to wait", async ({ page, prefix, t }) => {
      const mobile = newMobile();
      await page.goto(`${prefix}/user/login`);
      for (const round of [1, 2]) {
        await page.getByLabel(t.session.username).fill(mobile);
        await agree(page);
        await page.getByRole("button", { name: t.session.send }).click();
        if (round === 2) break;
        await expect(page.getByRole("button", { name: t.session.resend })).toBeVisible();
        await page.evaluate(() => sessionStorage.clear());
        await page.reload();
      }
      await expect(page.getByRole("button", { name: t.session.resend })).toBeDisabled();
      await expect(page.locator("form").getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(1);
    });
  });
});
