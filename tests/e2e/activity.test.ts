import type { Page } from "@playwright/test";
import { seat } from "../../i18n/activity.ts";
import { getLocale, type Prefix } from "../../i18n/locale.ts";
import { createSession, logIn } from "./support/member.ts";
import { expect, test } from "./support/page.ts";

async function callAs(origin: string, path: string, token: string, body?: object) {
  const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const response = await fetch(origin + path, { headers: { token, "content-type": "application/json" }, ...init });
  return (await response.json()).data;
}

/** Books all places of an activity but the last, each for a new member. */
async function bookAllButOne(origin: string, activity_uid: string): Promise<void> {
  const { list } = await callAs(origin, "/v1/activity/info", "");
  const { capacity, booked } = list.find((one: { activity_uid: string }) => one.activity_uid === activity_uid);
  expect(booked).toBeLessThan(capacity);
  for (let count = booked + 1; count < capacity; count++) {
    await callAs(origin, "/v1/activity/booking", (await createSession(origin)).TOKEN, { activity_uid });
  }
}

async function openActivity(page: Page, prefix: Prefix) {
  const t = seat[getLocale(prefix)];
  await logIn(page);
  await page.goto(`${prefix}/mall/order_event/low`);
  await expect(page.getByRole("button", { name: t.book })).toBeVisible();
  const code = page.getByRole("region", { name: t.code });
  const fullNotice = page.getByRole("alert").filter({ hasText: t.fullBody });
  return { page, t, book: page.getByRole("button", { name: t.book }), code, fullNotice };
}

// The places of this activity can be taken only once, so one test covers both languages.
test("only one of two members who book the last place at once gets a check-in code; the other sees that it is full", {
  tag: ["@desktop", "@full"],
}, async ({ page, browser, baseURL }) => {
  const origin = baseURL ?? "";
  await bookAllButOne(origin, "low");
  const second = await browser.newContext({ locale: "en-US", baseURL: origin });
  const both = [await openActivity(page, ""), await openActivity(await second.newPage(), "/en-US")];
  await Promise.all(both.map(({ book }) => book.click()));
  for (const { code, fullNotice } of both) await expect(code.or(fullNotice)).toBeVisible();
  const winners: typeof both = [];
  for (const one of both) if (await one.code.isVisible()) winners.push(one);
  const [winner] = winners;
  if (!winner || winners.length > 1) throw new Error(`${winners.length} got the last place`);
  await expect(winner.code.getByText(/^[0-9A-Z]{8}$/)).toBeVisible();
  await expect(winner.code.getByRole("img")).toBeVisible();
  const href = await winner.code.getByRole("link", { name: winner.t.calendar }).getAttribute("href");
  const calendar = await (await fetch(origin + href)).text();
  expect(calendar).toContain("BEGIN:VEVENT");
  // The ticket is still there after a reload.
  await winner.page.reload();
  await expect(winner.code).toBeVisible();
  await second.close();
});
