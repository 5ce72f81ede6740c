// @module-tag full
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { campaignPage } from "#i18n/campaign.ts";
import { concert } from "#i18n/concert.ts";
import { event } from "#i18n/event.ts";
import { goods } from "#i18n/goods.ts";
import { prefixes as allPrefixes, getLocale, locales, type Prefix, withPrefix } from "#i18n/locale.ts";
import { memberPage } from "#i18n/member.ts";
import { news } from "#i18n/news.ts";
import { state } from "#i18n/state.ts";
import { feeds } from "#src/routes.ts";
import { createSession } from "#tests/e2e/support/member.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { dist as demo } from "#tests/support/content/site.ts";
import { findPostgres, type Postgres, startPostgres } from "#tests/support/database/postgres.ts";
import { runScript, runToEnd, type Script } from "#tests/support/processes/child-process.ts";
import { root } from "#tests/support/rules/sources.ts";
import { findCalendarFaults, findRssFaults, findSitemapFaults } from "#tests/support/validators/feeds.ts";
import { findHtmlFaults, findLinkFaults, findSharingFaults, readSite } from "#tests/support/validators/site.ts";

// A new shop without goods and bookings. On each engine `npm start` builds and serves its site, once over the demo's old site.
const bin = findPostgres();
/** In milliseconds, long enough for a busy machine. */
const within = { timeout: 20_000 };
let browser: Browser;
let postgres: Postgres | undefined;

beforeAll(async () => {
  if (!bin && process.env.REQUIRE_POSTGRES) throw new Error("PostgreSQL was not found");
  if (bin) postgres = await startPostgres(bin);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await postgres?.stop();
});

interface Instance {
  site: string;
  /** The folder of its data and its files. */
  data: string;
  origin: string;
  script: Script;
}

/** Starts a shop as `npm run new -- shop` writes it. */
async function open(env: Record<string, string | undefined>, before: (site: string) => void): Promise<Instance> {
  const port = await getPort();
  const data = mkdtempSync(join(tmpdir(), "entrance-empty-"));
  const content = join(data, "new-shop");
  await runToEnd("new", ["shop", content], {});
  const site = join(root, ".cache", `empty-${process.pid}-${port}`);
  before(site);
  const folders = { PORT: String(port), CONTENT_DIR: content, DATA_DIR: data, SITE_DIR: site, DEMO: undefined };
  const script = runScript("scripts/start.ts", { DATABASE_URL: "", FLOOD_PER_MINUTE: "0", ...folders, ...env });
  return { site, data, origin: `http://localhost:${port}`, script };
}

async function close({ site, data, script }: Instance): Promise<void> {
  await script.end();
  for (const folder of [site, data]) rmSync(folder, { recursive: true, force: true });
}

/** Returns the paths of all pages of a built site under all prefixes, without error pages and shells, which have no URL of their own. */
function listPaths(site: string): string[] {
  return readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html") && !/(^|\/)([45]\d\d|_)\.html$/.test(file))
    .map((file) => `/${file.replace(/(^|\/)index\.html$/, "").replace(/\.html$/, "")}`)
    .sort();
}

