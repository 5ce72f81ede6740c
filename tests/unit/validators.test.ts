import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { expect, it } from "vitest";
import { type CalendarEvent, toCalendar } from "../../src/features/event/calendar.ts";
import { toPage } from "../support/content/site.ts";
import { findCalendarFaults, findRssFaults, findSitemapFaults } from "../support/validators/feeds.ts";
import { findCardFaults, findHtmlFaults, findLinkFaults, findNamed, findPreviewFaults } from "../support/validators/site.ts";

// Each validator of built sites accepts what is right, and reports what is wrong.

const origin = "https://shop.example";

/** Replaces a part that must be there. */
function change(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, to);
}

const page = `<!DOCTYPE html><html lang="en-US"><head><meta charset="utf-8"><title>Shop</title><meta property="og:image" content="${origin}/a.png"></head>
<body><h1 id="top">Shop</h1><p><a href="/b#end">B</a> <a href="/mall/order/M1">Order</a> <a href="https://other.example/x">X</a> <a href="/old">Old</a></p>
<p id="end"><img src="/a.png" srcset="/a.png 1x, /a.png 2x" alt="A"></p></body></html>`;
const findFaultyLinks = (html: string) =>
  findLinkFaults({
    pages: [toPage("a.html", html), toPage("b.html", page), toPage("mall/order/_.html", page)],
    files: new Set(["a.png"]),
    redirects: { "/old": "/b" },
    origin,
    texts: new Map([["robots.txt", `Sitemap: ${origin}/b\n`]]),
  });

it("links that lead to pages, files, shells, old addresses and other sites are right", () => {
  expect(findFaultyLinks(page)).toEqual([]);
});

it.each([
  ["/b#end", "/b#no-such-id", "/a: /b#no-such-id has no such id"],
  ["/b#end", "/c", "/a: /c leads nowhere"],
  ["/a.png 2x", "/b.png 2x", "/a: /b.png leads nowhere"],
  [`${origin}/a.png`, `${origin}/c.png`, `/a: ${origin}/c.png leads nowhere`],
  ["/old", "http://[", "/a: http://[ is no URL"],
])("a link to %s that leads to %s instead is reported", (from, to, fault) => {
  expect(findFaultyLinks(change(page, from, to))).toEqual([fault]);
});

it.each([
  ['<p id="end">', '<p id="top">', "no-dup-id"],
  ["</p></body>", "</body>", "no-implicit-close"],
  [' alt="A"', "", "wcag/h37"],
  ["<h1 ", "<span><div>A</div></span><h1 ", "element-permitted-content"],
  ["<h1 ", '<div align="left"></div><h1 ', "no-deprecated-attr"],
])("html-validate reports a page with %s instead of %s", (from, to, rule) => {
  expect(findHtmlFaults({ file: "a.html", html: page })).toEqual([]);
  expect(findHtmlFaults({ file: "a.html", html: change(page, from, to) }).join()).toContain(rule);
});

const preview = `<!DOCTYPE html><html lang="en-US"><head><title>Shop</title><link rel="canonical" href="${origin}/en-US/a"><meta name="description" content="All of it"><meta property="og:title" content="Shop"><meta property="og:description" content="All of it"><meta property="og:url" content="${origin}/en-US/a"><meta property="og:locale" content="en_US"><meta property="og:image" content="${origin}/cards/a.png"><meta name="twitter:card" content="summary_large_image"></head>
<body><img src="/cards/a.png" alt="" loading="lazy" hidden><h1>Shop</h1></body></html>`;
const findFaultyPreview = (html: string) => findPreviewFaults(toPage("en-US/a.html", html), origin);

it("a page with its words and its card for chats is right", () => {
  expect(findFaultyPreview(preview)).toEqual([]);
});

it.each([
  ['property="og:title"', 'property="title"', "no og:title"],
  ['<meta property="og:description" content="All of it">', "", "og:description is not All of it"],
  ['<meta name="description" content="All of it">', "", "og:description is not undefined"],
  [`property="og:url" content="${origin}/en-US/a"`, `property="og:url" content="${origin}/a"`, "og:url is not"],
  ["en_US", "zh_CN", "og:locale is not en_US"],
  ["summary_large_image", "summary", "twitter:card is not"],
  ['<img src="/cards/a.png"', '<img src="/a.png"><img src="/cards/a.png"', "its first picture is not its card"],
  [" hidden>", ">", "its first picture is not its card"],
  [' loading="lazy"', "", "its first picture is not its card"],
])("a page with %s changed to %j is reported to chats", (from, to, fault) => {
  expect(findFaultyPreview(change(preview, from, to)).join()).toContain(fault);
});

