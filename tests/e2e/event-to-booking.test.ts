import type { Page } from "@playwright/test";
import { activity } from "../../i18n/activity.ts";
import { campaign } from "../../i18n/campaign.ts";
import { getLocale } from "../../i18n/locale.ts";
import { memberPage } from "../../i18n/member.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer, logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const main = (page: Page) => page.getByRole("main");
/** The visible green call-to-action buttons of the page. */
const getCallsToAction = (page: Page) => main(page).locator(".sign:visible");

/** Replaces the status of an activity in the server's response. */
async function replaceStatus(page: Page, activity_uid: string, status: string): Promise<void> {
  await page.route("**/v1/activity/info", async (route) => {
    const response = await route.fetch();
    const envelope = await response.json();
    for (const one of envelope.data.list) if (one.activity_uid === activity_uid) one.status = status;
    await route.fulfill({ response: response, json: envelope });
  });
}

inBothLanguages(() => {
  for (const role of ["visitor", "member"] as const) {
    test.describe(`a ${role}`, { tag: role === "member" ? ["@full"] : [] }, () => {
      test.beforeEach(async ({ page }) => {
        if (role === "member") await logIn(page);
      });

      test("sees the booking link of an open event without scrolling", async ({ page, prefix }) => {
        const t = activity[getLocale(prefix)];
        // The smallest phone screen in common use.
        if ((page.viewportSize()?.width ?? 0) < 768) await page.setViewportSize({ width: 375, height: 667 });
        await page.goto(`${prefix}/event/echo`);
        await expect(main(page).getByRole("link", { name: t.book })).toBeInViewport({ ratio: 1 });
        await waitForIdle(page);
        await expect(getCallsToAction(page)).toHaveCount(1);
        const accent = await page.evaluate(() => {
          const probe = document.createElement("i");
          probe.style.color = "var(--accent)";
          document.body.append(probe);
          const { color } = getComputedStyle(probe);
          probe.remove();
          return color;
        });
        await expect(getCallsToAction(page)).toHaveCSS("background-color", accent);
      });

      test("sees that a full event is full, and a link to other events", async ({ page, prefix }) => {
        const t = activity[getLocale(prefix)];
        await page.goto(`${prefix}/event/glass`);
        await expect(main(page).locator(".door-shut").getByText(t.full, { exact: true })).toBeVisible();
        // The next show with places, by its date.
        await main(page).locator(".door-shut").getByRole("link", { name: t.next }).click();
        await expect(page).toHaveURL(/\/event\/(?!glass)\w+$/);
        await expect(main(page).getByRole("link", { name: t.book })).toBeVisible();
        await page.goBack();
        await waitForIdle(page);
        await expect(getCallsToAction(page)).toHaveCount(0);
      });

      test("sees the date on which booking opens", async ({ page, prefix }) => {
        await page.goto(`${prefix}/event/midnight`);
        await expect(main(page).locator(".way [data-date]")).toHaveText(/^\d\d\.\d\d$/);
        await expect(main(page).getByText(activity[getLocale(prefix)].opens, { exact: true })).toBeVisible();
        await waitForIdle(page);
        await expect(getCallsToAction(page)).toHaveCount(0);
      });

      test("sees that booking closed after the site was built", async ({ page, prefix }) => {
        await replaceStatus(page, "slow", "closed");
        await page.goto(`${prefix}/event/slow`);
        await expect(
          main(page).locator(".door-shut").getByText(activity[getLocale(prefix)].closed, { exact: true }),
        ).toBeVisible();
        await expect(getCallsToAction(page)).toHaveCount(0);
      });
    });
  }

  test("the event page and the member page link to the ticket of a member who has booked", async ({ page, prefix }) => {
    const t = activity[getLocale(prefix)];
    await logIn(page);
    const { activity: booked } = await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
    await page.goto(`${prefix}/event/entrance`);
    const ticket = main(page).getByRole("link", { name: t.ticket });
    // As people read it out.
    await expect(ticket).toContainText(booked.check_in_code?.replace(/^.{4}/, "$& ") ?? "no code");
    await expect(main(page).locator("[data-activity=entrance]")).toHaveText(t.mine);
    await expect(getCallsToAction(page)).toContainText([t.ticket]);
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

  test("a stop that has begun cannot be chosen, and a pre-registration that is checked in cannot be changed", {
    tag: "@phone",
  }, async ({ page, prefix }) => {
    const t = campaign[getLocale(prefix)];
    await logIn(page);
    const payload = { campaign: "spring", stop: "wuhan", name: "Anna", mobile: "13800138000", party_size: 1, note: "" };
    await callServer(page, contract.makeBooking, payload);
    let isCheckedIn = false;
    await page.route("**/v1/booking/info", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const { booking, campaign, server_time } = json.data;
      for (const stop of campaign.stops) if (stop.stop === "chengdu") stop.starts_at = server_time;
      if (isCheckedIn) booking.actions = { cancel: false, change: false };
      await route.fulfill({ response, json });
    });
    await page.goto(`${prefix}/event/spring`);
    await expect(page.locator("[name=stop]:checked")).toHaveValue("wuhan");
    await expect(page.locator('[name=stop][value="chengdu"]')).toBeDisabled();
    isCheckedIn = true;
    await page.reload();
    await expect(page.getByText(t.checkedIn)).toBeVisible();
    await expect(page.locator(".booking-form")).toHaveCount(0);
    await page.goto(`${prefix}/user/info`);
    await expect(page.getByText(t.checkedIn)).toBeVisible();
    await expect(page.getByRole("button", { name: t.change })).toHaveCount(0);
  });

  test("the event page shows the ticket instead of the booking link after Back from booking", async ({ page, prefix }) => {
    const t = activity[getLocale(prefix)];
    await logIn(page);
    await page.goto(`${prefix}/event/echo`);
    await expect(main(page).getByRole("link", { name: t.book })).toBeVisible();
    await page.goto(`${prefix}/mall`);
    await callServer(page, contract.activityBooking, { activity_uid: "echo" });
    await page.goBack();
    await expect(main(page).getByRole("link", { name: t.ticket })).toBeVisible();
    await expect(getCallsToAction(page)).toContainText([t.ticket]);
  });
});

test("an event page has room above its footer, whatever its last block is", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/event/echo");
  const blocks = main(page).locator("article section");
  for (let count = await blocks.count(); count > 1; count -= 1) {
    const last = await blocks.last().boundingBox();
    const footer = await page.locator("footer").last().boundingBox();
    expect((footer?.y ?? 0) - ((last?.y ?? 0) + (last?.height ?? 0))).toBeGreaterThan(40);
    await blocks.last().evaluate((block) => block.remove());
  }
});

test("a large picture in the text of a show ends where its date does, as those below the text", async ({ page }) => {
  await page.goto("/event/echo");
  const getRight = (selector: string) =>
    main(page)
      .locator(selector)
      .last()
      .evaluate((element) => element.getBoundingClientRect().right);
  await main(page)
    .locator(".prose")
    .evaluate((text) => {
      const picture = new Image(2000, 1000);
      picture.src = document.querySelector("figure img")?.getAttribute("src") ?? "";
      text.append(document.createElement("p"));
      text.lastElementChild?.append(picture);
    });
  expect(await getRight(".prose img")).toBeCloseTo(await getRight("dl.stub"), 0);
});
