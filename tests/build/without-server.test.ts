// @module-tag full
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSession, storeSession } from "#tests/e2e/support/member.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { serve, serveSite } from "#tests/support/content/site.ts";
import { copyCaches } from "#tests/support/content/test-site.ts";
import { copySources } from "#tests/support/processes/child-process.ts";

// Builds a copy of the sources without a server, with visitor statistics on another origin. The copy shares only the
// installed packages.
const copy = copySources();
copyCaches(join(copy, ".cache"));
const dist = join(copy, "site");
let statistics: Awaited<ReturnType<typeof serve>>;
let blocked = false;
/** In milliseconds, long enough for a busy machine. */
const within = { timeout: 20_000 };
let browser: Browser;
const closing: (() => void)[] = [];

const script = `const own = document.currentScript;
fetch(new URL("/seen?site=" + own.dataset.site + "&page=" + location.pathname, own.src), { method: "POST", mode: "no-cors" });`;

beforeAll(async () => {
  statistics = await serve((request) => {
    const isScript = new URL(request.url).pathname === "/count.js";
    return new Response(isScript && !blocked ? script : null, {
      status: blocked ? 503 : 200,
      headers: { "content-type": "text/javascript" },
    });
  });
  closing.push(statistics.close);
  writeFileSync(
    join(copy, ".env"),
    [
      "SITE_DIR=site",
      "PUBLIC_SITE_ORIGIN=https://shop.example",
      "PUBLIC_PICTURE_ORIGINS=https://pictures.example",
      `PUBLIC_STATISTICS_SCRIPT=${statistics.origin}/count.js`,
      "PUBLIC_STATISTICS_ATTRIBUTES=data-site=ours",
    ].join("\n"),
  );
  const site = join(copy, "src/content/site.yaml");
  const operator =
    '  contact: "hello@entrance.example\\n1 River Street"\n  icp: 沪ICP备2026000000号-1\n  security_record: 沪公网安备 31010402000000号\n';
  writeFileSync(site, readFileSync(site, "utf8").replace("  mark:", `${operator}  mark:`));
  const { ENV_FILE: _, ...env } = process.env;
  await promisify(execFile)(process.execPath, ["scripts/build.ts"], { cwd: copy, env: { ...env, BUILD_API_ORIGIN: "" } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const close of closing) close();
  rmSync(copy, { recursive: true, force: true });
});

/** Opens a page in its own browser context. `requests` are those of this visit to the statistics' origin; a closed page may still send some. */
async function visit(before = () => {}, path = "/about/terms") {
  for (const context of browser.contexts()) await context.close();
  const site = await serveSite(dist, process.env.TEST_ORIGIN ?? "");
  closing.push(site.close);
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  context.on("response", (response) => {
    const url = new URL(response.url());
    if (url.origin === statistics.origin) requests.push(url.pathname + url.search);
  });
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.addInitScript(before);
  await page.goto(site.origin + path);
  await page.waitForLoadState("networkidle");
  return { page, problems, requests };
}

it("the variables of .env reach the canonical URL, the policy in the page and the policy headers", () => {
  const html = readFileSync(join(dist, "about/terms.html"), "utf8");
  expect(html).toContain('<link rel="canonical" href="https://shop.example/about/terms">');
  expect(html).toMatch(
    /http-equiv="content-security-policy" content="[^"]*img-src 'self' data: [^;"]*https:\/\/pictures\.example/i,
  );
  const { policies } = JSON.parse(readFileSync(join(dist, ".hosting/headers.json"), "utf8"));
  for (const policy of policies) expect(policy).toMatch(/img-src [^;]*https:\/\/pictures\.example/);
});

it("goods and packages of a site built without a server load in the browser without a layout shift", async () => {
  const watch = () => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, "value")));
    }).observe({ type: "layout-shift", buffered: true });
  };
  const { page, problems } = await visit(watch, "/mall");
  await expect.poll(() => page.locator("#mall-list > [data-goods]:visible").count(), within).toBe(10);
  await expect.poll(() => page.locator("#passes [data-pass]:visible").count(), within).toBe(3);
  expect(await page.locator(".sk-goods:visible").count()).toBe(0);
  expect({ problems, shifts: await page.evaluate(() => Reflect.get(window, "shifts")) }).toEqual({
    problems: [],
    shifts: [],
  });
  await page.locator("#kinds [data-kind=records]").click();
  await expect.poll(() => page.locator("#mall-list > [data-goods]:visible").count(), within).toBe(3);
});

