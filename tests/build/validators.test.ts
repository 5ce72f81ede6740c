// @module-tag full
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locales } from "../../i18n/locale.ts";
import { findGraphFaults, findValues, readGraph, rules } from "../../src/build/structured-data.ts";
import { feeds } from "../../src/routes.ts";
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
