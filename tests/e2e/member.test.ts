import { seat } from "#i18n/activity.ts";
import { address, addressBook } from "#i18n/address.ts";
import { campaign } from "#i18n/campaign.ts";
import { carrier as carrierTexts } from "#i18n/carrier.ts";
import { fill } from "#i18n/catalogue.ts";
import { frame } from "#i18n/frame.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { memberPage, nickname } from "#i18n/member.ts";
import { checkout, order } from "#i18n/order.ts";
import { contract } from "#src/api/contract.ts";
import { findViolations } from "./support/accessibility.ts";
import {
  callServer,
  changeAnswers,
  homeAddress,
  logIn,
  logInWithForm,
  orderTote,
  preRegistration,
  readSnapshots,
  storeSession,
} from "./support/member.ts";
import { expect, holdOnce, inBothLanguages, onLabel, test, toDayText } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

const getTexts = (prefix: Prefix) => ({
  own: memberPage[getLocale(prefix)],
  t: { ...frame[getLocale(prefix)], ...address[getLocale(prefix)], ...addressBook[getLocale(prefix)] },
});
const pasted = "张三，13800138000，广东省深圳市南山区科技园南路8号2栋1201室";

inBothLanguages(() => {
  test.describe("without the module of a form", { tag: "@full" }, () => {
    test.use({ allowed: [/ERR_FAILED/] });
    // Browsers keep a failed import as failed until the next load of the page (HTML, module maps).
    test("the address book says so, and opens the form after the reload that it offers", async ({ page, prefix }) => {
      const { t } = getTexts(prefix);
      await logIn(page);
      await page.route("**/_astro/AddressForm.*.js", (route) => route.abort());
      await page.goto(`${prefix}/user/info`);
      const add = page.getByRole("button", { name: t.add, exact: true });
      await add.click();
      const failure = page.getByRole("alert").filter({ hasText: t.failureTitle });
      await expect(failure).toBeVisible();
      await expect(page.getByRole("dialog")).toBeHidden();
      await page.unrouteAll();
      await failure.getByRole("button", { name: t.reload }).click();
      await add.click();
      await expect(page.getByRole("dialog").getByLabel(t.paste)).toBeFocused();
    });
  });

  test("the address book adds by paste and by lists, edits, sets the default, deletes and undoes", async ({ page, prefix }) => {
    const { t } = getTexts(prefix);
    await logIn(page);
    await page.goto(`${prefix}/user/info`);
    await expect(page.getByText(t.empty)).toBeVisible();
    const add = page.getByRole("button", { name: t.add, exact: true });
    const dialog = page.getByRole("dialog");
    const rows = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /删除|Delete/ }) });
    await add.click();
    await dialog.getByLabel(t.paste).fill(pasted);
    await expect(dialog.getByText(t.pasted)).toBeVisible();
    await expect(dialog.getByLabel(t.name)).toHaveValue("张三");
    await expect(dialog.getByLabel(t.district)).toHaveValue("440305");
    await expect(dialog.getByLabel(t.detail)).toHaveValue("科技园南路8号2栋1201室");
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: t.save }).click();
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText(t.isDefault);

    // Keyboard only: the server's error stands at its field, and all input is kept through a reload.
    await add.focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel(t.name).fill("Bert");
    await dialog.getByLabel(t.mobile).fill("138");
    await dialog.getByLabel(t.province).selectOption("440000");
    await dialog.getByLabel(t.city).selectOption("441900");
    await expect(dialog.getByLabel(t.district)).toBeDisabled();
    await dialog.getByLabel(t.detail).fill("8 Hongfu Road");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await dialog.getByRole("button", { name: t.save }).press("Enter");
    await expect(dialog.getByLabel(t.mobile)).toHaveAttribute("aria-invalid", "true");
    await page.reload();
    await expect(dialog.getByLabel(t.name)).toHaveValue("Bert");
    await expect(dialog.getByLabel(t.city)).toHaveValue("441900");
    await dialog.getByLabel(t.mobile).fill("+86 139-0013-8000");
    await dialog.getByRole("button", { name: t.save }).click();
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText("Bert");
    await expect(rows.first()).toContainText("139 0013 8000");

    await page.getByRole("button", { name: fill(t.edit, { name: "张三" }) }).click();
    await dialog.getByLabel(t.name).fill("李四");
    await dialog.getByRole("button", { name: t.save }).click();
    await expect(rows.nth(1)).toContainText("李四");
    await page.getByRole("button", { name: t.makeDefault }).click();
    await expect(rows.first()).toContainText("李四");

    await page.getByRole("button", { name: fill(t.remove, { name: "李四" }) }).click();
    await expect(rows).toHaveCount(1);
    await page.getByRole("button", { name: t.undo }).click();
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText("李四");
    await expect(rows.first()).toContainText(t.isDefault);
  });

  test("the nickname is changed in a dialog, which says what is wrong with it, and other tabs and the header follow", async ({
    page,
    prefix,
    context,
    t,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const form = nickname[getLocale(prefix)];
    await logIn(page);
    await page.goto(`${prefix}/user/info`);
    const other = await context.newPage();
    await other.setViewportSize({ width: 1440, height: 900 });
    await other.goto(`${prefix}/event`);
    await page.getByRole("button", { name: form.change }).click();
    const dialog = page.getByRole("dialog", { name: form.change });
    await dialog.getByLabel(form.label).fill("x");
    await dialog.getByRole("button", { name: form.save }).click();
    await expect(dialog.getByLabel(form.label)).toHaveAccessibleDescription(new RegExp(t.field.tooShort));
    expect(await findViolations(page)).toEqual([]);
    // What is typed stays through a reload.
    await page.reload();
    await expect(dialog.getByLabel(form.label)).toHaveValue("x");
    await dialog.getByLabel(form.label).fill("小满 🎹");
    await dialog.getByLabel(form.label).press("Enter");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("heading", { level: 1, name: "小满 🎹" })).toBeVisible();
    for (const tab of [page, other]) {
      const me = tab.getByRole("banner").getByRole("link", { name: t.frame.me, exact: true });
      await expect.poll(() => me.evaluate((link) => getComputedStyle(link, "::before").content)).toBe('"小"');
    }
  });

  test("the address form restores its fields after the login when the session ended", { tag: "@full" }, async ({
    page,
    prefix,
    t: texts,
  }) => {
    const { t } = getTexts(prefix);
    await logIn(page);
    await page.goto(`${prefix}/user/info`);
    await page.getByRole("button", { name: t.add, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t.paste).fill(pasted);
    await expect(dialog.getByLabel(t.district)).toHaveValue("440305");
    const session = await page.evaluate(() => ({ ...localStorage }));
    // The response to an expired session.
    const sessionOver = { code: 10001, msg: "over", data: null };
    await page.route("**/v1/address/add", (route) => route.fulfill({ json: sessionOver }), { times: 1 });
    await dialog.getByLabel(t.detail).fill("科技园南路9号");
    await dialog.getByRole("button", { name: t.save }).click();
    await expect(page).toHaveURL(`${prefix}/user/login?redirect=%2Fuser%2Finfo`);
    await expect(page.getByLabel(texts.session.username)).toBeVisible();
    await waitForIdle(page);
    // A number gets its next login code only after a pause, so the session is restored as by a login in another tab.
    await storeSession(page, session);
    await page.reload();
    await expect(page).toHaveURL(`${prefix}/user/info`);
    await expect(dialog.getByLabel(t.name)).toHaveValue("张三");
    await expect(dialog.getByLabel(t.district)).toHaveValue("440305");
    await expect(dialog.getByLabel(t.detail)).toHaveValue("科技园南路9号");
    await dialog.getByRole("button", { name: t.save }).click();
    await expect(page.getByText("138 0013 8000")).toBeVisible();
  });

  test("the member page shows bookings with their check-in code, changes the stop of a pre-registration and withdraws it", async ({
    page,
    prefix,
  }) => {
    const { own } = getTexts(prefix);
    const fields = campaign[getLocale(prefix)];
    await logIn(page);
    await callServer(page, contract.makeBooking, { ...preRegistration, stop: "kunming" });
    const { activity } = await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
    await page.goto(`${prefix}/user/info`);
    const code = page.getByText(activity.check_in_code?.slice(0, 4) ?? "no code", { exact: true });
    await expect(code).toBeVisible();
    // The next ticket is the first block below the member's name.
    await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText(own.bookings);
    await expect(
      page.getByRole("main").getByRole("article").first().and(page.locator("article:has(.perforation)")),
    ).toContainText(activity.check_in_code?.slice(4) ?? "no code");
    await page.getByRole("button", { name: own.change }).click();
    const dialog = page.getByRole("dialog", { name: own.changeTitle });
    await dialog.getByRole("radio", { name: /成都|Chengdu/ }).check();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: fields.change }).click();
    await expect(
      page
        .getByRole("article")
        .filter({ hasText: /成都|Chengdu/ })
        .first(),
    ).toContainText(own.registered);
    await expect(dialog).toBeHidden();
    const { booking: now, campaign: tour } = await callServer(page, contract.bookingInfo);
    expect(now?.stop).toBe("chengdu");
    // Until its stop begins, as the tour closes later.
    const begins = tour.stops.find(({ stop }) => stop === "chengdu")?.starts_at ?? "";
    expect(Date.parse(begins)).toBeLessThan(Date.parse(tour.closes_at));
    await expect(page.getByText(fill(fields.until, { date: toDayText(begins, "dateTime", getLocale(prefix)) }))).toBeVisible();
    await page.getByRole("button", { name: own.change }).click();
    await dialog.locator("summary", { hasText: fields.withdraw }).click();
    // The profile loads again, and that answer arrives after the withdrawal.
    const { answered, respond } = await holdOnce(page, contract.bookingInfo.path);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await answered;
    await dialog.getByRole("button", { name: fields.withdraw }).click();
    await expect(page.getByText(fields.withdrawn)).toBeVisible();
    expect((await callServer(page, contract.bookingInfo)).booking).toBeNull();
    await expect.poll(() => readSnapshots(page)).not.toContain('"Anna"');
    respond();
    await waitForIdle(page);
    expect(await readSnapshots(page)).not.toContain('"Anna"');
    // The form still has the values, so that one press registers again.
    await expect(dialog.getByRole("button", { name: fields.submit, exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("article").filter({ hasText: own.registered })).toContainText(/成都|Chengdu/);
    expect((await callServer(page, contract.bookingInfo)).booking).toMatchObject({ stop: "chengdu", name: "Anna" });
  });

  test.describe("of a label", { tag: "@full" }, () => {
    onLabel();

    test("the large ticket of the profile is that of the next show that takes place", async ({ page, prefix }) => {
      const booked = { my_status: "booked", check_in_code: "ABCD1234" };
      // The first one is cancelled.
      await changeAnswers(page, contract.activityInfo, (data) => ({
        ...data,
        list: ["paper", "lantern"].map((activity_uid) => ({ ...data.list[0], activity_uid, ...booked })),
      }));
      await page.goto(`${prefix}/user/login?redirect=%2Fuser%2Finfo`);
      await logInWithForm(page, prefix, process.env.TEST_LABEL_DATA_DIR);
      await expect(page.locator("article", { has: page.locator("a[href$='/paper']") })).toContainText(
        getTexts(prefix).own.cancelled,
      );
      await expect(page.locator("article:has(.perforation) a")).toHaveAttribute("href", `${prefix}/mall/order_event/lantern`);
      const ticket = seat[getLocale(prefix)];
      await page.goto(`${prefix}/mall/order_event/paper`);
      await expect(page.getByText(ticket.cancelledBooked)).toBeVisible();
      await expect(page.getByText(ticket.show)).toHaveCount(0);
    });
  });

  test.describe("when one request of the member page fails", { tag: "@full" }, () => {
    test.use({ allowed: [/ERR_FAILED/] });
    test("its section shows a retry button while the other sections stay", async ({ page, prefix, t: texts }) => {
      const { own, t } = getTexts(prefix);
      await logIn(page);
      await page.route("**/v1/address/lists", (route) => route.abort());
      await page.goto(`${prefix}/user/info`);
      await expect(page.getByRole("alert").filter({ hasText: texts.state.failedTitle })).toBeVisible();
      await expect(page.getByText(own.noBookings)).toBeVisible();
      await expect(page.getByRole("button", { name: texts.session.logOut })).toBeVisible();
      await page.unroute("**/v1/address/lists");
      await page.getByRole("button", { name: texts.state.retry }).click();
      await expect(page.getByText(t.empty)).toBeVisible();
    });
  });

  test("the number of a parcel stands once, on its way and after", { tag: "@full" }, async ({ page, prefix }) => {
    await logIn(page);
    const path = `${prefix}/mall/order/${await orderTote(page)}`;
    for (const status of ["shipped", "completed"]) {
      await changeAnswers(page, contract.mallOrderInfo, ({ info, ...data }) => {
        const at = info.created_at;
        const times = { paid_at: at, shipped_at: at, completed_at: status === "completed" ? at : null };
        return { ...data, info: { ...info, status, shipment: { carrier: "顺丰", tracking: "SF123" }, ...times } };
      });
      await page.goto(path);
      await expect(page.getByText("SF123")).toHaveCount(1);
      const t = order[getLocale(prefix)];
      await expect(page.getByRole("button", { name: `${t.copy} ${t.tracking}` })).toHaveCount(1);
    }
  });

  test("what the shop brings itself has no number to copy", { tag: "@full" }, async ({ page, prefix }) => {
    await logIn(page);
    const path = `${prefix}/mall/order/${await orderTote(page)}`;
    const [t, carrier] = [order[getLocale(prefix)], carrierTexts[getLocale(prefix)].own];
    for (const status of ["shipped", "completed"]) {
      await changeAnswers(page, contract.mallOrderInfo, ({ info, ...data }) => {
        const at = info.created_at;
        const times = { paid_at: at, shipped_at: at, completed_at: status === "completed" ? at : null };
        return { ...data, info: { ...info, status, shipment: { carrier, tracking: "" }, ...times } };
      });
      await page.goto(path);
      await expect(page.getByText(status === "shipped" ? t.shippedOwn : carrier)).toBeVisible();
      await expect(page.getByRole("button", { name: `${t.copy} ${t.tracking}` })).toHaveCount(0);
    }
  });
});