it("a card of another size, kind or weight is reported", async () => {
  const draw = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "#0a7" } });
  const noise = randomBytes(1200 * 630 * 3);
  const heavy = await sharp(noise, { raw: { width: 1200, height: 630, channels: 3 } })
    .png()
    .toBuffer();
  const png = await draw(1200, 630).png().toBuffer();
  expect(await findCardFaults("cards/a.png", png)).toEqual([]);
  expect(await findCardFaults("cards/a.jpg", await draw(1200, 630).jpeg().toBuffer())).toEqual([]);
  expect(await findCardFaults("cards/a.jpg", png)).toEqual(["cards/a.jpg is a png"]);
  expect(await findCardFaults("cards/a.png", await draw(1200, 600).png().toBuffer())).toEqual(["cards/a.png is 1200 x 600"]);
  expect((await findCardFaults("cards/a.png", heavy)).join()).toMatch(/^cards\/a\.png has \d{6,} bytes$/);
});

it("a word is found in the names and the texts of what is published", () => {
  const texts: Record<string, string> = {
    "event/secret.html": "",
    "feed.xml": "a secret",
    "search/zh-CN.json": '"secret"',
    "a.png": "secret",
    "news.html": "news",
  };
  expect(findNamed(/secret/, Object.keys(texts), (file) => texts[file] ?? "")).toEqual([
    "event/secret.html",
    "feed.xml",
    "search/zh-CN.json",
  ]);
});

const map = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>${origin}/</loc><lastmod>2026-10-26</lastmod><xhtml:link rel="alternate" hreflang="x-default" href="${origin}/"/><image:image><image:loc>${origin}/a.png</image:loc></image:image></url></urlset>`;

it("a sitemap by the schemas is right", async () => {
  expect(await findSitemapFaults("sitemap-0.xml", map)).toEqual([]);
});

it.each([
  ["<lastmod>2026-10-26</lastmod>", "<lastmod>26.10.2026</lastmod>"],
  [`<loc>${origin}/</loc>`, "<loc>/</loc>"],
  [`<loc>${origin}/</loc>`, ""],
  ['hreflang="x-default" ', ""],
  [`<image:loc>${origin}/a.png</image:loc>`, ""],
  ["</url>", "<lastmod>2026-10-26</lastmod></url>"],
])("a sitemap with %s changed to %j is reported", async (from, to) => {
  expect(await findSitemapFaults("sitemap-0.xml", change(map, from, to))).not.toEqual([]);
});

const feed = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Shop</title><description>News</description><link>${origin}/news</link><language>en-US</language><atom:link rel="self" href="${origin}/feed.xml"/>
<item><title>One</title><link>${origin}/news/one</link><guid isPermaLink="true">${origin}/news/one</guid><description>First</description><pubDate>Mon, 26 Oct 2026 00:00:00 GMT</pubDate><media:content url="${origin}/a.png" type="image/png"/></item></channel></rss>`;
const findFaultyFeed = (xml: string) =>
  findRssFaults(xml, `${origin}/feed.xml`, { origin, getSize: (path) => (path === "/a.png" ? 12 : null) });

it("a feed with everything that readers need is right", () => {
  expect(findFaultyFeed(feed)).toEqual([]);
});

it.each([
  ["<title>One</title>", "", "no title"],
  ["26 Oct", "27 Oct", "no date"],
  ["Mon, 26 Oct 2026 00:00:00 GMT", "2026-10-26", "no date"],
  [`<link>${origin}/news/one</link>`, "<link>/news/one</link>", "its link is not absolute"],
  [`${origin}/a.png`, `${origin}/b.png`, "does not exist"],
  ["image/png", "image/webp", "is not image/webp"],
  [`<media:content url="${origin}/a.png" type`, `<enclosure length="13" url="${origin}/a.png" type`, "has 12 bytes, not 13"],
  [`<guid isPermaLink="true">${origin}/news/one</guid>`, "<guid>1</guid>", "its guid is no permanent link"],
  [`href="${origin}/feed.xml"`, 'href="/feed.xml"', "channel does not name itself"],
])("a feed with %s changed to %j is reported", (from, to, fault) => {
  expect(findFaultyFeed(change(feed, from, to)).join()).toContain(fault);
});

