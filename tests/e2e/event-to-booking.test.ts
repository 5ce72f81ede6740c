import type { Page } from "@playwright/test";
import { activity, seat } from "#i18n/activity.ts";
import { campaign, campaignPage } from "#i18n/campaign.ts";
import { fill } from "#i18n/catalogue.ts";
import { getLocale } from "#i18n/locale.ts";
import { memberPage } from "#i18n/member.ts";
import type { Stop } from "#src/api/booking.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { callServer, changeAnswers, logIn, preRegistration } from "./support/member.ts";
import { expect, inBothLanguages, onLabel, test, toDayText } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const main = (page: Page) => page.getByRole("main");
/** The visible green call-to-action buttons of the page. */
const getCallsToAction = (page: Page) => main(page).locator(".sign:visible");
/** Why a show cannot be booked, and what leads on. */
const getShutDoor = (page: Page) => main(page).locator(".door-shut");

/** Replaces the status, or more, of an activity in the server's response. */
async function replaceStatus(page: Page, activity_uid: string, status: string, more: object = {}): Promise<void> {
  await changeAnswers(page, contract.activityInfo, (data) => {
    for (const one of data.list) if (one.activity_uid === activity_uid) Object.assign(one, { status }, more);
    return data;
  });
}

inBothLanguages(() => {
  for (const role of ["visitor", "member"] as const) {
    test.describe(`a ${role}`, { tag: role === "member" ? "@long" : [] }, () => {
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
        await expect(getShutDoor(page).getByText(t.full, { exact: true })).toBeVisible();
        // The next show with places, by its date.
        await getShutDoor(page).getByRole("link", { name: t.next }).click();
        await expect(page).toHaveURL(/\/event\/(?!glass)\w+$/);
        await expect(main(page).getByRole("link", { name: t.book })).toBeVisible();
        await page.goBack();
        await waitForIdle(page);
        await expect(getCallsToAction(page)).toHaveCount(0);
      });

      test("sees the hour at which booking opens", async ({ page, prefix }) => {
        await page.goto(`${prefix}/event/midnight`);
        await expect(main(page).locator(".way [data-date]")).toHaveText(/^\d\d\.\d\d \S+ \d\d:\d\d$/);
        const t = activity[getLocale(prefix)];
        await expect(main(page).getByText(t.opensAll, { exact: true })).toBeVisible();
        await expect(main(page).locator("[data-activity]")).toHaveText(new RegExp(t.notOpenAll.replace("{date}", "[\\d.]+")));
        const isPhone = (page.viewportSize()?.width ?? 0) < 768;
        await expect(main(page).locator(`.way [href$="/midnight.ics"]`).filter({ visible: true })).toHaveCount(isPhone ? 1 : 0);
        await waitForIdle(page);
        await expect(getCallsToAction(page)).toHaveCount(0);
      });

      test("sees that booking closed after the site was built", async ({ page, prefix }) => {
        await replaceStatus(page, "slow", "closed");
        await page.goto(`${prefix}/event/slow`);
        await expect(getShutDoor(page).getByText(activity[getLocale(prefix)].closed, { exact: true })).toBeVisible();
        await expect(getCallsToAction(page)).toHaveCount(0);
        // As high as the button that it replaces, on small phones too.
        await page.setViewportSize({ width: 320, height: 640 });
        await expect(getShutDoor(page)).toHaveCSS("height", "56px");
      });
    });
  }

  test("the board says that a show is full as the site was built, while the server does not respond", async ({
    page,
    prefix,
  }) => {
    await page.route("**/v1/activity/info", () => {});
    await page.goto(`${prefix}/event`);
    const row = main(page).locator("article", { has: page.locator("[href$='/event/glass']") });
    await expect(row.getByText(activity[getLocale(prefix)].full, { exact: true })).toBeVisible();
  });

  test("the booking page of a full show leads to the next one, of a past one to its news", async ({ page, prefix }) => {
    const t = seat[getLocale(prefix)];
    await logIn(page);
    await page.goto(`${prefix}/mall/order_event/glass`);
    const next = new RegExp(`^${t.next} (\\d+月\\d+日|[A-Z][a-z]+ \\d+)$`);
    await getShutDoor(page).getByRole("link", { name: next }).click();
    await expect(page).toHaveURL(/\/event\/(?!glass)\w+$/);
    await replaceStatus(page, "slow", "closed", { ends_at: "2026-01-01T20:00:00+08:00" });
    await page.goto(`${prefix}/mall/order_event/slow`);
    await expect(getShutDoor(page).getByText(t.over, { exact: true })).toBeVisible();
    await getShutDoor(page).getByRole("link", { name: t.report }).click();
    await expect(page).toHaveURL(`${prefix}/news/slow-train`);
  });

  test("a show that only some passes may book yet says in one box which, and when everybody may", async ({ page, prefix }) => {
    const t = seat[getLocale(prefix)];
    await logIn(page);
    const early = [
      { level: 3, opens_at: "2026-01-01T12:00:00+08:00" },
      { level: 2, opens_at: "2026-01-02T12:00:00+08:00" },
      { level: 1, opens_at: "2036-01-01T12:00:00+08:00" },
    ];
    const opens = { opens_at: "2036-01-02T12:00:00+08:00", my_opens_at: "2036-01-01T12:00:00+08:00" };
    await replaceStatus(page, "slow", "not_open", { early, ...opens });
    await page.goto(`${prefix}/mall/order_event/slow`);
    const box = main(page)
      .locator("div", { has: page.getByRole("link", { name: t.passes }) })
      .last();
    const { list } = await callServer(page, contract.packageLists);
    const pass = list.flatMap(({ level, title }) => (level >= 2 ? [title] : [])).join(" / ");
    await expect(box).toContainText(fill(t.earlyOpen, { pass }));
    // The member has a pass of the first level.
    const toText = (day: string, form: "date" | "dateTime") => toDayText(`${day}T12:00:00+08:00`, form, getLocale(prefix));
    const dates = { date: toText("2036-01-01", "dateTime"), all: toText("2036-01-02", "dateTime") };
    await expect(box).toContainText(fill(t.notOpenBodyOwn, dates).replace("\n", " "));
    await expect(box.getByText(t.notOpenToAll, { exact: true })).toBeVisible();
    await expect(main(page).getByText(t.notOpen, { exact: true })).toHaveCount(0);
    await expect(main(page).getByText(fill(t.opensOn, { date: toText("2036-01-01", "date") }), { exact: true })).toBeVisible();
  });

  test("a show's page says when its booking opens below the way in, which moves nothing for who has booked", async ({
    page,
    prefix,
  }) => {
    await logIn(page);
    await replaceStatus(page, "midnight", "not_open", { my_status: "booked", check_in_code: "ABCD1234" });
    await page.goto(`${prefix}/event/midnight`);
    await expect(main(page).getByRole("link", { name: activity[getLocale(prefix)].ticket })).toBeVisible();
    const hours = await main(page).locator("[data-opens-in]").boundingBox();
    const text = await main(page).locator(".prose").boundingBox();
    expect(hours?.y).toBeLessThan(text?.y ?? 0);
  });

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

  test("a place that was taken, and is free again by then, can be booked at once, and the page says so", async ({
    page,
    prefix,
  }) => {
    const t = seat[getLocale(prefix)];
    await logIn(page);
    const full = { code: codes.full, msg: "no", data: null };
    await page.route("**/v1/activity/booking", (route) => route.fulfill({ json: full }), { times: 1 });
    await page.goto(`${prefix}/mall/order_event/slow`);
    const book = page.getByRole("button", { name: t.book });
    await book.click();
    await expect(page.getByRole("alert").filter({ hasText: t.again })).toBeVisible();
    await expect(book).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: t.code })).toBeFocused();
  });

  test("a stop that has begun cannot be chosen, and a pre-registration that is checked in cannot be changed", {
    tag: "@phone",
  }, async ({ page, prefix }) => {
    const t = campaign[getLocale(prefix)];
    await logIn(page);
    const { booking } = await callServer(page, contract.makeBooking, { ...preRegistration, stop: "wuhan" });
    let isCheckedIn = false;
    await changeAnswers(page, contract.bookingInfo, (data) => {
      for (const stop of data.campaign.stops) if (stop.stop === "chengdu") stop.starts_at = data.server_time;
      if (isCheckedIn && data.booking) data.booking.actions = { cancel: false, change: false };
      return data;
    });
    await page.goto(`${prefix}/event/spring`);
    await expect(page.locator("[name=stop]:checked")).toHaveValue("wuhan");
    await expect(page.locator('[name=stop][value="chengdu"]')).toBeDisabled();
    isCheckedIn = true;
    const refusal = { code: codes.notAllowed, msg: "no", data: null };
    await page.route("**/v1/booking/cancel", (route) => route.fulfill({ json: refusal }));
    await page.locator("summary", { hasText: t.withdraw }).click();
    await page.getByRole("button", { name: t.withdraw }).click();
    await expect(page.getByText(t.fixed)).toBeVisible();
    await expect(page.locator(".booking-form")).toHaveCount(0);
    const code = page.getByText(booking.check_in_code?.replace(/^.{4}/, "$& ") ?? "no code").filter({ visible: true });
    await expect(code).toHaveCount(2);
    expect((await page.locator(".campaign-action").boundingBox())?.height).toBeLessThan(250);
    await page.goto(`${prefix}/user/info`);
    await expect(page.getByText(t.fixed)).toBeVisible();
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
    const line = page.locator("[data-line]");
    await expect(line).toHaveText(/^\w{4} \w{4}$/);
    await callServer(page, contract.activityCancel, { activity_uid: "echo" });
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(line).toHaveText(new RegExp(`\\d\\d:\\d\\d · ${t.free}$`));
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

test.describe("the tour of a label", () => {
  onLabel();

  inBothLanguages(() => {
    test("marks a stop that is cancelled, and strikes the old start of one that has moved", async ({ page, prefix }) => {
      const t = campaignPage[getLocale(prefix)];
      await page.goto(`${prefix}/event/river-tour`);
      const row = (stop: string) => page.getByRole("listitem").filter({ has: page.locator(`[data-stop=${stop}]`) });
      await expect(row("luzhou").locator("[data-stop]")).toHaveText(t.cancelled);
      // Stays so once the server has responded.
      await expect(row("leshan").locator("[data-stop]")).not.toBeEmpty();
      await expect(row("luzhou").locator("[data-stop]")).toHaveText(t.cancelled);
      await expect(row("luzhou").getByRole("link")).toHaveCount(0);
      await expect(row("yibin")).toContainText(t.moved);
      await expect(row("yibin").locator("s")).toContainText("09.08\u00a020:00");
      await expect(row("yibin").getByRole("link")).toHaveCount(1);
    });
  });
});

inBothLanguages(() => {
  test("a member reads that a booked stop has moved or is cancelled, and chooses another one", async ({ page, prefix }) => {
    const [t, own] = [campaign[getLocale(prefix)], memberPage[getLocale(prefix)]];
    await logIn(page);
    const { booking } = await callServer(page, contract.makeBooking, { ...preRegistration, stop: "wuhan", party_size: 2 });
    const code = booking.check_in_code?.replace(/^.{4}/, "$& ") ?? "no code";
    let changed: Partial<Stop> = { status: "moved", moved_from: "2027-01-08T11:00:00.000Z" };
    for (const call of [contract.bookingInfo, contract.bookingCampaign])
      await changeAnswers(page, call, (data) => {
        for (const stop of data.campaign.stops) if (stop.stop === "wuhan") Object.assign(stop, changed);
        return data;
      });
    const former = fill(t.movedFrom, { date: toDayText("2027-01-08T11:00:00.000Z", "dayTime", getLocale(prefix)) });
    const choice = page.locator("label").filter({ has: page.locator("[name=stop][value=wuhan]") });
    const form = page.locator(".booking-form");
    const card = page.getByRole("article").filter({ hasText: fill(own.people, { n: 2 }) });

    await page.goto(`${prefix}/event/spring`);
    await expect(form.getByText(code)).toBeVisible();
    await expect(choice).toContainText(former);
    await expect(form.locator("small").filter({ hasText: former })).toHaveCount(2);
    await page.goto(`${prefix}/user/info`);
    await expect(card).toContainText(former);
    await expect(card).toContainText(own.registered);

    changed = { status: "cancelled", places_left: 0 };
    await page.goto(`${prefix}/user/info`);
    await expect(card).toContainText(own.cancelled);
    await expect(card).toContainText(t.cancelledBody);
    await expect(card).not.toContainText(own.registered);
    await expect(card).not.toContainText(code.slice(0, 4));
    await page.goto(`${prefix}/event/spring`);
    await expect(form.getByText(t.cancelledBooked)).toBeVisible();
    await expect(page.locator("[data-stop=wuhan]")).toHaveText(campaignPage[getLocale(prefix)].cancelled);
    await expect(page.locator("[data-own-line]")).toBeHidden();
    await expect(choice).toContainText(t.cancelled);
    await expect(choice.getByRole("radio")).toBeDisabled();
    await expect(page.locator("[name=stop]:checked")).toHaveCount(0);
    await page.getByRole("button", { name: t.change, exact: true }).click();
    await expect(page.getByText(t.chooseStop)).toBeVisible();
    await page.locator("[name=stop][value=chengdu]").check();
    await page.getByRole("button", { name: t.change, exact: true }).click();
    await expect(form.getByText(code)).toBeVisible();
    expect((await callServer(page, contract.bookingInfo)).booking?.stop).toBe("chengdu");
  });
});
