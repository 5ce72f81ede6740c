import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import { session } from "../../../i18n/session.ts";

/** A number that no other test uses, in any worker. */
export function newMobile(): string {
  return `13${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}`.replace(/^13(8001380)/, "139001380");
}

/** The codes that were sent to a number, oldest first, by the outbox in a folder, or by all of them. */
async function codesTo(mobile: string, folder?: string): Promise<string[]> {
  const all = [process.env.TEST_DATA_DIR ?? ".data", process.env.TEST_DATA_DIR_POSTGRES];
  const folders = folder ? [folder] : all.filter((one) => one !== undefined);
  const outboxes = await Promise.all(folders.map((one) => readFile(join(one, "outbox.jsonl"), "utf8").catch(() => "")));
  const messages = outboxes.flatMap((text) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );
  return messages.filter(({ to }) => to === mobile).map(({ code }) => code);
}

/** The code that was last sent to a number; waits until there are more of them than `before`. */
export async function sentCode(mobile: string, before = 0, folder?: string): Promise<string> {
  await expect.poll(async () => (await codesTo(mobile, folder)).length).toBeGreaterThan(before);
  return (await codesTo(mobile, folder)).at(-1) ?? "";
}

async function ask(origin: string, path: string, body: unknown) {
  const answer = await fetch(new URL(path, origin), {
    method: "POST",
    headers: { "content-type": "application/json", "device-type": "web", token: "" },
    body: JSON.stringify(body),
  });
  const { code, msg, data } = await answer.json();
  if (code !== 1) throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

/** What the site stores for a member who has logged in at a host. */
export async function newSession(
  origin: string,
  mobile = newMobile(),
  folder?: string,
): Promise<{ TOKEN: string; USER_INFO: string }> {
  const before = (await codesTo(mobile, folder)).length;
  await ask(origin, "/v1/VerificationCode/send", { username: mobile });
  const { token, info } = await ask(origin, "/v1/user/vcodeLogin", {
    username: mobile,
    verification_code: await sentCode(mobile, before, folder),
  });
  return { TOKEN: token, USER_INFO: JSON.stringify(info) };
}

/** Puts a session into the page's storage, as a login does. */
async function store(page: Page, session: Record<string, string>): Promise<void> {
  await page.evaluate((stored) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  }, session);
}

/** Logs a new member in; returns the number. */
export async function logIn(page: Page, prefix: Prefix): Promise<string> {
  const mobile = newMobile();
  await page.goto(`${prefix}/about/terms`);
  await store(page, await newSession(new URL(page.url()).origin, mobile));
  return mobile;
}

/** Logs in the member who is not activated. */
export async function logInInactive(page: Page, prefix: Prefix): Promise<void> {
  await page.goto(`${prefix}/about/terms`);
  await store(page, JSON.parse(process.env.INACTIVE_SESSIONS ?? "{}")[new URL(page.url()).origin]);
}

/** Accepts the terms. Where React comes at that moment, it takes the mark off and sets it again. */
export async function agree(page: Page): Promise<void> {
  await expect(() => page.getByRole("checkbox").check()).toPass();
}

/** Logs a new member in by hand, on the login page that is open. */
export async function logInHere(page: Page, prefix: Prefix): Promise<string> {
  const t = session[getLocale(prefix)];
  const mobile = newMobile();
  await page.getByLabel(t.username).fill(mobile);
  await agree(page);
  await page.getByRole("button", { name: t.send }).click();
  await page.getByLabel(t.code, { exact: true }).fill(await sentCode(mobile));
  return mobile;
}
