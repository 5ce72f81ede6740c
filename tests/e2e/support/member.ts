import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { payCode } from "#i18n/payment.ts";
import { session } from "#i18n/session.ts";
import type { Call, DataOf } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";

/** Returns a random mobile number that no other test uses. */
export function createMobile(): string {
  return `13${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}`.replace(/^13(8001380)/, "139001380");
}

/** Returns the login codes sent to a number, oldest first, from the outbox in `folder` or from all outboxes. */
async function getSentCodes(mobile: string, folder?: string): Promise<string[]> {
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

/** Returns the last code sent to a number, once there are more than `before`. */
export async function waitForCode(mobile: string, before = 0, folder?: string): Promise<string> {
  await expect.poll(async () => (await getSentCodes(mobile, folder)).length, { intervals: [10] }).toBeGreaterThan(before);
  return (await getSentCodes(mobile, folder)).at(-1) ?? "";
}

async function post(origin: string, path: string, body: unknown) {
  const response = await fetch(new URL(path, origin), {
    method: "POST",
    headers: { "content-type": "application/json", "device-type": "web", token: "" },
    body: JSON.stringify(body),
  });
  const { code, msg, data } = await response.json();
  if (code !== 1) throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

/** Logs a member in at a server; returns what the site stores for the session. */
export async function createSession(
  origin: string,
  mobile = createMobile(),
  folder?: string,
): Promise<{ TOKEN: string; USER_INFO: string }> {
  const before = (await getSentCodes(mobile, folder)).length;
  await post(origin, "/v1/VerificationCode/send", { username: mobile });
  const { token, info } = await post(origin, "/v1/user/vcodeLogin", {
    username: mobile,
    verification_code: await waitForCode(mobile, before, folder),
  });
  return { TOKEN: token, USER_INFO: JSON.stringify(info) };
}

/** A document of the site that loads nothing else. */
const plainDocument = "/robots.txt";

/** Writes a session to the page's storage, as a login does, in this tab or another one. */
export async function storeSession(page: Page, session: Record<string, string>): Promise<void> {
  await page.evaluate((stored) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  }, session);
}

/** Logs a new member in through the API; returns the number. The page is then on a document of the site without scripts. */
export async function logIn(page: Page): Promise<string> {
  const mobile = createMobile();
  await page.goto(plainDocument);
  await storeSession(page, await createSession(new URL(page.url()).origin, mobile));
  return mobile;
}

/** Logs in the member who is not activated. */
export async function logInInactive(page: Page): Promise<void> {
  await page.goto(plainDocument);
  await storeSession(page, JSON.parse(process.env.INACTIVE_SESSIONS ?? "{}")[new URL(page.url()).origin]);
}

/** Accepts the terms with one click at most; where this browser has accepted them before, the page ticks the box itself. */
export async function acceptTerms(page: Page): Promise<void> {
  const box = page.getByRole("checkbox");
  const isAccepted = await page.evaluate(() => {
    try {
      return !!localStorage.getItem("LOGIN_CONSENT");
    } catch {
      return false;
    }
  });
  if (!isAccepted && !(await box.isChecked())) await box.click();
  await expect(box).toBeChecked();
}

/** Logs a new member in through the form on the open login page; returns the number. The server's data are in `folder`. */
export async function logInWithForm(page: Page, prefix: Prefix, folder?: string): Promise<string> {
  const t = session[getLocale(prefix)];
  const mobile = createMobile();
  await page.getByLabel(t.username).fill(mobile);
  await acceptTerms(page);
  await page.getByRole("button", { name: t.send }).click();
  await page.getByLabel(t.code, { exact: true }).fill(await waitForCode(mobile, 0, folder));
  return mobile;
}

/** Presses the button of that name on the open profile, and the one that confirms it. */
export async function logOut(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").getByRole("button", { name }).click();
}

/** Sends a call of the contract as the page's member; returns its data. */
export const callServer = <C extends Call>(page: Page, { path }: C, payload?: object): Promise<DataOf<C>> =>
  page.evaluate(
    async ([path, body]) => {
      const response = await fetch(path, {
        method: body ? "POST" : "GET",
        headers: { "content-type": "application/json", "device-type": "web", token: localStorage.getItem("TOKEN") ?? "" },
        ...(body ? { body } : {}),
      });
      const { code, msg, data } = await response.json();
      if (code !== 1) throw new Error(`${path}: ${msg}`);
      return data;
    },
    [path, payload === undefined ? "" : JSON.stringify(payload)] as const,
  );

export const homeAddress = {
  name: "小满",
  mobile: "13800138000",
  region_code: "310104",
  detail: "龙腾大道 1 号",
  is_default: true,
};

/** A pre-registration of one person, but for its stop. */
export const preRegistration = { campaign: "spring", name: "Anna", mobile: "13800138000", party_size: 1, note: "" };

const createRequestFields = () => ({ client_request_id: crypto.randomUUID() });

/** Adds an address and a pending order of tote bags; returns the order number. */
export async function orderTote(page: Page, quantity = 1, address = homeAddress): Promise<string> {
  const { list } = await callServer(page, contract.addressAdd, address);
  const tote = {
    goods_uid: "tote",
    sku_uid: "tote",
    note: "",
    quantity,
    expected_pay_fen: 9800 * quantity + (quantity > 2 ? 0 : 1200),
  };
  return (
    await callServer(page, contract.mallCreateOrder, { ...createRequestFields(), ...tote, address_id: list[0]?.address_id })
  ).order_sn;
}

/** Adds a pending order of a package, the smallest by default; returns the order number. */
export async function orderPackage(page: Page, fields = { uid: "listener", expected_pay_fen: 9800 }): Promise<string> {
  const payload = { ...createRequestFields(), quantity: 1, ...fields };
  return (await callServer(page, contract.packageCreateOrder, payload)).order_sn;
}

/** Opens the sandbox cashier of the open order in a new tab. */
export async function openCashier(page: Page, prefix: Prefix): Promise<Page> {
  const link = page.getByRole("link", { name: payCode[getLocale(prefix)].openSandbox });
  const [cashier] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  return cashier;
}

/** Changes the data of the server's answers to a call. */
export async function changeAnswers<C extends Call>(page: Page, call: C, change: (data: DataOf<C>) => object): Promise<void> {
  await page.route(`**${call.path}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, data: change(json.data) } });
  });
}

/** Returns what the browser stores of tickets and orders, as text. */
export const readSnapshots = (page: Page) =>
  page.evaluate(async () => {
    const found = await indexedDB.databases();
    const texts = found.map(
      ({ name = "" }) =>
        new Promise<string>((resolve) => {
          const request = indexedDB.open(name);
          request.onsuccess = () => {
            const all = request.result.transaction(name).objectStore(name).getAll();
            all.onsuccess = () => {
              request.result.close();
              resolve(JSON.stringify(all.result));
            };
          };
        }),
    );
    return (await Promise.all(texts)).join();
  });
