import type { BrowserContext } from "@playwright/test";
import { concert } from "#i18n/concert.ts";
import { getLocale } from "#i18n/locale.ts";
import { contract } from "#src/api/contract.ts";
import { changeAnswers, logIn, logInInactive } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

/** Counts the requests for the concert token in all tabs. */
function countRequests(context: BrowserContext): () => number {
  let count = 0;
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === contract.userToken.path) count += 1;
  });
  return () => count;
}

inBothLanguages(() => {
  test("the concert token is requested once per session and tab, on any page, and again when it has run out", async ({
    page,
    prefix,
    context,
  }) => {
    const count = countRequests(context);
    await logIn(page);
    await page.goto(`${prefix}/news`);
    await expect.poll(count).toBe(1);
    await expect.poll(() => page.evaluate(() => localStorage.getItem("USER_TOKEN"))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    for (const path of ["/mall", "/user/info", "", "/event"]) {
      await page.goto(prefix + path || "/");
      await waitForIdle(page);
    }
    expect(count()).toBe(1);
    const other = await context.newPage();
    await other.goto(`${prefix}/about/terms`);
    await expect.poll(count).toBe(2);
    await page.clock.install({ time: Date.now() + 290_000 });
    await page.goto(`${prefix}/news`);
    await expect.poll(count).toBe(3);
    await page.goto(`${prefix}/mall`);
    await waitForIdle(page);
    expect(count()).toBe(3);
  });

  test("a token that does not say how long it is valid, and that of a member who is not activated, are requested once", {
    tag: "@full",
  }, async ({ page, prefix, context }) => {
    const count = countRequests(context);
    const pages = async () => {
      for (const path of ["/news", "", "/mall"]) {
        await page.goto(prefix + path || "/");
        await waitForIdle(page);
      }
    };
    await logInInactive(page);
    await pages();
    expect(count()).toBe(1);
    await changeAnswers(page, contract.userToken, ({ expires_in: _, ...data }) => data);
    await page.evaluate(() => localStorage.clear());
    await logIn(page);
    await pages();
    expect(count()).toBe(2);
  });

  test.describe("without a token", () => {
    test.use({ allowed: [/status of 500/] });
    test("joining says that the server has failed where it gives no token", async ({ page, prefix, t }) => {
      await page.route(`**${contract.userToken.path}`, (route) => route.fulfill({ status: 500, json: "" }));
      await logIn(page);
      await page.goto(prefix || "/");
      await waitForIdle(page);
      await page.getByRole("button", { name: concert[getLocale(prefix)].join }).click();
      const notification = page.getByRole("region", { name: t.frame.notifications }).getByRole("listitem");
      await expect(notification).toHaveText(t.state.server);
      await page.route(`**${contract.userToken.path}`, (route) =>
        route.fulfill({ json: { code: 1, msg: "", data: { app_user_token: "", chat_token: "", app_response_code: 1 } } }),
      );
      await page.getByRole("button", { name: concert[getLocale(prefix)].join }).click();
      await expect(notification.last()).toHaveText(t.state.unreadable);
    });
  });
});
