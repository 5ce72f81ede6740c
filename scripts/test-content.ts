import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Locale, locales } from "../i18n/locale.ts";
import type { Catalogue, CatalogueActivity } from "../src/content/catalogue.ts";
import { formatMarkdown, formatTime } from "../src/content/format.ts";
import { writeShop } from "../src/content/write.ts";
import { createCatalogue } from "../tests/fixtures/catalogue.ts";
import { demoFolder } from "./shop.ts";

const hour = 3600_000;
/** News items on one page of their list. */
const pageSize = 12;

const texts = {
  "zh-CN": {
    band: "测试乐队",
    doors: "开门",
    way: "出地铁沿河走六分钟。",
    terms: "每位会员订一个位置。",
    over: "演过的一场",
    news: "一则新闻",
    summary: "一句话，列表里用。",
    text: "第一段写这一晚。\n\n> 有人说了一句话。\n\n- 一件事\n- 另一件事\n\n## 小标题\n\n最后一段。\n",
  },
  "en-US": {
    band: "Test band",
    doors: "Doors",
    way: "Six minutes along the river from the metro.",
    terms: "One place for each member.",
    over: "A show that is over",
    news: "A news item",
    summary: "One sentence, for the list.",
    text: "The first paragraph is about the evening.\n\n> Somebody said something.\n\n- One thing\n- Another\n\n## A heading\n\nThe last paragraph.\n",
  },
};

/**
 * Writes the shop that the browser tests require into a new folder: the demo's content with the tests' catalogue, a past
 * event, and news for two pages of the list.
 */
export function writeTestContent(content: string): void {
  const catalogue = createCatalogue(new Date());
  cpSync(demoFolder, content, { recursive: true, filter: (file) => !file.endsWith(".ts") });
  for (const kind of ["goods", "package"]) rmSync(join(content, kind), { recursive: true });
  for (const activity of catalogue.activities) writeEvent(content, activity.uid, (locale) => toEvent(activity, locale));
  writeEvent(content, "sample-over", toPastEvent);
  writeCampaignTimes(content, catalogue);
  const missing = pageSize + 1 - readdirSync(join(content, "news")).length;
  for (let number = 1; number <= Math.max(1, missing); number += 1)
    writeEntry(content, `news/sample-${number}`, (locale) => toNews(locale, `2026-01-${String(number).padStart(2, "0")}`));
  writeShop(content, catalogue, { findPicture: (url) => drawPicture(content, url) });
}

function writeEntry(content: string, path: string, toFields: (locale: Locale) => object): void {
  mkdirSync(join(content, path), { recursive: true });
  for (const locale of locales)
    writeFileSync(join(content, path, `index.${locale}.md`), formatMarkdown({ ...toFields(locale) }, texts[locale].text));
}

/** Writes an event over the demo's, whose pictures stay. */
function writeEvent(content: string, id: string, toFields: (locale: Locale) => object): void {
  const folder = join(content, "event", id);
  mkdirSync(folder, { recursive: true });
  const pictures = readdirSync(folder);
  const alt = { "zh-CN": "海报", "en-US": "Poster" };
  const toPicture = (name: string, locale: Locale) => {
    const own = `${name}.${locale}.svg`;
    const file = pictures.includes(own) ? own : `${name}.svg`;
    if (!pictures.includes(file)) return undefined;
    return { ...(locale === "zh-CN" || file === own ? { file } : {}), alt: name === "art" ? "" : alt[locale] };
  };
  writeEntry(content, `event/${id}`, (locale) => ({
    ...toFields(locale),
    cover: toPicture("cover", locale),
    art: toPicture("art", locale),
  }));
}

/** Facts stand in the default language's file alone. */
const inDefault = (locale: Locale, facts: object) => (locale === "zh-CN" ? facts : {});

function toEvent({ title, venue, city, places: count, ...times }: CatalogueActivity, locale: Locale): object {
  const { starts_at, ends_at, opens_at, closes_at } = times;
  const starts = new Date(starts_at);
  const doors = new Date(starts.getTime() - hour);
  const t = texts[locale];
  const clock = (time: Date) => formatTime(time).slice(11, 16);
  const opens = new Date(opens_at);
  return {
    title: title[locale],
    summary: t.summary,
    venue: venue[locale],
    city: city[locale],
    way: t.way,
    line_up: [t.band],
    programme: [`${clock(doors)} ${t.doors}`, `${clock(starts)} ${t.band}`],
    terms: t.terms,
    ...inDefault(locale, {
      starts_at: formatTime(starts),
      doors_at: formatTime(doors),
      ends_at: formatTime(new Date(ends_at)),
      booking: {
        places: count,
        opens_at: formatTime(opens),
        closes_at: formatTime(new Date(closes_at)),
        // What the passes of the demo promise.
        early: [{ level: 2, opens_at: formatTime(new Date(opens.getTime() - 48 * hour)) }],
      },
    }),
  };
}

function toPastEvent(locale: Locale): object {
  const t = texts[locale];
  const facts = {
    starts_at: "2026-01-02T19:30+08:00",
    doors_at: "2026-01-02T18:30+08:00",
    ends_at: "2026-01-02T22:00+08:00",
  };
  const words = { title: t.over, summary: t.summary, venue: t.band, city: t.band, line_up: [t.band], terms: t.terms };
  return { ...words, ...inDefault(locale, facts) };
}

function toNews(locale: Locale, date: string): object {
  const { news: title, summary } = texts[locale];
  return { title, summary, ...inDefault(locale, { date, kind: "backstage", event: "entrance" }) };
}

/** Sets the demo's tours to the times of the catalogue, so that one is open. */
function writeCampaignTimes(content: string, { campaigns }: Catalogue): void {
  for (const { uid, opens_at, closes_at, stops } of campaigns) {
    const file = join(content, "campaign", uid, "index.zh-CN.md");
    const toTime = (time: string) => formatTime(new Date(time));
    const dated = stops.reduce(
      (text, { stop, starts_at }) => text.replace(new RegExp(`(stop: ${stop},.*starts_at: )[^,}]+`), `$1${toTime(starts_at)}`),
      readFileSync(file, "utf8"),
    );
    const opened = dated.replace(/^opens_at: .*$/m, `opens_at: ${toTime(opens_at)}`);
    writeFileSync(file, opened.replace(/^closes_at: .*$/m, `closes_at: ${toTime(closes_at)}`));
  }
}

/** Draws a picture whose colour follows from its name; returns its file. */
function drawPicture(content: string, url: string): string {
  const folder = join(content, "..", "pictures");
  mkdirSync(folder, { recursive: true });
  const name = url.slice(url.lastIndexOf("/") + 1);
  const hue = [...name].reduce((sum, character) => sum + character.charCodeAt(0) * 7, 0) % 360;
  const file = join(folder, name);
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600"><path fill="hsl(${hue} 40% 40%)" d="M0 0h600v600H0z"/><circle cx="300" cy="300" r="180" fill="#f3f5f7"/></svg>`,
  );
  return file;
}
