// @module-tag full
import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { locales } from "#i18n/locale.ts";
import { checkout, order } from "#i18n/order.ts";
import { payCode, payment } from "#i18n/payment.ts";
import { session } from "#i18n/session.ts";
import { contract } from "#src/api/contract.ts";
import { snapshotDatabase } from "#src/api/storage.ts";
import { createMobile, openCashier, waitForCode } from "#tests/e2e/support/member.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { addressPayload } from "#tests/support/client/order.ts";
import { serveFiles } from "#tests/support/content/site.ts";
import { copyCaches } from "#tests/support/content/test-site.ts";
import {
  copySources,
  newFolder,
  type ServerProcess,
  startServer,
  stopServersAndRemoveFolders,
} from "#tests/support/processes/child-process.ts";

// A site whose API has another origin: files are on one, calls, cashier and code pictures on the other. It has no service worker.
const copy = copySources();
copyCaches(join(copy, ".cache"));
const within = { timeout: 20_000 };
let site: Awaited<ReturnType<typeof serveFiles>>;
let api: ServerProcess;
let data: string;
let browser: Browser;
beforeAll(async () => {
  site = await serveFiles(join(copy, "site"));
  data = newFolder();
  api = await startServer({ DATA_DIR: data, SITE_ORIGINS: site.origin });
  const operator = { ...process.env, CONTENT_DIR: "", DATA_DIR: data, DATABASE_URL: "", ENV_FILE: "" };
  await promisify(execFile)(process.execPath, ["scripts/catalogue.ts", "apply"], { env: operator });
  const env = {
    ...process.env,
    BUILD_API_ORIGIN: api.origin,
    PUBLIC_API_ORIGIN: api.origin,
    PUBLIC_OFFLINE: "false",
    SITE_DIR: "site",
  };
  await promisify(execFile)(process.execPath, ["scripts/build.ts"], { cwd: copy, env });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await stopServersAndRemoveFolders();
  rmSync(copy, { recursive: true, force: true });
});

/** A page, and the requests and scripts that fail in it. */
async function openPage(): Promise<{ page: Page; problems: string[]; apiOrigins: Set<string> }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const problems: string[] = [];
  const apiOrigins = new Set<string>();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (pathname.startsWith("/v1/")) apiOrigins.add(origin);
  });
  return { page, problems, apiOrigins };
}

it.each(locales)("a visitor in %s logs in, orders and pays through an API on another origin", async (locale) => {
  const prefix = locale === "en-US" ? "/en-US" : "";
  const [s, c, t] = [session[locale], checkout[locale], order[locale]];
  const { page, problems, apiOrigins } = await openPage();
  const mobile = createMobile();
  await page.goto(`${site.origin}${prefix}/user/login?redirect=%2Fuser%2Finfo`);
  await page.getByLabel(s.username).fill(mobile);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: s.send }).click();
  await page.getByLabel(s.code, { exact: true }).fill(await waitForCode(mobile, 0, data));
  await page.waitForURL(`${site.origin}${prefix}/user/info`);
  const token = await page.evaluate(() => localStorage.getItem("TOKEN") ?? "");

  expect(await clientAt(api.origin).send(contract.addressAdd, addressPayload, { token })).toMatchObject({ code: 1 });
  await page.goto(`${site.origin}${prefix}/mall/order/confirm/tote?sku=tote&quantity=1`);
  await page.getByRole("button", { name: c.submit, exact: true }).filter({ visible: true }).click(within);
  await page.waitForURL(/\/mall\/order\/M\w{20}$/);
  await page.getByRole("img", { name: payCode[locale].label }).waitFor(within);
  const cashier = await openCashier(page, prefix);
  await cashier.getByRole("button", { name: payment[locale].pay, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: t.paid }).waitFor(within);
  expect({ problems, apiOrigins: [...apiOrigins] }).toEqual({ problems: [], apiOrigins: [api.origin] });
  const stored = await page.evaluate(async () => [
    ...(await navigator.serviceWorker.getRegistrations()),
    ...(await caches.keys()),
    ...(await indexedDB.databases()),
  ]);
  expect(stored).toEqual([]);
  await page.close();
});

it("with PUBLIC_OFFLINE=false no page may register a worker, and the one of an earlier build removes itself", async () => {
  const { policies } = JSON.parse(readFileSync(join(copy, "site/.hosting/headers.json"), "utf8"));
  expect(policies.length).toBeGreaterThan(0);
  for (const policy of policies) {
    expect(policy).toContain("; trusted-types 'none'; ");
    expect(policy).not.toContain("worker");
  }
  const { page, problems } = await openPage();
  await page.goto(`${site.origin}/robots.txt`);
  // As the pages of an earlier build have done.
  await page.evaluate(async () => {
    await caches.open("pages");
    await navigator.serviceWorker.register("/sw.js");
  });
  const count = async () => (await navigator.serviceWorker.getRegistrations()).length + (await caches.keys()).length;
  await expect.poll(() => page.evaluate(count), within).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

it("with PUBLIC_OFFLINE=false a page deletes a member's orders that an earlier build stored, in a browser without a worker", async () => {
  const { page, problems } = await openPage();
  await page.goto(`${site.origin}/robots.txt`);
  await page.evaluate(async (name) => {
    const request = indexedDB.open(name);
    await new Promise((resolve) => (request.onsuccess = resolve));
    request.result.close();
  }, snapshotDatabase);
  await page.goto(`${site.origin}/news`);
  await expect.poll(() => page.evaluate(() => indexedDB.databases()), within).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

it("CORS blocks requests from an origin that is not configured", async () => {
  const other = await serveFiles(join(copy, "site"));
  const { page, problems } = await openPage();
  await page.goto(`${other.origin}/user/login`);
  await page.getByLabel(session["zh-CN"].username).fill(createMobile());
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: session["zh-CN"].send }).click();
  await expect.poll(() => problems.join(), within).toContain("blocked by CORS policy");
  await page.close();
  other.close();
});