describe("the operator of the site", () => {
  it.each(["/about/privacy", "/zh-CN/about/privacy", "/en-US/about/privacy"])("has a contact link on %s", async (path) => {
    const { page } = await visit(undefined, path);
    const address = page.getByRole("main").getByRole("link", { name: "hello@entrance.example" });
    expect(await address.getAttribute("href")).toBe("mailto:hello@entrance.example");
    const street = page.getByRole("main").getByText("1 River Street", { exact: true });
    expect((await street.boundingBox())?.y).toBeGreaterThan((await address.boundingBox())?.y ?? Number.POSITIVE_INFINITY);
  });
});

describe("visitor statistics", () => {
  it("load when the page is idle and send, and the policy allows no other script", async () => {
    const { page, problems, requests } = await visit();
    await expect.poll(() => requests, within).toEqual(["/count.js", "/seen?site=ours&page=/about/terms"]);
    expect(problems).toEqual([]);
    const foreign = await page.evaluate(() => {
      const element = document.createElement("script");
      try {
        Reflect.set(element, "src", "https://elsewhere.example/x.js");
        return "taken";
      } catch (error) {
        return String(error);
      }
    });
    expect(foreign).toContain("TrustedScriptURL");
  });

  it.each([
    ["Do Not Track", () => Object.defineProperty(navigator, "doNotTrack", { value: "1" })],
    ["Global Privacy Control", () => Object.defineProperty(navigator, "globalPrivacyControl", { value: true })],
  ])("are not loaded with %s", async (_, before) => {
    const { problems, requests } = await visit(before);
    expect({ requests, problems }).toEqual({ requests: [], problems: [] });
  });

  it.each(["/user/login", "/en-US/user/login", "/user/ui", "/user/info", "/mall/order/M26"])(
    "run on %s only if it is public and not the login page",
    async (path) => {
      const { page, problems, requests } = await visit(undefined, path);
      const isPublic = path === "/user/ui";
      if (isPublic) await expect.poll(() => requests, within).toContain("/count.js");
      expect({ requests: isPublic ? [] : requests, problems }).toEqual({ requests: [], problems: [] });
      const policy = await page.locator("meta[http-equiv=content-security-policy]").getAttribute("content");
      expect(policy?.includes("statistics")).toBe(isPublic);
    },
  );

  it.each(["/about/terms", "/", "/user/info"])("do not run on %s while a member is logged in", async (path) => {
    const { page, requests } = await visit(undefined, "/user/login");
    await storeSession(page, await createSession(process.env.TEST_ORIGIN ?? ""));
    await page.goto(new URL(path, page.url()).href);
    await page.waitForLoadState("networkidle");
    expect(await page.locator("html").getAttribute("data-token")).toBe("");
    expect(new URL(page.url()).pathname).toBe(path);
    expect(requests).toEqual([]);
  });

  it("stop on a page when the visitor logs in in another tab", async () => {
    const { page, requests } = await visit();
    await expect.poll(() => requests.length, within).toBe(2);
    const other = await page.context().newPage();
    await other.goto(new URL("/user/login", page.url()).href);
    const { TOKEN, USER_INFO } = await createSession(process.env.TEST_ORIGIN ?? "");
    await storeSession(other, { USER_INFO, TOKEN });
    await expect.poll(() => page.locator("html").getAttribute("data-member"), within).toBe("");
    expect(await page.locator('script[src*="count.js"]').count()).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it("do not break the page when they are blocked", async () => {
    blocked = true;
    const { page, problems, requests } = await visit();
    await expect.poll(() => requests, within).toEqual(["/count.js"]);
    expect(problems.filter((problem) => !problem.includes("503"))).toEqual([]);
    expect(await page.locator("#failure").isVisible()).toBe(false);
    blocked = false;
  });
});