inBothLanguages(() => {
  test("an address whose region has changed is marked, and taken once its region is chosen again", async ({ page, prefix }) => {
    const [a, c] = [{ ...address[getLocale(prefix)], ...addressBook[getLocale(prefix)] }, checkout[getLocale(prefix)]];
    await logIn(page);
    await callServer(page, contract.addressAdd, homeAddress);
    // As the server returns one whose code has gone since it was saved.
    const gone = { region_code: "500112", province: "重庆市", city: "", district: "渝北区", needs_region: true };
    await changeAnswers(page, contract.addressLists, ({ list }) => ({ list: list.map((one) => ({ ...one, ...gone })) }));
    await page.goto(`${prefix}/user/info`);
    const mark = page.getByRole("button", { name: a.regionGone });
    await expect(mark).toBeVisible();
    await page.goto(`${prefix}/mall/order/confirm/tote?sku=tote&quantity=1`);
    await expect(mark).toBeVisible();
    await expect(page.getByRole("radio")).toHaveCount(0);
    const submit = page.getByRole("button", { name: c.submit, exact: true }).filter({ visible: true });
    await submit.click();
    await expect(mark).toBeFocused();
    await mark.click();
    const dialog = page.getByRole("dialog", { name: a.editTitle });
    await expect(dialog.getByLabel(a.province, { exact: true })).toHaveValue("500000");
    const city = dialog.getByLabel(a.city, { exact: true });
    await expect(city).toHaveValue("");
    await expect(dialog.getByText(a.regionGone)).toBeVisible();
    await city.selectOption("500157");
    await dialog.getByRole("button", { name: a.save }).click();
    await expect(page.getByRole("radio", { checked: true })).toBeVisible();
    await submit.click();
    await expect(page.getByText("两江新区")).toBeVisible();
  });
});
