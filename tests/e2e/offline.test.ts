import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { seat } from "#i18n/activity.ts";
import { fill } from "#i18n/catalogue.ts";
import { getLocale } from "#i18n/locale.ts";
import { memberPage } from "#i18n/member.ts";
import { order } from "#i18n/order.ts";
import { orderList } from "#i18n/order-list.ts";
import { error } from "#i18n/page.ts";
import { payCode } from "#i18n/payment.ts";
import { snapshot } from "#i18n/state.ts";
import { contract } from "#src/api/contract.ts";
import { writeServiceWorker } from "#src/build/service-worker.ts";
import { builtPages } from "#tests/support/content/site.ts";
import { callServer, createSession, logIn, logOut, orderTote, readSnapshots, storeSession } from "./support/member.ts";
import { expect, inBothLanguages, test, waitUntilStored } from "./support/page.ts";
import { startChangingServer } from "./support/servers.ts";
import { watch } from "./support/watch.ts";

test.use({
  serviceWorkers: "allow",
  allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|Failed to fetch/],
  baseURL: async ({ line }, use) => use(line.origin),
});

const articles = builtPages().flatMap(({ path }) => (/^\/news\/(?!page\/)[^/]+$/.test(path) ? [path] : []));
const article = articles[0] ?? "";

test("an article that was read, and the lists that were not, are readable offline", { tag: "@phone" }, async ({
  page,
  context,
  line,
}) => {
  await page.goto(article);
  const title = await page.locator("h1").innerText();
  await waitUntilStored(page, article, "/event", "/news");
  await line.cut(context);
  await page.goto("/news");
  await expect(page.locator(`main a[href="${article}"]`).first()).toBeVisible();
  await page.goto(article);
  await expect(page.locator("h1")).toHaveText(title, { useInnerText: true });
  const picture = page.locator("main img").first();
  if (await picture.count())
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.goto("/event");
  await expect(page.locator("h1")).toBeVisible();
  await expect(page.locator("#failure")).toBeHidden();
});

for (const prefix of ["", "/en-US"] as const)
  test(`a page that was never opened is an offline page under "${prefix}", which opens it once there is a connection`, {
    tag: ["@phone", "@full"],
  }, async ({ page, context, line }) => {
    const t = error[getLocale(prefix)];
    await page.goto(`${prefix}/news`);
    await waitUntilStored(page, `${prefix}/offline`, `${prefix}/event`, `${prefix}/news`);
    await line.cut(context);
    await page.goto(`${prefix}/about/terms`);
    await expect(page.getByRole("heading", { level: 1, name: t.offlineHeading })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", getLocale(prefix));
    await expect(page.locator("#failure")).toBeHidden();
    await page.getByRole("link", { name: t.retry }).click();
    await expect(page.getByRole("heading", { level: 1, name: t.offlineHeading })).toBeVisible();
    await line.mend(context);
    await page.getByRole("link", { name: t.retry }).click();
    await expect(page.locator(".prose").first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`${prefix}/about/terms`);
    await line.cut(context);
    await page.goto(`${prefix ? "" : "/en-US"}/about/terms`);
    await expect(page.getByRole("heading", { level: 1, name: t.offlineHeading })).toBeVisible();
    await page.goto(`${prefix}/user/ui`);
    await page.getByRole("link", { name: t.news }).click();
    await expect(page.locator(`main a[href="${prefix}${article}"]`).first()).toBeVisible();
  });

test("pictures that a page shows again are removed last", { tag: ["@phone", "@full"] }, async ({ page }) => {
  const findOldest = () => page.evaluate(async () => (await (await caches.open("pictures")).keys())[0]?.url);
  await page.goto("/event");
  await expect.poll(findOldest).toContain("/pictures/");
  await waitUntilStored(page, "/event", "/news");
  await page.evaluate(async () => (await caches.open("pictures")).put("/other", new Response()));
  await page.reload();
  await expect.poll(findOldest).toContain("/other");
});

test("calls of the API are not stored", { tag: ["@phone", "@full"] }, async ({ page }) => {
  await page.goto("/news");
  await waitUntilStored(page, "/event", "/news");
  await page.evaluate(() => fetch("/openapi.json"));
  await page.evaluate(() => fetch("/build.json"));
  const stored = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored).toContain("/news");
  expect(stored.filter((path) => /openapi|build|sw/.test(path))).toEqual([]);
});