/** Visits pages, four at a time, and returns their problems. */
async function findProblems(origin: string, paths: string[]): Promise<string[]> {
  const problems: string[] = [];
  const pending = [...paths];
  const context = await browser.newContext();
  const visit = async () => {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(`${new URL(page.url()).pathname}: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(`${new URL(page.url()).pathname}: ${error}`));
    for (let path = pending.pop(); path; path = pending.pop()) {
      const response = await page.goto(origin + path);
      if (response?.status() !== 200) problems.push(`${path}: HTTP ${response?.status()}`);
      await page.waitForLoadState("networkidle");
    }
  };
  await Promise.all([visit(), visit(), visit(), visit()]);
  await context.close();
  return problems;
}

async function onPage(shop: Instance, path: string, inspect: (page: Page) => Promise<void>, session?: Record<string, string>) {
  const context = await browser.newContext({ baseURL: shop.origin });
  if (session) {
    await context.addInitScript((stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    }, session);
  }
  const page = await context.newPage();
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  await inspect(page);
  await context.close();
}

/** Tests of an empty shop; those of single pages under these prefixes. */
function describeEmptySite(getInstance: () => Instance, prefixes: readonly Prefix[]): void {
  it("all pages under all prefixes respond with 200 and no console error", { timeout: 300_000 }, async () => {
    const { origin, site } = getInstance();
    const paths = listPaths(site);
    for (const prefix of allPrefixes) {
      for (const path of ["/", "/event", "/event/spring", "/news", "/mall", "/user/info", "/user/login"])
        expect(paths).toContain(withPrefix(prefix, path));
    }
    expect(await findProblems(origin, paths)).toEqual([]);
  });

  it("nothing of the site is invalid or leads nowhere", { timeout: 300_000 }, async () => {
    const site = readSite(getInstance().site);
    const getText = (file: string) => site.texts.get(file) ?? "";
    expect(site.pages.flatMap(findHtmlFaults)).toEqual([]);
    expect(findLinkFaults(site)).toEqual([]);
    expect(await findSharingFaults(site, getInstance().site)).toEqual([]);
    expect(await findSitemapFaults("sitemap-0.xml", getText("sitemap-0.xml"))).toEqual([]);
    for (const locale of locales) {
      const [feed, calendar] = [feeds.news(locale), feeds.calendar(locale)];
      const pictures = { origin: site.origin, getSize: () => null };
      expect(findRssFaults(getText(feed.slice(1)), site.origin + feed, pictures)).toEqual([]);
      expect(findCalendarFaults(getText(calendar.slice(1)), 0)).toEqual([]);
    }
  });

  it.each(prefixes)("%s/ shows no goods, no packages and no tour", async (prefix) => {
    await onPage(getInstance(), withPrefix(prefix, "/"), async (page) => {
      for (const selector of [".stage", "#goods", "a.strip", 'a[href$="/event/spring"]'])
        expect({ [selector]: await page.locator(selector).count() }).toEqual({ [selector]: 0 });
      expect(await page.getByRole("button", { name: concert[getLocale(prefix)].join }).count()).toBe(0);
    });
  });

  it.each(["/mall", "/mall?category=passes", "/mall?category=records"])(
    "%s shows that nothing is on sale yet",
    async (path) => {
      for (const prefix of prefixes) {
        const t = goods[getLocale(prefix)];
        await onPage(getInstance(), prefix + path, async (page) => {
          await page.getByText(t.bareTitle).waitFor(within);
          for (const text of [t.noneTitle, t.passes, t.seeAll])
            expect({
              [text]: await page.getByRole("main").getByText(text, { exact: true }).filter({ visible: true }).count(),
            }).toEqual({ [text]: 0 });
        });
      }
    },
  );

  it.each(prefixes)("%s/event/spring shows that there is no tour", async (prefix) => {
    const t = campaignPage[getLocale(prefix)];
    await onPage(getInstance(), `${prefix}/event/spring`, async (page) => {
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(t.none);
      expect(await page.getByText("春天开门").or(page.getByText("Spring Opens")).count()).toBe(0);
    });
  });

  it("the search finds the texts that every shop has", async () => {
    await onPage(getInstance(), "/search?q=隐私", (page) =>
      page.locator('[data-results] a[href="/about/privacy"]').waitFor(within),
    );
  });

  it("what was read, and the lists, are readable without a connection", async () => {
    await onPage(getInstance(), "/about/privacy", async (page) => {
      const isStored = (path: string) => page.evaluate(async (one) => Boolean(await caches.match(one)), path);
      const paths = ["/about/privacy", "/event", "/news"];
      for (const path of paths) await expect.poll(() => isStored(path), within).toBe(true);
      await page.context().setOffline(true);
      for (const path of paths) await page.goto(path).then(() => page.locator("h1").waitFor(within));
    });
  });

  it.each(["/mall/item/vinyl", "/mall/vip/regular"])("%s shows that the item or package does not exist", async (path) => {
    const { unknown, unknownBody } = goods["zh-CN"];
    await onPage(getInstance(), path, async (page) => {
      await page.getByRole("heading", { name: path.includes("item") ? unknown : "没有这张通行证" }).waitFor(within);
      if (path.includes("item")) expect(await page.getByText(unknownBody).isVisible()).toBe(true);
    });
  });

  it.each(prefixes)("%s/user/info shows no failure to a member", async (prefix) => {
    const session = await createSession(getInstance().origin, undefined, getInstance().data);
    await onPage(
      getInstance(),
      `${prefix}/user/info`,
      async (page) => {
        await page.getByText(memberPage[getLocale(prefix)].noBookings).waitFor(within);
        expect(await page.getByText(state[getLocale(prefix)].failedTitle, { exact: true }).count()).toBe(0);
        await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
      },
      session,
    );
  });
}

describe("npm start of a new shop on the embedded database, over the demo's site", () => {
  let shop: Instance;
  beforeAll(async () => {
    shop = await open({}, (site) => cpSync(demo, site, { recursive: true }));
    await shop.script.until("uilding the site", 1);
  });
  afterAll(() => close(shop));

  it("responds with 503 during the build instead of serving the demo's pages", async () => {
    expect(existsSync(join(demo, "mall/item/vinyl.html"))).toBe(true);
    const response = await fetch(`${shop.origin}/mall/item/vinyl`);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('http-equiv="refresh"')]);
  });

  it("builds and serves the site", { timeout: 300_000 }, () => shop.script.until(`Site: ${shop.origin}`));

  describeEmptySite(() => shop, [""]);
});

describe(`with DEMO=false on ${bin ? "PostgreSQL" : "the embedded database, as there is no PostgreSQL"}, where no catalogue was applied`, {
  tags: ["long"],
}, () => {
  let shop: Instance;
  beforeAll(async () => {
    const services = { SMS: "console", PAYMENT: "sandbox", ACTIVATE_NEW_MEMBERS: "true", REQUEST_LOG: "off" };
    shop = await open({ DEMO: "false", ...services, DATABASE_URL: postgres?.url("postgres") ?? "" }, () => {});
  });
  afterAll(() => close(shop));

  it("builds and serves the site", { timeout: 300_000 }, () => shop.script.until(`Site: ${shop.origin}`));

  describeEmptySite(() => shop, allPrefixes);

  it.each(allPrefixes)("%s: the lists of events and news show that they are empty", async (prefix) => {
    const locale = getLocale(prefix);
    for (const [path, name] of Object.entries({ "/event": event[locale].noneTitle, "/news": news[locale].noneTitle }))
      await onPage(shop, prefix + path, (page) => page.getByRole("heading", { name }).waitFor(within));
  });
});
