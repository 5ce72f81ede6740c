// @module-tag full
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalPrefix, locales, withPrefix } from "../../i18n/locale.ts";
import { findGraphFaults, findValues, readGraph, rules } from "../../src/build/structured-data.ts";
import { chunkSize, parseResults, search, searchPaths } from "../../src/lib/search.ts";
import { feeds, link, toCampaignPage } from "../../src/routes.ts";
import { dist as demo } from "../support/content/site.ts";
import { findCalendarFaults, findRssFaults, findSitemapFaults } from "../support/validators/feeds.ts";
import {
  findCardFaults,
  findHtmlFaults,
  findLinkFaults,
  findNamed,
  findPreviewFaults,
  getMeta,
  readSite,
} from "../support/validators/site.ts";

// Everything that a build writes for others to read, of the demo and of a label with photographs.
const label = process.env.TEST_LABEL_DIST;
const shops = Object.entries({ demo, ...(label && { label }) });

it("the label's site is there", () => {
  expect(label, "npm test -- tests/build/validators.test.ts builds it").toBeTruthy();
});

describe.each(shops)("the site of the %s", (_name, dist) => {
  const site = readSite(dist);
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

  it("has structured data with everything that Google requires and recommends", () => {
    const faults = listed.flatMap(({ path, tags }) => {
      const json = tags.find(({ attributes }) => attributes.get("type") === "application/ld+json")?.text;
      return json ? findGraphFaults(json).map((fault) => `${path}: ${fault}`) : [`${path}: none`];
    });
    expect(faults).toEqual([]);
    const nodes = pages.flatMap(({ html }) => readGraph(html));
    for (const [type, { required, recommended, left }] of Object.entries(rules)) {
      const own = nodes.filter((node) => node["@type"] === type);
      const isThere = (property: string) =>
        own.some((node) => findValues(node, property).some(([, value]) => value !== undefined));
      expect(own.length, type).toBeGreaterThan(0);
      const rare = ["dateModified", "author.url", "sameAs", "contactPoint", "previousStartDate"];
      expect(
        Object.keys({ ...required, ...recommended }).filter((property) => !isThere(property) && !rare.includes(property)),
      ).toEqual([]);
      expect(Object.keys(left).filter(isThere)).toEqual([]);
    }
  });

  it.each(locales)(
    "finds each page in %s by every two neighbouring Chinese characters that its file has and its page shows",
    {
      timeout: 120_000,
    },
    async (locale) => {
      const read = (path: string) => readFileSync(join(dist, path), "utf8");
      const { folder, shards, counts } = JSON.parse(read(searchPaths.manifest(locale)));
      const files = Array.from({ length: shards }, (_, shard) => read(searchPaths.shard(folder, shard)));
      const count = counts.reduce((sum: number, own: number) => sum + own, 0);
      const results = Array.from({ length: Math.ceil(count / chunkSize) }, (_, chunk) =>
        parseResults(read(searchPaths.chunk(folder, chunk))),
      ).flat();
      const pairs = results.map(({ path }) => {
        const html = pages.find((page) => page.path === withPrefix(canonicalPrefix(locale), path))?.html ?? "";
        const shown = findPairs(toVisibleText(html));
        return new Set([...findPairs(readTexts(join(dist, "../content"), path, locale))].filter((pair) => shown.has(pair)));
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

  it("has on every listed page what chats read of it, and first in the body the picture for those that read nothing", () => {
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.flatMap((page) => findPreviewFaults(page, origin))).toEqual([]);
  });

  it("has cards of 1200 x 630 and at most 100 KiB, drawn ones as PNG and photographs as JPEG, and no others", async () => {
    const cards = new Set(pages.flatMap((page) => getMeta(page, "og:image")).map((url) => url.slice(origin.length + 1)));
    expect([...files].filter((file) => file.startsWith("cards/") && /\.(png|jpg)$/.test(file)).toSorted()).toEqual(
      [...cards].toSorted(),
    );
    for (const card of cards) expect(await findCardFaults(card, readFileSync(join(dist, card)))).toEqual([]);
  });
});

it("drafts and what is published later are nowhere in the site of the label", () => {
  const site = readSite(label ?? "");
  const unpublished = /unannounced|next-year|还没说的一场|明年的事/;
  const read = (file: string) => readFileSync(join(label ?? "", file), "utf8");
  expect(site.files.size).toBeGreaterThan(100);
  expect(findNamed(unpublished, site.files, read)).toEqual([]);
  // What is published is found where it should be.
  const found = findNamed(/lantern/, site.files, read);
  for (const file of ["event/lantern.html", "sitemap-0.xml"]) expect(found).toContain(file);
});

/** Returns the text of what a page shows in its main part. */
function toVisibleText(html: string): string {
  const [, main = ""] = /<main\b[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  const inline = /<\/?(?:a|abbr|b|bdi|code|del|em|i|ins|mark|q|s|small|span|strong|sub|sup|time|u|wbr)\b[^>]*>/g;
  return main
    .replace(/<(script|style|template)\b.*?<\/\1>/gs, "\n")
    .replace(inline, "")
    .replace(/<[^>]*>/g, "\n");
}

/** Returns what a page's file in a language holds, or the one in the other language, without the texts that describe pictures. */
function readTexts(folder: string, path: string, locale: string): string {
  const files = globSync(`${folder}/{event,news,goods,package,campaign,about}/*/*.md`).filter((file) => {
    const [kind, id = ""] = file.split(/[\\/]/).slice(-3);
    if (kind !== "campaign") return path.endsWith(`/${id}`) && getKind(path) === kind;
    return path === link("", "event", { id: toCampaignPage(id) }) || path === link("", "campaign");
  });
  const own = files.filter((file) => file.endsWith(`${locale}.md`));
  const texts = (own.length > 0 ? own : files).map((file) => readFileSync(file, "utf8"));
  return texts.join("\n").replace(/\balt: *("[^"]*"|[^,}\n]*)/g, "");
}

const getKind = (path: string) =>
  ({ item: "goods", vip: "package" })[path.split("/").at(-2) ?? ""] ?? path.split("/").at(-2) ?? "";

const findPairs = (text: string) => new Set(Array.from(text.matchAll(/(?=(\p{Script=Han}{2}))/gu), ([, pair = ""]) => pair));