it("a feed in which two items have one guid is reported", () => {
  const [item = ""] = /<item>.*<\/item>/s.exec(feed) ?? [];
  expect(findFaultyFeed(change(feed, item, item + item)).join()).toContain("its guid is there twice");
});

const at = (time: string) => new Date(`${time}+08:00`);
const show: CalendarEvent = {
  folder: "lantern",
  locale: "zh-CN",
  data: {
    title: `𠮷他之夜🎸${"很长的名字，".repeat(20)}`,
    summary: "第一行；\n第二行, \\ 完",
    city: "成都",
    venue: "仓库",
    status: "scheduled",
    starts_at: at("2027-03-20T19:30"),
    ends_at: at("2027-03-20T22:00"),
  },
};
const toShow = (data: Partial<CalendarEvent["data"]>): CalendarEvent => ({ ...show, data: { ...show.data, ...data } });
const toText = (...events: CalendarEvent[]) =>
  toCalendar(events, { locale: "zh-CN", site: new URL(origin), name: "厂牌, 一; 二" });
const getNumber = (event: CalendarEvent) => Number(/^SEQUENCE:(\d+)/m.exec(toText(event))?.[1]);

it("a calendar of shows with long titles in any characters is right, and its text comes back whole", () => {
  const text = toText(show, { ...show, folder: "tide" });
  expect(findCalendarFaults(text)).toEqual([]);
  expect(text.replaceAll("\r\n ", "")).toContain(`SUMMARY:${show.data.title}`);
});

it("a calendar that has no shows yet is right", () => {
  expect(findCalendarFaults(toText(), 0)).toEqual([]);
  expect(findCalendarFaults(toText())).toEqual(["has no VEVENT"]);
});

it.each([
  [/\r\n /, "", "octets"],
  [/END:STANDARD\r\n/, "", "cannot be parsed"],
  [/^STATUS:.*\r\n/m, "", "has 0 STATUS"],
  [/;TZID=Asia\/Shanghai/, "", "is in no zone"],
  [/TZID:Asia\/Shanghai/, "TZID:Asia/Chongqing", "which no VTIMEZONE describes"],
  [/(DTEND.*)2027/, "$12026", "does not end after it starts"],
  [/\r\nEND:VCALENDAR/, "\nEND:VCALENDAR", "does not end with CRLF"],
])("a calendar with %s changed to %j is reported", (from, to, fault) => {
  expect(findCalendarFaults(toText(show).replace(from, to)).join()).toContain(fault);
});

it("the number of a show rises whenever it moves or is cancelled", () => {
  const [first, second, third] = [at("2027-03-20T19:30"), at("2027-09-20T19:30"), at("2027-06-20T19:30")];
  const numbers = [
    show,
    toShow({ status: "moved", starts_at: second, moved_from: first }),
    toShow({ status: "moved", starts_at: third, moved_from: second }),
    toShow({ status: "cancelled", starts_at: third }),
  ].map(getNumber);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(new Set(numbers).size).toBe(4);
  expect(numbers.at(-1)).toBeLessThan(2 ** 31);
});

it("the number of a show never falls when each change has its day, also to before the first start, and after a cancellation", () => {
  const [first, earlier, later] = [at("2027-03-20T19:30"), at("2026-12-20T19:30"), at("2027-09-20T19:30")];
  const on = (day: string) => ({ updated: new Date(day) });
  const numbers = [
    toShow({ starts_at: later, status: "cancelled" }),
    toShow({ ...on("2026-11-01") }),
    toShow({ status: "moved", starts_at: earlier, moved_from: first, ...on("2026-11-02") }),
    toShow({ status: "cancelled", starts_at: earlier, ...on("2026-11-02") }),
    toShow({ ...on("2026-11-03") }),
    toShow({ status: "moved", starts_at: later, moved_from: first, ...on("2026-11-04") }),
  ].map(getNumber);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(new Set(numbers).size).toBe(6);
  expect(getNumber(toShow({ status: "cancelled", ...on("2400-01-01") }))).toBeLessThan(2 ** 31);
});

it("a renamed show is the same to a calendar that has it", () => {
  const renamed = { ...toShow({ aliases: ["lantern", "lamp"] }), folder: "boat" };
  expect(toText(renamed)).toContain("UID:lantern@shop.example\r\n");
});
