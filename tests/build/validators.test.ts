// @module-tag full
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it, onTestFinished } from "vitest";
import { canonicalPrefix, getLocale, locales, splitPrefix, withPrefix } from "#i18n/locale.ts";
import { goodsLists } from "#src/api/goods.ts";
import { chunkSize, parseResults, search, searchPaths } from "#src/lib/search.ts";
import { feeds, link } from "#src/routes.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { readEntries } from "#tests/support/content/shop-files.ts";
import { dist as demo } from "#tests/support/content/site.ts";
import { readGraph } from "#tests/support/content/structured-data.ts";
import { startTestSite } from "#tests/support/content/test-site.ts";
import { findCalendarFaults, findRssFaults, findSitemapFaults } from "#tests/support/validators/feeds.ts";
import {
  findHtmlFaults,
  findLinkFaults,
  findNamed,
  findSharingFaults,
  getMeta,
  getVisibleText,
  readSite,
} from "#tests/support/validators/site.ts";
import { findValues, getKind, rules } from "#tests/support/validators/structured-data.ts";

// Everything that a build writes for others to read, of the demo and of a label with photographs.
const label = process.env.TEST_LABEL_DIST;
const toShop = (name: string, dist: string, variables: string) => {
  const { [`${variables}_ORIGIN`]: server = "", [`${variables}_CACHE_DIR`]: cache = "" } = process.env;
  return { name, dist, server, cache };
};
const shops = [toShop("demo", demo, "TEST"), ...(label ? [toShop("label", label, "TEST_LABEL")] : [])];
const findPairs = (text: string) => new Set(Array.from(text.matchAll(/(?=(\p{Script=Han}{2}))/gu), ([, pair = ""]) => pair));
const offersOf = v.object({ offers: v.array(v.object({ sku: v.string(), price: v.string() })) });

it("the label's site is there", () => {
  expect(label, "npm test -- tests/build/validators.test.ts builds it").toBeTruthy();
});

