import { event } from "#i18n/event.ts";
import { getLocale } from "#i18n/locale.ts";
import { logIn, logInInactive, logInWithForm } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

inBothLanguages(() => {
  test("the concert plan shows a visitor the built count, requests it once after idle and sends them to login on joining", async ({
    page,
    prefix,
    t,
  }) => {
    const calls: string[] = [];
    page.on("request", (request) => request.url().includes("/v1/marsx/") && calls.push(new URL(request.url()).pathname));
    await page.goto(prefix || "/");
    await expect(page.getByText("12.9W", { exact: true })).toBeVisible();
    // W stands for 10,000 in Chinese alone.
    if (prefix) await expect(page.getByText(/129,000/).filter({ visible: true })).toHaveCount(1);
    await expect.poll(() => calls).toEqual(["/v1/marsx/getplan"]);
    await page.getByRole("button", { name: t.concert.join }).click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
  });

  test("a visitor joins the concert plan by logging in, is still joined after a reload, and leaves", async ({
    page,
    prefix,
    t,
  }) => {
    await page.goto(prefix || "/");
    await page.getByRole("button", { name: t.concert.join }).click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2F`);
    await logInWithForm(page, prefix);
    await expect(page).toHaveURL(prefix || "/");
    // The login has carried out the join; no second press is needed.
    const button = page.getByRole("button", { name: t.concert.joined, exact: true });
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText(/黄色那个点里有你|You are in the yellow one/)).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => [...Object.keys(localStorage)].sort()))
      .toEqual(["CHAT_TOKEN", "LOGIN_CONSENT", "TOKEN", "USER_INFO", "USER_TOKEN"]);
    await waitForIdle(page);
    await page.reload();
    await expect(button).toBeVisible();
    await button.click();
    await expect(page.getByRole("button", { name: t.concert.join })).toHaveAttribute("aria-pressed", "false");
    await waitForIdle(page);
    await page.reload();
    await waitForIdle(page);
    await expect(page.getByRole("button", { name: t.concert.join })).toBeVisible();
  });

  test("joining the concert plan shows a member who is not activated how to activate in the app", { tag: "@full" }, async ({
    page,
    prefix,
    t,
  }) => {
    await logInInactive(page);
    await page.goto(prefix || "/");
    await waitForIdle(page);
    await page.getByRole("button", { name: t.concert.join }).click();
    const notification = page.getByRole("region", { name: t.frame.notifications }).getByRole("listitem");
    await expect(notification).toContainText(t.concert.notActivated);
    await expect(notification).toContainText(t.concert.notActivatedHint);
    await expect(page.getByRole("button", { name: t.concert.join })).toHaveAttribute("aria-pressed", "false");
    await page.getByRole("button", { name: t.frame.closeNotification }).click();
    await expect(notification).toBeHidden();
  });

  test.describe("the banner of the concert plan", () => {
    // A press that waits for the banner's script moves the page later than the browser counts to it.
    test.use({ allowed: [/layout shift/] });
    test("closing the concert plan leaves the page its heading and the show, moves the focus on, and lasts for the tab", async ({
      context,
      page,
      prefix,
      t,
    }) => {
      const open = async (tab: typeof page) => {
        await tab.goto(prefix || "/");
        return {
          join: tab.getByRole("button", { name: t.concert.join }),
          row: tab.locator("main li[data-in-banner]"),
        };
      };
      const { join, row } = await open(page);
      await expect(join).toBeVisible();
      await expect(row).toBeHidden();
      await page.getByRole("button", { name: t.concert.close }).focus();
      await page.keyboard.press("Enter");
      await expect(join).toBeHidden();
      await expect(page.getByRole("heading", { level: 2, name: event[getLocale(prefix)].comingUp })).toBeFocused();
      const expectClosed = async () => {
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        await expect(row.getByRole("heading", { level: 3 }).getByRole("link")).toBeVisible();
        const [header, section] = [
          await page.locator("header").boundingBox(),
          await page.locator("main .section-head").first().boundingBox(),
        ];
        expect((section?.y ?? 0) - (header?.height ?? 0)).toBeLessThanOrEqual(48);
      };
      await expectClosed();
      // Decided before the island's script runs.
      await page.route("**/_astro/ConcertBanner*.js", () => {});
      await page.reload();
      await expect(join).toBeHidden();
      await expectClosed();
      const other = await open(await context.newPage());
      await expect(other.join).toBeVisible();
      await expect(other.row).toBeHidden();
    });
  });

  test("the banner of a show that is over is not shown on a page from before, also to members", async ({ page, prefix, t }) => {
    await page.goto(prefix || "/");
    const ends = await page.locator("script[data-show-ends]").getAttribute("data-show-ends");
    const join = page.getByRole("button", { name: t.concert.join });
    const visit = async (time: number) => {
      await page.clock.setFixedTime(time);
      await page.goto(prefix || "/");
      await waitForIdle(page);
    };
    await visit(Date.parse(ends ?? "") - 1000);
    await expect(join).toBeVisible();
    await visit(Date.parse(ends ?? ""));
    await expect(join).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("[data-in-banner]")).toHaveCount(0);
    await logIn(page);
    await visit(Date.parse(ends ?? ""));
    await expect(join).toBeHidden();
    await expect(page.locator(".plan")).toHaveCount(0);
  });
});

test("the open dot of the concert plan fills when a member joins, and does not move where motion is reduced", {
  tag: "@full",
}, async ({ page, t }) => {
  await logIn(page);
  const getDot = () =>
    page.locator(".plan .queue b").evaluate((one) => {
      const { backgroundColor, animationName, transitionDuration } = getComputedStyle(one, "::after");
      return { backgroundColor, isMoving: animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration) };
    });
  for (const [reducedMotion, isMoving] of [
    ["no-preference", true],
    ["reduce", false],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto("/");
    await waitForIdle(page);
    expect(await getDot()).toEqual({ backgroundColor: "rgba(0, 0, 0, 0)", isMoving });
    await page.getByRole("button", { name: t.concert.join }).click();
    await expect.poll(getDot).toEqual({ backgroundColor: "rgb(255, 210, 26)", isMoving });
    await page.getByRole("button", { name: t.concert.joined, exact: true }).click();
    await expect(page.getByRole("button", { name: t.concert.join })).toBeVisible();
    await waitForIdle(page);
  }
});
