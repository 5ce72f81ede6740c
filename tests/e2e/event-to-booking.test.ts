import type { Page } from "@playwright/test";
import { activity } from "../../i18n/activity.ts";
import { getLocale } from "../../i18n/locale.ts";
import { memberPage } from "../../i18n/member-page.ts";
import { ask } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const main = (page: Page) => page.getByRole("main");
/** The signs on the page that lead in: what is green. */
const signs = (page: Page) => main(page).locator(".sign:visible");

/** The server answers that an activity has this status. */
async function answerStatus(page: Page, activity_uid: string, status: string): Promise<void> {
  await page.route("**/v1/activity/info", async (route) => {
    const answer = await route.fetch();
    const envelope = await answer.json();
    for (const one of envelope.data.list) if (one.activity_uid === activity_uid) one.status = status;
    await route.fulfill({ response: answer, json: envelope });
  });
}

inBothLanguages(() => {
  for (const who of ["visitor", "member"] as const) {
    test.describe(`a ${who}`, () => {
      test.beforeEach(async ({ page, prefix }) => {
        if (who === "member") await logIn(page, prefix);
      });

      test("is offered a place at an open event, within reach of the thumb", async ({ page, prefix }) => {
        const t = activity[getLocale(prefix)];
        // The lowest of today's phones.
        if ((page.viewportSize()?.width ?? 0) < 768) await page.setViewportSize({ width: 375, height: 667 });
        await page.goto(`${prefix}/event/echo`);
        await expect(main(page).getByRole("link", { name: t.book })).toBeInViewport({ ratio: 1 });
        await page.waitForLoadState("networkidle");
        await expect(signs(page)).toHaveCount(1);
        const accent = await page.evaluate(() => {
          const probe = document.createElement("i");
          probe.style.color = "var(--accent)";
          document.body.append(probe);
          const { color } = getComputedStyle(probe);
          probe.remove();
          return color;
        });
        await expect(signs(page)).toHaveCSS("background-color", accent);
      });

      test("reads that a full event is full, and is led to others", async ({ page, prefix }) => {
        const t = activity[getLocale(prefix)];
        await page.goto(`${prefix}/event/glass`);
        await expect(main(page).locator(".door-shut").getByText(t.full, { exact: true })).toBeVisible();
        await expect(main(page).getByRole("link", { name: t.others })).toBeVisible();
        await page.waitForLoadState("networkidle");
        await expect(signs(page)).toHaveCount(0);
      });

      test("reads when booking opens", async ({ page, prefix }) => {
        const [before = "", after = ""] = activity[getLocale(prefix)].notOpen.split("{date}");
        await page.goto(`${prefix}/event/midnight`);
        await expect(main(page).locator(".way .door-shut b")).toHaveText(new RegExp(`^${before}\\d\\d\\.\\d\\d${after}$`));
        await page.waitForLoadState("networkidle");
        await expect(signs(page)).toHaveCount(0);
      });

      test("reads that booking has closed since the site was built", async ({ page, prefix }) => {
        await answerStatus(page, "slow", "closed");
        await page.goto(`${prefix}/event/slow`);
        await expect(
          main(page).locator(".door-shut").getByText(activity[getLocale(prefix)].closed, { exact: true }),
        ).toBeVisible();
        await expect(signs(page)).toHaveCount(0);
      });
    });
  }

  test("a member who has booked is led to the ticket, from the event and from their own page", async ({ page, prefix }) => {
    const t = activity[getLocale(prefix)];
    await logIn(page, prefix);
    const { activity: booked } = await ask(page, "/v1/activity/booking", { activity_uid: "entrance" });
    await page.goto(`${prefix}/event/entrance`);
    const ticket = main(page).getByRole("link", { name: t.ticket });
    await expect(ticket).toContainText(booked.check_in_code);
    await expect(signs(page)).toHaveCount(0);
    await ticket.click();
    await expect(page).toHaveURL(`${prefix}/mall/order_event/entrance`);
    await page.goto(`${prefix}/user/info`);
    await page
      .getByRole("article")
      .filter({ hasText: memberPage[getLocale(prefix)].booked })
      .getByRole("link")
      .first()
      .click();
    await expect(page).toHaveURL(`${prefix}/mall/order_event/entrance`);
  });

  test("Back from booking does not offer the place again", async ({ page, prefix }) => {
    const t = activity[getLocale(prefix)];
    await logIn(page, prefix);
    await page.goto(`${prefix}/event/echo`);
    await expect(main(page).getByRole("link", { name: t.book })).toBeVisible();
    await page.goto(`${prefix}/mall`);
    await ask(page, "/v1/activity/booking", { activity_uid: "echo" });
    await page.goBack();
    await expect(main(page).getByRole("link", { name: t.ticket })).toBeVisible();
    await expect(signs(page)).toHaveCount(0);
  });
});
