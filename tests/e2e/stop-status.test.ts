import { campaignPage, campaign as texts } from "../../i18n/campaign.ts";
import { fill } from "../../i18n/catalogue.ts";
import { getLocale } from "../../i18n/locale.ts";
import { memberPage } from "../../i18n/member.ts";
import type { Stop } from "../../src/api/booking.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer, changeAnswers, logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const label = process.env.TEST_LABEL_ORIGIN ?? "";

test.describe("the tour of a label", () => {
  test.skip(!label, "npm run test:full builds the label");
  test.use({ baseURL: label });

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
      await expect(row("yibin").locator("s")).toHaveText("09.08\u00a020:00");
      await expect(row("yibin").getByRole("link")).toHaveCount(1);
    });
  });
});

inBothLanguages(() => {
  test("a member reads that a booked stop has moved or is cancelled, and chooses another one", async ({ page, prefix }) => {
    const [t, own] = [texts[getLocale(prefix)], memberPage[getLocale(prefix)]];
    await logIn(page);
    const payload = { campaign: "spring", stop: "wuhan", name: "Anna", mobile: "13800138000", party_size: 2 };
    const { booking } = await callServer(page, contract.makeBooking, payload);
    const code = booking.check_in_code?.replace(/^.{4}/, "$& ") ?? "no code";
    let changed: Partial<Stop> = { status: "moved", moved_from: "2027-01-08T11:00:00.000Z" };
    for (const call of [contract.bookingInfo, contract.bookingCampaign])
      await changeAnswers(page, call, (data) => {
        for (const stop of data.campaign.stops) if (stop.stop === "wuhan") Object.assign(stop, changed);
        return data;
      });
    const former = fill(t.movedFrom, { date: "01.08\u00a019:00" });
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