test.describe("behind a server that changes", { tag: "@full" }, () => {
  test.use({ allowed: [/^foreign request|ERR_|Failed to fetch|status of 404/] });
  let origin = "";
  let answers: Awaited<ReturnType<typeof startChangingServer>>["answers"];
  let close = () => {};
  test.beforeEach(async () => {
    ({ origin, answers, close } = await startChangingServer());
  });
  test.afterEach(() => close());
  /** Returns the scripts that stored pages name, and those of them that are not stored. */
  const findScripts = (page: Page) =>
    page.evaluate(async () => {
      const responses = await (await caches.open("pages")).matchAll();
      const texts = await Promise.all(responses.map((response) => response.text()));
      const named = [...new Set(texts.flatMap((text) => text.match(/\/_astro\/[\w.@~-]+\.js/g) ?? []))];
      const found = await Promise.all(named.map((url) => caches.match(url)));
      return { named, missing: named.filter((_, at) => !found[at]) };
    });
  /** Holds the first request that matches; returns a function that lets it go. */
  const hold = (pattern: RegExp) => {
    let send = () => {};
    answers.gate = { pattern, until: new Promise<void>((resolve) => (send = resolve)) };
    return send;
  };

  test("a page that takes more than 3 s is shown as it was stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    answers.delay = 20_000;
    const began = performance.now();
    await page.goto(origin + article, { waitUntil: "commit" });
    expect(performance.now() - began).toBeGreaterThan(2_500);
    expect(performance.now() - began).toBeLessThan(15_000);
    await expect(page.locator("h1")).toBeVisible();
  });

  test("a page that was taken down is no longer stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    answers.missing = /^\/news\/./;
    await page.goto(origin + article);
    await expect.poll(() => page.evaluate(async (path) => !(await caches.match(path)), article)).toBe(true);
  });

  test("asks for nothing that it stores before a page is idle, at the first visit and later", { tag: "@phone" }, async ({
    page,
  }) => {
    let send = () => {};
    /** Opens a page whose pictures keep it from being loaded, and waits until the browser is idle. */
    const openBusy = async (path: string) => {
      answers.requests = [];
      send = hold(/^\/pictures\//);
      await page.goto(origin + path, { waitUntil: "domcontentloaded" });
      await expect.poll(() => answers.requests.some((url) => url.startsWith("/pictures/"))).toBe(true);
      // The browser has been idle: what may begin before the page is loaded has begun.
      for (let idle = 0; idle < 3; idle++) await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    };
    await openBusy("/event");
    expect(answers.requests.filter((url) => /sw\.js|\/news|\/offline|react\./.test(url))).toEqual([]);
    send();
    await waitUntilStored(page, "/event", "/news", "/offline");
    await openBusy("/mall");
    const early = answers.requests.filter((url) => url.endsWith(".js"));
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
    );
    expect(early.filter((url) => !loaded.includes(url))).toEqual([]);
    send();
    await waitUntilStored(page, "/mall");
  });

  test("a new build leaves no stored page without its scripts, though the host has removed them, and half a build is not stored", {
    tag: "@phone",
  }, async ({ page, context }) => {
    const readStored = (path: string) => page.evaluate(async (path) => (await caches.match(path))?.text(), path);
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    answers.build = "-second";
    await page.goto(`${origin}/news`);
    await expect.poll(() => readStored("/news")).toContain("-second.js");
    // The worker of that build removes what no stored page needs.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    const getStates = async () => {
      const { installing, waiting, active } = (await navigator.serviceWorker.getRegistration()) ?? {};
      return [installing?.state, waiting?.state, active?.state];
    };
    await expect.poll(() => page.evaluate(getStates)).toEqual([undefined, undefined, "activated"]);
    answers.build = "-third";
    answers.missing = /live-region/;
    answers.requests = [];
    await page.goto(`${origin}/news`);
    await expect.poll(() => answers.requests.some((url) => url.includes("live-region"))).toBe(true);
    answers.missing = null;
    // Stored after it would have been.
    await page.goto(`${origin}/mall`);
    await waitUntilStored(page, "/mall");
    expect(await readStored("/news")).toContain("-second.js");
    await context.setOffline(true);
    for (const [path, pattern] of [
      [article, /\.[\w-]{7,8}\.js/],
      ["/news", /-second\.js/],
    ] as const) {
      await page.goto(origin + path);
      expect(await page.content()).toMatch(pattern);
      expect(await page.content()).not.toContain("-third.js");
      await page.getByRole("contentinfo").locator("[data-mode=dark]").click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
      await page.getByRole("contentinfo").locator("[data-mode=system]").click();
      await expect(page.locator("#failure")).toBeHidden();
    }
    expect(await findScripts(page)).toEqual({ named: expect.arrayContaining([expect.any(String)]), missing: [] });
  });

  test("a page that opens while a new worker removes old files does not wait for that, and keeps its own", {
    tag: "@phone",
  }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    // All stored pages lack a script, which the new worker requests before it removes the first of them.
    await page.evaluate(async () => {
      const files = await caches.open("files");
      for (const request of await files.keys()) if (request.url.includes("live-region")) await files.delete(request);
    });
    answers.build = "-second";
    answers.requests = [];
    const send = hold(/live-region/);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect.poll(() => answers.requests.some((url) => url.includes("live-region"))).toBe(true);
    await page.goto(`${origin}/mall`, { timeout: 15_000 });
    const isStoredOrWaits = async () => !!(await caches.match("/mall")) || !!(await navigator.locks.query()).pending?.length;
    await expect.poll(() => page.evaluate(isStoredOrWaits)).toBe(true);
    send();
    const findOld = async () => (await findScripts(page)).named.filter((url) => !url.endsWith("-second.js"));
    await expect.poll(findOld).toEqual([]);
    await waitUntilStored(page, "/mall");
    expect(await findScripts(page)).toMatchObject({ missing: [] });
  });

  test("PUBLIC_OFFLINE=false removes the worker and what it has stored", { tag: "@phone" }, async ({ page }) => {
    await page.goto(origin + article);
    await waitUntilStored(page, article, "/event", "/news");
    // As on the device of a member, whose pages have closed it.
    await page.evaluate(async () => {
      const request = indexedDB.open("SNAPSHOTS");
      await new Promise((resolve) => (request.onsuccess = resolve));
      request.result.close();
    });
    const folder = mkdtempSync(join(tmpdir(), "entrance-worker-"));
    await writeServiceWorker("src", folder, "off", false);
    answers.worker = readFileSync(join(folder, "sw.js"), "utf8");
    const stored = async () => {
      const [workers, names] = [await navigator.serviceWorker.getRegistrations(), await caches.keys()];
      return [workers.length, ...names, ...(await indexedDB.databases()).map(({ name }) => name)];
    };
    expect(await page.evaluate(stored)).toEqual([1, "pages", "files", "pictures", "SNAPSHOTS"]);
    // As a browser does when a page opens.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect.poll(() => page.evaluate(stored)).toEqual([0]);
  });
});

