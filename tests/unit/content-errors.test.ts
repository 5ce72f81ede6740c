import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sheets } from "../../src/build/poster/sheets.ts";
import { findStrayFiles } from "../../src/content/files.ts";
import { findActiveMarkup } from "../../src/content/markup.ts";
import { createEventSchema, createNewsSchema, eventFacts } from "../../src/content/schema.ts";
import { findDifferences, groupByLocale } from "../../src/content/translations.ts";
import { splitByEnd } from "../../src/features/event/ended-events.ts";
import { parseFrontMatter } from "../support/content/content.ts";

const eventSchema = createEventSchema(Object.keys(sheets));
const newsSchema = createNewsSchema(Object.keys(sheets));

const event = `---
title: Entrance
summary: The lights go first.
starts_at: 2027-03-20T19:30+08:00
doors_at: 2027-03-20T18:30+08:00
ends_at: 2027-03-20T22:00+08:00
venue: West Bund Depot 1
city: Shanghai
poster: e-entrance
line_up: [White Noise Choir]
programme:
  - 18:30 Doors
terms: One place per member.
activity: entrance
---
Text.
`;
const news = `---
title: Open
summary: The door.
date: 2026-05-18
kind: notice
poster: n-ajar
---
Text.
`;

/** Returns the schema's errors for a text, as `field: sentence`. */
function findFaults(schema: typeof eventSchema | typeof newsSchema, markdown: string): string[] {
  const read = schema.safeParse(parseFrontMatter(markdown).matter);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("content errors", () => {
  it("are not reported for valid front matter", () => {
    expect(findFaults(eventSchema, event)).toEqual([]);
    expect(findFaults(newsSchema, news)).toEqual([]);
  });

  it.each([
    ["title: Entrance", "titel: Entrance", /^title: must be words/],
    ["title: Entrance", "title: Entrance\ntitel: Entrance", /there is no field titel; the fields are title, summary/],
    ["title: Entrance", 'title: " "', /^title: must not be empty/],
    ["title: Entrance", "title: 入口: 首站", /./],
    ["title: Entrance", "title: 2027", /^title: must be words/],
    ["T19:30+08:00", " 19:30", /^starts_at: must be a time with its zone/],
    ["T19:30+08:00", "T19:30:00+08:00", /^starts_at: must be a time .*without seconds/],
    ["2027-03-20T19:30", "2027-13-20T19:30", /^starts_at: is no time that there is/],
    ["doors_at: 2027-03-20T18:30", "doors_at: 2027-03-20T20:30", /^doors_at: must not be after starts_at/],
    ["ends_at: 2027-03-20T22:00", "ends_at: 2027-03-20T19:00", /^ends_at: must be after starts_at/],
    ["poster: e-entrance", "poster: e-entrace", /^poster: must be one of the posters: .*e-entrance/],
    ["poster: e-entrance", "poster: n-ajar", /^poster: must be one of the posters/],
    ["line_up: [White Noise Choir]", "line_up: White Noise Choir", /^line_up: must be a list/],
    ["line_up: [White Noise Choir]", "line_up: []", /^line_up: must not be empty/],
    ["  - 18:30 Doors", "  - Doors", /^programme\.0: must be an hour and what happens/],
    ["  - 18:30 Doors", "  - 18:30 Doors: open", /^programme\.0: must be an hour .*quotation marks/],
    ["activity: entrance", "activity: Entrance", /^activity: must be the uid/],
    ["terms: One place per member.\n", "", /^terms: must be words/],
  ])("name the field of an event: %j changed to %j", (right, wrong, message) => {
    const broken = event.replace(right, wrong);
    expect(broken).not.toBe(event);
    const faults = () => findFaults(eventSchema, broken).join("\n");
    try {
      expect(faults()).toMatch(message);
    } catch (error) {
      // Astro reports invalid YAML with file and line.
      expect(String(error)).toMatch(message);
    }
  });

  it.each([
    ["kind: notice", "kind: Notice", /^kind: must be one of: notice, live, backstage, mall, tour/],
    ["date: 2026-05-18", "date: 18 May 2026", /^date: must be a day, such as/],
    ["poster: n-ajar", "poster: ajar", /^poster: must be one of the posters/],
    ["poster: n-ajar", "posters: n-ajar", /there is no field posters/],
  ])("name the field of a news item: %j changed to %j", (right, wrong, message) => {
    expect(findFaults(newsSchema, news.replace(right, wrong)).join("\n")).toMatch(message);
  });

  it("name the fact in which the translations of an event differ", () => {
    const zh = { id: "entrance/zh-CN", data: eventSchema.parse(parseFrontMatter(event).matter) };
    const moved = event.replace("T22:00", "T22:30").replace("18:30 Doors", "18:45 Doors").replace("activity: entrance\n", "");
    const en = { id: "entrance/en-US", data: eventSchema.parse(parseFrontMatter(moved).matter) };
    const faults = findDifferences("event", [zh, en], eventFacts);
    expect(faults).toHaveLength(3);
    expect(faults[0]).toBe(
      'src/content/event/entrance/en-US.md: ends_at is "2027-03-20T14:30:00.000Z", but in src/content/event/entrance/zh-CN.md it is "2027-03-20T14:00:00.000Z"; a fact is the same in every language',
    );
    expect(faults[1]).toMatch(/activity is not there, but in .*zh-CN\.md it is "entrance"/);
  });

  it("name stray files that no page shows", () => {
    const folder = mkdtempSync(join(tmpdir(), "content-"));
    const files = ["a/zh-CN.md", "a/en-us.md", "a/cover.png", "Big/zh-CN.md", "spring/zh-CN.md", "loose.md"];
    for (const file of files) {
      const path = join(folder, "src/content/event", file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, event);
    }
    const faults = findStrayFiles(folder, "event").map((fault) => fault.replace(/^src\/content\/event\/(\S+?):? .*$/, "$1"));
    expect(faults.sort()).toEqual(["Big/zh-CN.md", "a/en-us.md", "loose.md", "spring/zh-CN.md"].sort());
    rmSync(folder, { recursive: true });
  });
});

describe("findActiveMarkup", () => {
  const findLines = (body: string) =>
    findActiveMarkup("a.md", news.replace("Text.\n", body)).map((fault) => fault.replace("a.md:", ""));

  it.each([
    "A `<script>alert(1)</script>` in a sentence, and <https://example.com>.",
    "```html\n<iframe onload=x></iframe>\n```",
    "    <script>indented code</script>",
    "1 < 2, a<b, and x <- y.",
    '<figure><img src="/a.png" alt="on air"><figcaption data-on="1">on=1</figcaption></figure>',
    "<!-- <script>nobody reads this</script> -->",
    "[one](/news/one) [two](https://example.com/?q=javascript:x) [three](mailto:a@example.com) ![p](data:image/png;base64,AA)",
    "A sentence about javascript: it is a language.",
    "\\<script>",
  ])("reports nothing in %j", (body) => {
    expect(findLines(body)).toEqual([]);
  });

  it.each([
    ["One.\n\n<script>\nalert(1)\n</script>", /^10: <script> has no place/],
    ['One <SCRIPT src="https://evil.example/x.js"></SCRIPT>', /^8: <script>/],
    ["<div>\n<p>\n<iframe src=x></iframe></p></div>", /^10: <iframe>/],
    ["- one\n- two <object data=x></object>", /^9: <object>/],
    ["> <embed src=x>", /^8: <embed>/],
    ["<base href=//evil.example>", /^8: <base>/],
    ["<meta http-equiv=refresh content=0>", /^8: <meta>/],
    ["<style>*{}</style>", /^8: <style>/],
    ["<link rel=stylesheet href=x>", /^8: <link>/],
    ["<iframe src=/user/info></iframe>", /^8: <iframe>/],
    ["One <iframe src=https://evil.example></iframe>", /^8: <iframe>/],
    ["<body onload=alert(1)>", /^8: <body>.*\n8: onload of <body>/],
    ['A <b title="a > b" onclick="x()">word</b>', /^8: onclick of <b>/],
    ["<svg onload=alert(1)>", /^8: onload of <svg>/],
    ["<img src=x\n  OnError=alert(1)>", /^8: onerror of <img>/],
    ["<p style='color:red'>x</p>", /^8: style of <p>/],
    ['<div title="\n\nx" onclick=alert(1) y', /^8: a tag does not end/],
    ["[x](javascript:alert(1))", /^8: an address that begins with javascript:/],
    ["[x](JAVA&#115;CRIPT:alert(1))", /^8: an address/],
    ["[x][y]\n\n[y]: javascript:alert(1)", /^10: an address/],
    ["<javascript:alert(1)>", /^8: an address/],
    ["![x](javascript:alert(1))", /^8: an address/],
    ['<a href="java&#10;script&colon;alert(1)">x</a>', /^8: an address/],
    ["<svg><a xlink:href=' vbscript:x'>x</a></svg>", /^8: an address that begins with vbscript:/],
    ['<a href="data:text/html,x">x</a>', /^8: an address that begins with data:/],
    ["# One\n\nTwo.[^1]\n\n[^1]: Three <script>x</script>", /^12: <script>/],
  ])("reports the line of active markup in %j", (body, message) => {
    expect(findLines(body).join("\n")).toMatch(message);
  });
});

describe("inLocales", () => {
  const entries = [
    { id: "a/en-US", data: 1 },
    { id: "a/zh-CN", data: 2 },
    { id: "b/zh-CN", data: 3 },
    { id: "c/de-DE", data: 4 },
  ];
  const chosen = groupByLocale(entries, ["zh-CN", "en-US"]);

  it("returns the translation in the requested locale or the other one, with its locale", () => {
    expect([...(chosen.get("zh-CN")?.values() ?? [])].map(({ data, locale }) => [data, locale])).toEqual([
      [2, "zh-CN"],
      [3, "zh-CN"],
    ]);
    expect([...(chosen.get("en-US")?.values() ?? [])].map(({ data, locale }) => [data, locale])).toEqual([
      [1, "en-US"],
      [3, "zh-CN"],
    ]);
  });
});

describe("byTime", () => {
  const at = (starts: string, ends: string) => ({ data: { starts_at: new Date(starts), ends_at: new Date(ends) } });
  const [old, older, running, next] = [
    at("2026-05-02", "2026-05-03"),
    at("2026-04-02", "2026-04-03"),
    at("2026-06-01", "2026-06-03"),
    at("2026-07-01", "2026-07-02"),
  ];

  it("counts a running event as upcoming", () => {
    const { upcoming, past } = splitByEnd([next, older, running, old], new Date("2026-06-02"));
    expect(upcoming).toEqual([running, next]);
    expect(past).toEqual([old, older]);
  });
});
