import type { Page } from "@playwright/test";
import { seat } from "../../i18n/activity.ts";
import { getLocale, type Prefix } from "../../i18n/locale.ts";
import { logIn, newSession } from "./support/member.ts";
import { expect, test } from "./support/page.ts";

async function ask(origin: string, path: string, token: string, body?: object) {
  const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const answer = await fetch(origin + path, { headers: { token, "content-type": "application/json" }, ...init });
  return (await answer.json()).data;
}

/** Others book all places of an activity but the last. */
async function fillUp(origin: string, activity_uid: string): Promise<void> {
  const { list } = await ask(origin, "/v1/activity/info", "");
  const { capacity, booked } = list.find((one: { activity_uid: string }) => one.activity_uid === activity_uid);
  expect(booked).toBeLessThan(capacity);
  for (let place = booked + 1; place < capacity; place++) {
    await ask(origin, "/v1/activity/booking", (await newSession(origin)).TOKEN, { activity_uid });
  }
}

async function show(page: Page, prefix: Prefix) {
  const t = seat[getLocale(prefix)];
  await logIn(page, prefix);
  await page.goto(`${prefix}/mall/order_event/low`);
  await expect(page.getByRole("button", { name: t.book })).toBeVisible();
  const code = page.getByRole("region", { name: t.code });
  const refusal = page.getByRole("alert").filter({ hasText: t.fullBody });
  return { page, t, book: page.getByRole("button", { name: t.book }), code, refusal };
}

// Its places can be taken once, so it is tried once; a reader of each language wants the last one.
test("the last place goes to one of two who press at once, with the code for the door; the other is told", {
  tag: "@desktop",
}, async ({ page, browser, baseURL }) => {
  const origin = baseURL ?? "";
  await fillUp(origin, "low");
  const second = await browser.newContext({ locale: "en-US", baseURL: origin });
  const both = [await show(page, ""), await show(await second.newPage(), "/en-US")];
  await Promise.all(both.map(({ book }) => book.click()));
  for (const { code, refusal } of both) await expect(code.or(refusal)).toBeVisible();
  const won: typeof both = [];
  for (const one of both) if (await one.code.isVisible()) won.push(one);
  const [winner] = won;
  if (!winner || won.length > 1) throw new Error(`${won.length} got the last place`);
  await expect(winner.code.getByText(/^[0-9A-Z]{8}$/)).toBeVisible();
  await expect(winner.code.getByRole("img")).toBeVisible();
  const href = await winner.code.getByRole("link", { name: winner.t.calendar }).getAttribute("href");
  const calendar = await (await fetch(origin + href)).text();
  expect(calendar).toContain("BEGIN:VEVENT");
  // It is theirs on every later visit.
  await winner.page.reload();
  await expect(winner.code).toBeVisible();
  await second.close();
});
