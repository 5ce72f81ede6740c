import { seat } from "../../i18n/activity.ts";
import { getLocale } from "../../i18n/locale.ts";
import { contract } from "../../src/api/contract.ts";
import { callServer } from "./support/call.ts";
import { logIn } from "./support/member.ts";
import { expect, inBothLanguages, test } from "./support/page.ts";

inBothLanguages(() => {
  test("booking a place scrolls to its ticket and focuses it", async ({ page, prefix }) => {
    const t = seat[getLocale(prefix)];
    await logIn(page);
    await page.goto(`${prefix}/mall/order_event/slow`);
    const book = page.getByRole("button", { name: t.book });
    await expect(book).toBeInViewport({ ratio: 1 });
    await book.click();
    const ticket = page.getByRole("region", { name: t.code });
    await expect(ticket).toBeFocused();
    await expect(ticket.getByRole("heading", { name: t.show })).toBeInViewport({ ratio: 1 });
    await expect(ticket.getByText(/^[0-9A-Z]{8}$/)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("main").getByText(t.booked, { exact: true })).toHaveCount(1);
  });

  test("a ticket keeps its heading on one line and its copy button beside the code", async ({ page, prefix }) => {
    const t = seat[getLocale(prefix)];
    await logIn(page);
    await callServer(page, contract.activityBooking, { activity_uid: "slow" });
    await page.goto(`${prefix}/mall/order_event/slow`);
    const ticket = page.getByRole("region", { name: t.code });
    const lines = await ticket.getByRole("heading", { name: t.show }).evaluate((heading) => {
      const text = document.createRange();
      text.selectNodeContents(heading);
      return new Set([...text.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines).toBe(1);
    await page.evaluate(() => document.fonts.ready);
    const [code, copy] = await ticket.getByText(/^[0-9A-Z]{8}$/).evaluate(
      (text, button) => {
        return [text.getBoundingClientRect(), button?.getBoundingClientRect()].map((box) => box?.toJSON());
      },
      await ticket.getByRole("button").elementHandle(),
    );
    // The code and its button are vertically centred on the same line.
    expect(Math.abs(code.y + code.height / 2 - copy.y - copy.height / 2)).toBeLessThan(8);
    expect(copy.x).toBeGreaterThanOrEqual(code.x + code.width);
  });

  test("the booking page marks the events entry as current in the navigation", async ({ page, prefix, t }) => {
    await logIn(page);
    await page.goto(`${prefix}/mall/order_event/slow`);
    const current = page.getByRole("navigation").locator("[aria-current=page]").filter({ visible: true });
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    const names = await page.locator("nav a[aria-current=page]").allInnerTexts();
    expect([...new Set(names.map((name) => name.trim()))]).toEqual([t.frame.events]);
    if ((page.viewportSize()?.width ?? 0) >= 768) await expect(current).toHaveText(t.frame.events);
  });
});
