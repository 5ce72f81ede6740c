import type { Page } from "@playwright/test";
import { fill } from "#i18n/catalogue.ts";
import { search } from "#i18n/search.ts";
import { acceptTerms, logIn, orderPackage, orderTote } from "./support/member.ts";
import { expect, test } from "./support/page.ts";

/** Each payload sets `ran` when it is executed. */
const payloads = [
  "<script>ran=1</script>",
  "<img src=x onerror=ran=1>",
  "<svg onload=ran=1>",
  "<svg><script>ran=1</script></svg>",
  `"><iframe srcdoc="<script>parent.ran=1</script>">`,
  "<a href=javascript:ran=1 autofocus onfocus=ran=1>x</a>",
  "javascript:ran=1",
  "{{constructor.constructor('ran=1')()}}",
  "$\u007bran=1}`;ran=1//",
  "</script></title></textarea><details open ontoggle=ran=1>",
];
const allPayloads = payloads.join(" ");

/** Fields with text of members or editors: everything but ids, times and file paths. */
const textFields =
  /^(msg|title|summary|subtitle|nickname|account|name|detail|note|venue|city|province|district|spec|carrier|tracking|badge|mobile_masked|mobile|check_in_code)$/;

function addPayloads(value: unknown, key = ""): unknown {
  if (typeof value === "string") return textFields.test(key) ? `${value} ${allPayloads}` : value;
  if (Array.isArray(value)) return value.map((one) => addPayloads(one, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, addPayloads(one, name)]));
}

/** Adds the payloads to the text fields of every response from now on. */
async function addPayloadsToResponses(page: Page): Promise<void> {
  await page.route("**/v1/**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response: response, json: addPayloads(await response.json()) });
  });
}

/** Expects the payloads on the page as text, none of them executed. */
async function expectText(page: Page): Promise<void> {
  const readText = () =>
    page.evaluate(() => {
      const typed = Array.from(document.querySelectorAll("input, textarea"), (one) => Reflect.get(one, "value"));
      return [
        document.querySelector("main")?.textContent,
        document.querySelector("#notifications")?.textContent,
        ...typed,
      ].join(" ");
    });
  await expect.poll(readText).toContain("onerror=ran=1");
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  expect(
    await page
      .locator("a[href^='javascript:' i], main iframe, main svg script, main [onerror], main [onload], main [ontoggle]")
      .count(),
  ).toBe(0);
}

test.describe("markup in foreign text stays text", { tag: "@desktop" }, () => {
  // The longer texts shift the layout.
  test.use({ allowed: [/status of 404|layout shift/] });

  // Responses may still be in flight.
  test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

  test("in a path, a redirect and a query", async ({ page }) => {
    await page.goto(`/${encodeURIComponent(allPayloads)}`);
    await expect(page.locator("#path")).toContainText("onerror");
    const query = '<img src=x onerror=ran=1>"$&';
    await page.goto(`/search?${new URLSearchParams({ q: query })}`);
    await expect(page.locator("[data-status]")).toHaveText(fill(search["zh-CN"].none, { query }));
    await expect(page.locator("[data-search] img")).toHaveCount(0);
    await page.goto(`/user/login?redirect=${encodeURIComponent("javascript:ran=1")}`);
    await expect(page.locator("h1")).toBeVisible();
    await page.goto(`/mall?${encodeURIComponent(allPayloads)}=${encodeURIComponent(allPayloads)}`);
    await expect(page.locator("h1")).toBeVisible();
    expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  });

  test("in responses of public calls", async ({ page, t }) => {
    await addPayloadsToResponses(page);
    const itemHref = await page
      .goto("/mall")
      .then(() => page.locator("main a[href^='/mall/item/']").first().getAttribute("href"));
    const passHref = await page.locator("main a[href^='/mall/vip/']").first().getAttribute("href");
    for (const path of [itemHref ?? "", passHref ?? ""]) {
      await page.goto(path);
      // Built content stays until the first interaction.
      await page.getByRole("main").getByRole("radio").first().focus();
      await expectText(page);
    }
    await page.route("**/VerificationCode/send", (route) =>
      route.fulfill({ json: { code: 10004, msg: allPayloads, data: null } }),
    );
    await page.goto("/user/login");
    await page.getByLabel(t.session.username).fill("13800138000");
    await acceptTerms(page);
    await page.getByRole("button", { name: t.session.send }).click();
    await expectText(page);
  });

  test("in responses of member calls", { tag: "@full" }, async ({ page }) => {
    await logIn(page);
    const [mallOrder, packageOrder] = [await orderTote(page), await orderPackage(page)];
    await addPayloadsToResponses(page);
    for (const path of ["/user/info", "/user/order/list", `/mall/order/${mallOrder}`, `/user/order/${packageOrder}`]) {
      await page.goto(path);
      await expectText(page);
    }
  });
});