// What a member has seen of tickets and orders is readable again without a connection, and by nobody else.

/** Logs a member in who has a ticket and an unpaid order, opens the profile and the list of orders, and waits until both are stored. */
async function visit(page: Page, prefix = "") {
  await logIn(page);
  const { activity } = await callServer(page, contract.activityBooking, { activity_uid: "slow" });
  const code = activity.check_in_code ?? "no code";
  const order_sn = await orderTote(page);
  await page.goto(`${prefix}/user/info`);
  await expect(page.getByText(code.slice(0, 4)).first()).toBeVisible();
  await expect.poll(() => readSnapshots(page)).toContain(code);
  await page.goto(`${prefix}/user/order/list`);
  await expect(page.getByRole("main").locator(`a[href$="${order_sn}"]`).first()).toBeVisible();
  const pages = ["/user/info", "/user/order/list", "/mall/order_event/_", "/mall/order/_", "/user/order/_", "/offline"];
  await waitUntilStored(page, ...pages.map((path) => prefix + path));
  for (const text of [code, order_sn]) await expect.poll(() => readSnapshots(page)).toContain(text);
  return { code, order_sn };
}

inBothLanguages(() => {
  test("a phone that was on the site yesterday shows articles, tickets and orders in flight mode", { tag: "@phone" }, async ({
    prefix,
    baseURL,
    line,
    launchOptions,
    contextOptions,
    viewport,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "entrance-phone-"));
    const launch = (): Promise<BrowserContext> =>
      chromium.launchPersistentContext(folder, {
        ...launchOptions,
        ...contextOptions,
        baseURL,
        viewport,
        locale: getLocale(prefix),
      });
    const yesterday = await launch();
    let page = await yesterday.newPage();
    await page.goto(`${prefix}/news/sample-1`);
    const title = await page.locator("h1").innerText();
    await waitUntilStored(page, `${prefix}/news/sample-1`, `${prefix}/event`, `${prefix}/news`);
    const { code, order_sn } = await visit(page, prefix);
    await yesterday.close();

    const today = await launch();
    const problems = await watch(today, baseURL ?? "");
    await line.cut(today);
    await today.clock.setSystemTime(Date.now() + 24 * 3600_000);
    page = await today.newPage();
    await page.goto(`${prefix}/news/sample-1`);
    await expect(page.locator("h1")).toHaveText(title, { useInnerText: true });
    await page.goto(`${prefix}/event`);
    await expect(page.locator("main a[href*='/event/']").first()).toBeVisible();

    const [s, t] = [seat[getLocale(prefix)], snapshot[getLocale(prefix)]];
    const notice = page.getByRole("status").filter({ hasText: t.takenAt.split("{time}")[0] });
    await page.goto(`${prefix}/user/info`);
    await expect(notice.first()).toContainText(/\d{4}\.\d\d\.\d\d \d\d:\d\d/);
    await page.getByRole("main").locator("a[href$='/mall/order_event/slow']").first().click();
    await expect(page).toHaveURL(`${prefix}/mall/order_event/slow`);
    const ticket = page.getByRole("region", { name: s.code });
    await expect(ticket).toContainText(code);
    await expect(ticket.getByRole("img", { name: fill(s.codeImage, { code }) })).toBeVisible();
    await expect(notice).toBeVisible();
    await expect(page.locator("summary", { hasText: s.giveBack })).toHaveCount(0);
    // One that is not booked cannot be booked now.
    await page.goto(`${prefix}/mall/order_event/entrance`);
    await expect(page.getByRole("main")).toContainText(t.needsLatest);
    await expect(page.getByRole("button", { name: s.book })).toHaveCount(0);

    const [o, l] = [order[getLocale(prefix)], orderList[getLocale(prefix)]];
    await page.goto(`${prefix}/user/order/list`);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("link", { name: l.pay })).toHaveCount(0);
    await page.getByRole("link", { name: l.view }).first().click();
    await expect(page).toHaveURL(`${prefix}/mall/order/${order_sn}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(o.pending);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("main")).toContainText(t.needsLatest);
    await expect(page.getByRole("timer")).toHaveCount(0);
    await expect(page.locator("summary", { hasText: o.cancel })).toHaveCount(0);
    await expect(page.getByRole("img", { name: payCode[getLocale(prefix)].label })).toHaveCount(0);
    await expect(page.locator("#failure")).toBeHidden();

    // What is live comes back with the connection, by itself.
    await line.mend(today);
    await expect(page.getByRole("timer")).toBeVisible();
    await expect(notice).toHaveCount(0);
    await today.close();
    rmSync(folder, { recursive: true });
    expect(
      problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|layout shift/.test(problem)),
    ).toEqual([]);
  });
});

test("a member's tickets and orders are never shown to another one on the same phone, whatever happened between", {
  tag: ["@phone", "@full"],
}, async ({ page, context, line, baseURL }) => {
  const { code, order_sn } = await visit(page);
  const second = await createSession(baseURL ?? "");
  // As after a crash in the middle of a login: nobody has logged out, and the first member's profile is still there.
  const { TOKEN } = second;
  for (const session of [{ TOKEN }, second]) {
    await page.goto("/robots.txt");
    await storeSession(page, session);
    await line.cut(context);
    for (const path of ["/user/info", "/user/order/list", `/mall/order/${order_sn}`, "/mall/order_event/slow"]) {
      await page.goto(path);
      await expect(page.getByRole("main").getByRole("alert").first()).toBeVisible();
      await expect(page.getByText(code.slice(0, 4))).toHaveCount(0);
      await expect(page.locator("#failure")).toBeHidden();
    }
    await line.mend(context);
  }
  // The second one's first answer leaves nothing of the first one's on the device.
  await page.goto("/user/info");
  await expect(page.getByText(memberPage["zh-CN"].noBookings)).toBeVisible();
  await expect.poll(() => readSnapshots(page)).toContain("slow");
  expect(await readSnapshots(page)).not.toContain(code);
  expect(await readSnapshots(page)).not.toContain(order_sn);
});

test("an answer that arrives after another member has logged in is stored for nobody", { tag: ["@phone", "@full"] }, async ({
  page,
  context,
  baseURL,
}) => {
  const { code, order_sn } = await visit(page);
  const second = await createSession(baseURL ?? "");
  const answers: (() => Promise<void>)[] = [];
  await page.route(`**${contract.mallOrderInfo.path}*`, async (route) => {
    const response = await route.fetch();
    answers.push(() => route.fulfill({ response }));
  });
  await page.goto(`/mall/order/${order_sn}`);
  await expect(page.locator("main astro-island[ssr]")).toHaveCount(0);
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  const other = await context.newPage();
  await other.goto("/robots.txt");
  await storeSession(other, second);
  const answered = page.waitForResponse(`**${contract.mallOrderInfo.path}*`);
  await Promise.all(answers.map((send) => send()));
  await answered;
  await other.goto("/user/info");
  await expect(other.getByText(memberPage["zh-CN"].noBookings)).toBeVisible();
  // What the first one had stored is gone with the second one's first answer.
  await expect.poll(() => readSnapshots(other)).not.toContain(code);
  expect(await readSnapshots(other)).not.toContain(order_sn);
});

test("logging out without a connection deletes a member's tickets and orders, with two tabs open", {
  tag: ["@phone", "@full"],
}, async ({ page, context, line, t }) => {
  await visit(page);
  const other = await context.newPage();
  await other.goto("/user/info");
  await page.goto("/user/info");
  await page.getByRole("button", { name: t.session.logOut }).click();
  await line.cut(context);
  await page.getByRole("dialog").getByRole("button", { name: t.session.logOut }).click();
  for (const tab of [page, other]) await expect(tab.getByRole("heading", { name: t.error.offlineHeading })).toBeVisible();
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([]);
  // Nobody is logged in: the member's pages lead away.
  await page.goto("/user/order/list");
  await expect(page).toHaveURL(/\/user\/login/);
});

test("a session that the server has ended leaves no tickets and orders behind", { tag: "@phone" }, async ({ page }) => {
  await visit(page);
  await page.evaluate(() => {
    localStorage.setItem("TOKEN", "x".repeat(43));
  });
  await page.goto("/news");
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([]);
});

/** Ways in which a browser stores nothing. Each runs in the page before its own scripts. */
const faults = {
  denied: () =>
    Object.defineProperty(window, "indexedDB", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    }),
  full: () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
};
for (const [fault, inject] of Object.entries(faults))
  test(`a member's pages work with ${fault} storage, and report a lost connection`, { tag: ["@phone", "@full"] }, async ({
    page,
    context,
    line,
    t,
  }) => {
    await page.addInitScript(inject);
    await logIn(page);
    const order_sn = await orderTote(page);
    await page.goto(`/mall/order/${order_sn}`);
    await expect(page.getByRole("timer")).toBeVisible();
    await page.goto("/user/info");
    await expect(page.getByText(memberPage["zh-CN"].noBookings)).toBeVisible();
    await waitUntilStored(page, "/user/info", "/user/order/list");
    await line.cut(context);
    await page.goto("/user/info");
    await expect(page.getByRole("main")).toContainText(t.state.offline);
    await expect(page.locator("#failure")).toBeHidden();
    await line.mend(context);
    await logOut(page, t.session.logOut);
    await expect(page).toHaveURL("/user/login");
  });
