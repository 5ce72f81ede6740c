import { address, addressBook } from "../../i18n/address.ts";
import { getLocale } from "../../i18n/locale.ts";
import { checkout } from "../../i18n/order.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer, logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

const homeAddress = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };

inBothLanguages(() => {
  test("an address whose region has changed is marked, and taken once its region is chosen again", async ({ page, prefix }) => {
    const [a, c] = [{ ...address[getLocale(prefix)], ...addressBook[getLocale(prefix)] }, checkout[getLocale(prefix)]];
    await logIn(page);
    await callServer(page, contract.addressAdd, homeAddress);
    await page.route("**/v1/address/lists", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      // As the server returns one whose code has gone since it was saved.
      const gone = { region_code: "500112", province: "重庆市", city: "", district: "渝北区", needs_region: true };
      json.data.list = json.data.list.map((one: object) => ({ ...one, ...gone }));
      await route.fulfill({ response, json });
    });
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
