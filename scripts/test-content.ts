import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Activity, activityInfo } from "../src/api/activity.ts";
import type { DataOf } from "../src/api/call.ts";

const locales = ["zh-CN", "en-US"] as const;
type Locale = (typeof locales)[number];
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
 * Writes the content that the browser tests require into the folder of a shop, replacing files of the same name: an event for each activity of the server, a past event, and news for two pages of the list.
 */
export async function writeTestContent(content: string, origin: string): Promise<void> {
  for (const locale of locales) {
    for (const activity of await fetchActivities(origin, locale))
      write(content, "event", activity.activity_uid, locale, formatEvent(activity, locale));
    write(content, "event", "sample-over", locale, formatPastEvent(locale));
  }
  mkdirSync(join(content, "news"), { recursive: true });
  const missing = pageSize + 1 - readdirSync(join(content, "news")).length;
  for (let number = 1; number <= Math.max(1, missing); number += 1) {
    const day = String(number).padStart(2, "0");
    for (const locale of locales) write(content, "news", `sample-${number}`, locale, formatNews(locale, `2026-01-${day}`));
  }
}

async function fetchActivities(origin: string, locale: Locale): Promise<Activity[]> {
  const response = await fetch(origin + activityInfo.path, { headers: { "accept-language": locale } });
  const { data }: { data: DataOf<typeof activityInfo> } = await response.json();
  return data.list;
}

function write(content: string, collection: string, id: string, locale: Locale, text: string): void {
  const folder = join(content, collection, id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `index.${locale}.md`), text);
}

/** Formats a time in China: `2027-03-20T19:30+08:00`. */
function formatChinaTime(time: number): string {
  return `${new Date(time + 8 * hour).toISOString().slice(0, 16)}+08:00`;
}

/** The facts stand in the default language's file alone. */
const formatFacts = (locale: Locale, facts: string) => (locale === "zh-CN" ? facts : "");

function formatEvent({ title, venue, city, starts_at, ends_at, opens_at, closes_at }: Activity, locale: Locale): string {
  const starts = Date.parse(starts_at);
  const t = texts[locale];
  const clock = (time: number) => formatChinaTime(time).slice(11, 16);
  const facts = `starts_at: ${formatChinaTime(starts)}
doors_at: ${formatChinaTime(starts - hour)}
ends_at: ${formatChinaTime(Date.parse(ends_at))}
booking:
  places: 100
  opens_at: ${formatChinaTime(Date.parse(opens_at))}
  closes_at: ${formatChinaTime(Date.parse(closes_at))}
  early: [{level: 2, opens_at: ${formatChinaTime(Date.parse(opens_at) - 48 * hour)}}]
`;
  return `---
title: ${JSON.stringify(title)}
summary: ${t.summary}
${formatFacts(locale, facts)}venue: ${JSON.stringify(venue)}
city: ${JSON.stringify(city)}
way: ${t.way}
line_up: [${t.band}]
programme:
  - "${clock(starts - hour)} ${t.doors}"
  - "${clock(starts)} ${t.band}"
terms: ${t.terms}
---

${t.text}`;
}

function formatPastEvent(locale: Locale): string {
  const t = texts[locale];
  const facts = `starts_at: 2026-01-02T19:30+08:00
doors_at: 2026-01-02T18:30+08:00
ends_at: 2026-01-02T22:00+08:00
`;
  return `---
title: ${t.over}
summary: ${t.summary}
${formatFacts(locale, facts)}venue: ${t.band}
city: ${t.band}
line_up: [${t.band}]
terms: ${t.terms}
---

${t.text}`;
}

function formatNews(locale: Locale, date: string): string {
  const t = texts[locale];
  return `---
title: ${t.news}
summary: ${t.summary}
${formatFacts(locale, `date: ${date}\nkind: backstage\nevent: entrance\n`)}---

${t.text}`;
}
