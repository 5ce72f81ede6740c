import type { Page } from "@playwright/test";
import { agree, logIn } from "./support/member.ts";
import { orderPackage, orderTote } from "./support/ordering.ts";
import { expect, test } from "./support/page.ts";

/** Each would set `ran` if it were run. */
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
const all = payloads.join(" ");

/** What people write, and what an editor or another host might: everything that is neither a key, a time nor an address of a file. */
const written =
  /^(msg|title|summary|subtitle|nickname|account|name|detail|note|venue|city|province|district|spec|carrier|tracking|badge|mobile_masked|mobile|check_in_code)$/;

function poisoned(value: unknown, key = ""): unknown {
  if (typeof value === "string") return written.test(key) ? `${value} ${all}` : value;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one, name)]));
}

/** From here on every answer of the host carries the payloads in whatever people wrote. */
async function poison(page: Page): Promise<void> {
  await page.route("**/v1/**", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: poisoned(await answer.json()) });
  });
}

/** All payloads stand on the page as text, and none has run. */
async function expectText(page: Page): Promise<void> {
  const shown = () =>
    page.evaluate(() => {
      const typed = Array.from(document.querySelectorAll("input, textarea"), (one) => Reflect.get(one, "value"));
      return [
        document.querySelector("main")?.textContent,
        document.querySelector("#notifications")?.textContent,
        ...typed,
      ].join(" ");
    });
  await expect.poll(shown).toContain("onerror=ran=1");
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  expect(
    await page
      .locator("a[href^='javascript:' i], main iframe, main svg script, main [onerror], main [onload], main [ontoggle]")
      .count(),
  ).toBe(0);
}

test.describe("foreign text is text", { tag: "@desktop" }, () => {
  // What grows by a hundred words moves the rest.
  test.use({ allowed: [/status of 404|layout shift/] });

  // Answers may still be under way.
  test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

  test("in what a page says of its own address", async ({ page }) => {
    await page.goto(`/${encodeURIComponent(all)}`);
    await expect(page.locator("#path")).toContainText("onerror");
    await page.goto(`/user/login?redirect=${encodeURIComponent("javascript:ran=1")}`);
    await expect(page.locator("h1")).toBeVisible();
    await page.goto(`/mall?${encodeURIComponent(all)}=${encodeURIComponent(all)}`);
    await expect(page.locator("h1")).toBeVisible();
    expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  });

  test("in what the host answers to everybody", async ({ page, t }) => {
    await poison(page);
    const good = await page.goto("/mall").then(() => page.locator("main a[href^='/mall/item/']").first().getAttribute("href"));
    const pass = await page.locator("main a[href^='/mall/vip/']").first().getAttribute("href");
    for (const path of [good ?? "", pass ?? ""]) {
      await page.goto(path);
      // What the build knew stays until somebody acts.
      await page.getByRole("main").getByRole("radio").first().focus();
      await expectText(page);
    }
    await page.route("**/VerificationCode/send", (route) => route.fulfill({ json: { code: 10004, msg: all, data: null } }));
    await page.goto("/user/login");
    await page.getByLabel(t.session.username).fill("13800138000");
    await agree(page);
    await page.getByRole("button", { name: t.session.send }).click();
    await expectText(page);
  });

  test("in what the host answers to a member", async ({ page }) => {
    await logIn(page, "");
    const [goods, pass] = [await orderTote(page), await orderPackage(page)];
    await poison(page);
    for (const path of ["/user/info", "/user/order/list", `/mall/order/${goods}`, `/user/order/${pass}`]) {
      await page.goto(path);
      await expectText(page);
    }
  });
});
