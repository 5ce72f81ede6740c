import { address, addressBook } from "../../i18n/address.ts";
import { campaign, campaignPage } from "../../i18n/campaign.ts";
import { getLocale } from "../../i18n/locale.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer } from "./support/call.ts";
import { logIn, logInWithForm } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const homeAddress = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };

inBothLanguages(() => {
  test("saving an empty address focuses its first invalid field and marks all required ones", async ({ page, prefix, t }) => {
    const a = { ...address[getLocale(prefix)], ...addressBook[getLocale(prefix)] };
    await logIn(page);
    if ((page.viewportSize()?.width ?? 0) < 768) await page.setViewportSize({ width: 375, height: 667 });
    await page.goto(`${prefix}/user/info`);
    await page.getByRole("button", { name: a.add, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: a.newTitle });
    // The save button is in view although the form is longer than the screen.
    const save = dialog.getByRole("button", { name: a.save });
    await expect(save).toBeInViewport({ ratio: 1 });
    await save.click();
    const name = dialog.getByLabel(a.name);
    await expect(name).toBeFocused();
    await expect(name).toBeInViewport({ ratio: 1 });
    await expect(name).toHaveAccessibleDescription(t.field.required);
    await expect(dialog.getByLabel(a.mobile)).toHaveAccessibleDescription(t.field.required);
  });

  test("the address form hides the district list for a region with two levels", async ({ page, prefix }) => {
    const a = { ...address[getLocale(prefix)], ...addressBook[getLocale(prefix)] };
    await logIn(page);
    await page.goto(`${prefix}/user/info`);
    await page.getByRole("button", { name: a.add, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: a.newTitle });
    await dialog.getByLabel(a.province, { exact: true }).selectOption("310000");
    await expect(dialog.getByLabel(a.city, { exact: true })).toBeEnabled();
    await dialog.getByLabel(a.city, { exact: true }).selectOption("310104");
    await expect(dialog.getByLabel(a.district, { exact: true })).toBeHidden();
    await dialog.getByLabel(a.province, { exact: true }).selectOption("510000");
    await expect(dialog.getByLabel(a.district, { exact: true })).toBeVisible();
  });

  test("submitting an empty pre-registration focuses the stops, then the name, and the mobile of a new member is filled in", async ({
    page,
    prefix,
    t,
  }) => {
    const b = campaign[getLocale(prefix)];
    await page.goto(`${prefix}/event/spring`);
    await page.getByRole("link", { name: campaignPage[getLocale(prefix)].book }).click();
    const mobile = await logInWithForm(page, prefix);
    await expect(page.getByLabel(b.mobile)).toHaveValue(mobile);
    const submit = page.getByRole("button", { name: b.submit, exact: true });
    await submit.click();
    const first = page.getByRole("radio", { disabled: false }).first();
    await expect(first).toBeFocused();
    await expect(page.getByText(b.chooseStop)).toBeInViewport();
    await first.check();
    await submit.click();
    await expect(page.getByLabel(b.name)).toBeFocused();
    await expect(page.getByLabel(b.name)).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel(b.name)).toHaveAccessibleDescription(t.field.required);
  });

  test("the pre-registration is filled from the default address and keeps the submitted values afterwards", async ({
    page,
    prefix,
  }) => {
    const b = campaign[getLocale(prefix)];
    await logIn(page);
    await callServer(page, contract.addressAdd, homeAddress);
    await page.goto(`${prefix}/event/spring`);
    await expect(page.getByLabel(b.name)).toHaveValue(homeAddress.name);
    await expect(page.getByLabel(b.mobile)).toHaveValue(homeAddress.mobile);
    await page.getByLabel(b.name).fill("Anna");
    await page.getByRole("radio", { disabled: false }).first().check();
    const values = page.evaluate(
      (label) =>
        new Promise<string[]>((resolve) => {
          // Collects every value of the name field until the entry is shown.
          const values = new Set<string>();
          const collect = () => {
            const name = [...document.querySelectorAll("label")].find((one) => one.textContent === label)?.control;
            if (name instanceof HTMLInputElement) values.add(name.value);
            if (document.querySelector(".booking-form > p")) resolve([...values]);
            else requestAnimationFrame(collect);
          };
          collect();
        }),
      b.name,
    );
    await page.getByRole("button", { name: b.submit, exact: true }).click();
    expect(await values).toEqual(["Anna"]);
    const entry = page.locator(".booking-form > p").first();
    await expect(entry).toBeFocused();
    await expect(entry).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel(b.mobile)).toHaveValue(homeAddress.mobile);
  });
});