describe.each(shops)("the site of the $name", ({ name, dist, server, cache }) => {
  const site = readSite(dist);
  const entries = readEntries(join(dist, "../content"));
  const facts = entries.filter(({ locale }) => locale === "zh-CN");
  const { pages, files, texts, origin } = site;
  const listed = pages.filter((page) => getMeta(page, "robots").length === 0);

  it("is valid HTML", { timeout: 600_000 }, () => {
    expect(pages.flatMap(findHtmlFaults)).toEqual([]);
  });

  it("has no link, picture, script, alternate or id that leads nowhere", () => {
    expect(findLinkFaults(site)).toEqual([]);
  });

  it("has a sitemap by the schemas, whose index names all of its parts", async () => {
    const parts = [...texts.keys()].filter((file) => /^sitemap-.*\.xml$/.test(file));
    for (const file of parts) expect(await findSitemapFaults(file, texts.get(file) ?? "")).toEqual([]);
    const named = Array.from((texts.get("sitemap-index.xml") ?? "").matchAll(/<loc>([^<]+)/g), ([, url]) => url);
    expect(named.toSorted()).toEqual(parts.filter((file) => file !== "sitemap-index.xml").map((file) => `${origin}/${file}`));
    expect(texts.get("robots.txt")).toMatch(new RegExp(`^Sitemap: ${origin}/sitemap-index\\.xml$`, "m"));
  });

  it.each(locales)("has an RSS feed in %s that readers accept", (locale) => {
    const path = feeds.news(locale);
    const getSize = (file: string) => (files.has(file.slice(1)) ? statSync(join(dist, file)).size : null);
    expect(findRssFaults(texts.get(path.slice(1)) ?? "", origin + path, { origin, getSize })).toEqual([]);
  });

  it("has calendars that RFC 5545 allows: one of each show and one of all, in each language", () => {
    const calendars = [...texts].filter(([file]) => file.endsWith(".ics"));
    expect(calendars.length).toBeGreaterThan(locales.length);
    expect(calendars.flatMap(([file, text]) => findCalendarFaults(text).map((fault) => `${file}: ${fault}`))).toEqual([]);
  });

  it("has structured data with everything that Google requires, and what it recommends and the shop has", () => {
    const nodes = pages.flatMap(({ html }) => readGraph(html));
    for (const [type, { required, recommended }] of Object.entries(rules)) {
      const own = nodes.filter((node) => getKind({ ...node }) === type);
      const isThere = (property: string) =>
        own.some((node) => findValues(node, property).some(([, value]) => value !== undefined));
      expect(own.length, type).toBeGreaterThan(0);
      const rare = ["dateModified", "author.url", "sameAs", "contactPoint", "previousStartDate"];
      expect(
        Object.keys({ ...required, ...recommended }).filter((property) => !isThere(property) && !rare.includes(property)),
      ).toEqual([]);
    }
  });

  it("says in structured data of each show whether it takes place and was moved, when doors open, and whether it can be booked", () => {
    const builtAt = Date.parse(JSON.parse(readFileSync(join(dist, "build.json"), "utf8")).built_at);
    const statuses = { scheduled: "EventScheduled", moved: "EventRescheduled", cancelled: "EventCancelled" };
    const found = new Set<string>();
    for (const { path, fields } of facts.filter(({ kind }) => kind === "event")) {
      const page = pages.find((page) => page.path === path);
      if (!page) continue;
      const { status, moved_from, doors_at, booking } = fields;
      const [show = {}] = readGraph(page.html);
      found.add(status);
      expect(show, path).toMatchObject({ eventStatus: `https://schema.org/${statuses[status]}`, doorTime: doors_at });
      expect(Object.entries(show).find(([key]) => key === "previousStartDate")?.[1], path).toBe(moved_from);
      expect("offers" in show, path).toBe(booking !== undefined);
      if (booking && (status === "cancelled" || Date.parse(booking.closes_at) <= builtAt))
        expect(show, path).toMatchObject({ offers: { availability: "https://schema.org/SoldOut" } });
    }
    expect([...found].sort()).toEqual(name === "label" ? ["cancelled", "moved", "scheduled"] : ["scheduled"]);
  });

  it("has an offer in structured data for each SKU of the catalogue", async () => {
    const { list } = await clientAt(server).call(goodsLists);
    expect(list.length).toBeGreaterThan(0);
    for (const { goods_uid, skus } of list) {
      const page = pages.find(({ path }) => path === link("", "item", { uid: goods_uid }));
      const { offers } = v.parse(offersOf, readGraph(page?.html ?? "")[0]);
      expect(offers).toEqual(skus.map(({ sku_uid, pay_fen }) => ({ sku: sku_uid, price: (pay_fen / 100).toFixed(2) })));
    }
  });

  it("has in its sitemap the day of a file's last change, else of a news item its date, of lists of news the latest of both, and no other", () => {
    const days = new Map(facts.map(({ path, fields }) => [path, fields.updated ?? fields.date]));
    const isShown = (path: string) => pages.some((page) => page.path === path);
    const latest = facts.flatMap(({ path, fields }) => (fields.date && isShown(path) ? fields.date : [])).sort();
    const found = Array.from(
      (texts.get("sitemap-0.xml") ?? "").matchAll(/<url><loc>([^<]+)<\/loc>(?:<lastmod>(.{10})[^<]*<\/lastmod>)?/g),
      ([, url = "", day]) => [splitPrefix(new URL(url).pathname).path, day],
    );
    const toDay = ({ url = "" }) => days.get(splitPrefix(new URL(url).pathname).path);
    const getDay = (path: string) => {
      if (!/^\/news(\/page\/\d+)?$/.test(path)) return days.get(path);
      const [list] = readGraph(pages.find((page) => page.path === path)?.html ?? "");
      return [latest.at(-1), ...(list?.itemListElement ?? []).map(toDay)].sort().at(-1);
    };
    expect(found).toEqual(found.map(([path = ""]) => [path, getDay(path)]));
    // Where a page has another day than that of its news.
    expect(facts.some(({ path, fields }) => fields.updated && !path.startsWith("/about/") && isShown(path))).toBe(true);
  });

  it("has the days and the cities of a tour on its card", () => {
    const tours = facts.filter(({ kind, path }) => kind === "campaign" && pages.some((page) => page.path === path));
    expect(tours.length).toBeGreaterThan(0);
    for (const { path, fields } of tours) {
      const page = pages.find((page) => page.path === path);
      const [, hash] = /cards\/(\w+)\./.exec(page ? (getMeta(page, "og:image")[0] ?? "") : "") ?? [];
      const card = JSON.parse(readFileSync(join(cache, `pictures/cards/${hash}.json`), "utf8"));
      expect(card.date).toMatch(/^\d\d\.\d\d( – \d\d\.\d\d)?$/);
      expect(card.location).toBe([...new Set(fields.stops?.map(({ city }) => city))].join("\u00a0· "));
    }
  });

  it("links to the feeds in the footer of every page, which marks the links to other sites", () => {
    const footers = pages.filter(({ html }) => html.includes("<footer"));
    expect(footers.length).toBeGreaterThan(listed.length);
    for (const { path, html } of footers) {
      const locale = getLocale(splitPrefix(path).prefix);
      const footer = html.slice(html.indexOf("<footer"), html.indexOf("</footer>"));
      const found = [feeds.news(locale), feeds.calendar(locale)].filter((feed) => footer.includes(`href="${feed}"`));
      expect({ path, feeds: found.length }).toEqual({ path, feeds: 2 });
      const links = footer.match(/<a href="https?:.*?<\/a>/g) ?? [];
      expect(links.filter((link) => !link.includes("↗")).concat(name === "label" && links.length < 2 ? path : [])).toEqual([]);
    }
  });

  it.each(locales)(
    "finds each page in %s by every two neighbouring Chinese characters that its file has and its page shows",
    async (locale) => {
      const read = (path: string) => readFileSync(join(dist, path), "utf8");
      const { folder, shards, counts } = JSON.parse(read(searchPaths.manifest(locale)));
      const files = Array.from({ length: shards }, (_, shard) => read(searchPaths.shard(folder, shard)));
      const count = counts.reduce((sum: number, own: number) => sum + own, 0);
      const results = Array.from({ length: Math.ceil(count / chunkSize) }, (_, chunk) =>
        parseResults(read(searchPaths.chunk(folder, chunk))),
      ).flat();
      const pairs = results.map(({ path }) => {
        const page = pages.find((page) => page.path === withPrefix(canonicalPrefix(locale), path));
        const all = entries.filter(
          (entry) => entry.path === path || (entry.kind === "campaign" && path === link("", "campaign")),
        );
        const own = all.filter((entry) => entry.locale === locale);
        const found = findPairs((own.length > 0 ? own : all).map(({ text }) => text).join("\n"));
        const shown = findPairs(page ? getVisibleText(page) : "");
        return new Set([...found].filter((pair) => shown.has(pair)));
      });
      const missed: string[] = [];
      for (const pair of new Set(pairs.flatMap((own) => [...own]))) {
        const found = new Set(await search(pair, shards, async (shard) => files[shard] ?? ""));
        results.forEach(({ path }, index) => {
          if (pairs[index]?.has(pair) && !found.has(index)) missed.push(`${path}: ${pair}`);
        });
      }
      expect(missed).toEqual([]);
      if (locale !== "zh-CN") return;
      // Without their texts, the pages would have nothing to miss.
      expect(results.filter((_, index) => (pairs[index]?.size ?? 0) < 10).map(({ path }) => path)).toEqual([]);
    },
  );

  it("has on every listed page structured data by the rules, what chats read of it, a card of 1200 x 630 and at most 100 KiB, PNG where it is drawn and JPEG where it is a photograph, and first in the body that card for those that read nothing", async () => {
    expect(await findSharingFaults(site, dist)).toEqual([]);
  });

  it("has no other cards", () => {
    const cards = new Set(pages.flatMap((page) => getMeta(page, "og:image")).map((url) => url.slice(origin.length + 1)));
    const cardFiles = [...files].filter((file) => file.startsWith("cards/") && /\.(png|jpg)$/.test(file));
    expect(cardFiles.toSorted()).toEqual([...cards].toSorted());
  });
});

it("drafts and what is published later are nowhere in the site of the label", () => {
  const site = readSite(label ?? "");
  // A show, an item and a pass, and news and a tour.
  const unpublished = /unannounced|next-year|还没说的|明年的|遂宁/;
  const read = (file: string) => readFileSync(join(label ?? "", file), "utf8");
  expect(site.files.size).toBeGreaterThan(100);
  expect(findNamed(unpublished, site.files, read)).toEqual([]);
  // What is published is found where it should be.
  const found = findNamed(/lantern/, site.files, read);
  for (const file of ["event/lantern.html", "sitemap-0.xml"]) expect(found).toContain(file);
});

it("a renamed news item keeps its first address as guid, so that readers do not show it again", () => {
  const feed = readSite(label ?? "").texts.get(feeds.news("zh-CN").slice(1)) ?? "";
  const [, link, guid] = /<link>([^<]*\/news\/tea)<\/link>.*?<guid[^>]*>([^<]*)/s.exec(feed) ?? [];
  expect(guid).toBe(link?.replace(/tea$/, "teahouse"));
  expect(guid).toMatch(/^http/);
});

it("the demo as it is, not as the other tests have it, is valid and leads nowhere wrong", {
  timeout: 300_000,
  tags: ["long"],
}, async () => {
  const folder = mkdtempSync(join(demo, "../as-it-is-"));
  const started = (await startTestSite(folder)) ?? expect.fail();
  onTestFinished(async () => {
    await started.end();
    rmSync(folder, { recursive: true });
  });
  const dist = started.dist;
  const site = readSite(dist);
  expect(site.pages.length).toBeGreaterThan(100);
  const faults = [...site.pages.flatMap(findHtmlFaults), ...findLinkFaults(site), ...(await findSharingFaults(site, dist))];
  expect(faults).toEqual([]);
  for (const [file, text] of site.texts) {
    if (file.startsWith("sitemap-")) expect(await findSitemapFaults(file, text)).toEqual([]);
    if (file.endsWith(".ics")) expect(findCalendarFaults(text), file).toEqual([]);
  }
  const getSize = (file: string) => (site.files.has(file.slice(1)) ? statSync(join(dist, file)).size : null);
  const { origin } = site;
  for (const path of locales.map(feeds.news))
    expect(findRssFaults(site.texts.get(path.slice(1)) ?? "", origin + path, { origin, getSize })).toEqual([]);
});
