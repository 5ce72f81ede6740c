import { describe, expect, it } from "vitest";
import { sheets } from "../../src/build/poster/sheets.ts";
import { lostEvents, strayFiles } from "../../src/content/files.ts";
import { aboutFacts, aboutSchema, eventFacts, eventSchema, newsFacts, newsSchema } from "../../src/content/schema.ts";
import { disagreements } from "../../src/lib/bilingual.ts";
import { monthDay } from "../../src/lib/month-day.ts";
import { seeded } from "../support/seeded.ts";
import { root } from "../support/sources.ts";
import { textsOf } from "../support/texts.ts";

const event = textsOf("event", eventSchema);
const news = textsOf("news", newsSchema);
const about = textsOf("about", aboutSchema);
const written = new Date("2026-11-20T12:00+08:00");
const folders = (texts: { folder: string }[]) => [...new Set(texts.map(({ folder }) => folder))];
const inChinese = <One extends { locale: string }>(texts: One[]) => texts.filter(({ locale }) => locale === "zh-CN");

describe("the collections", () => {
  it("are as full as they should be", () => {
    expect(folders(news).length).toBeGreaterThanOrEqual(14);
    expect(folders(event).length).toBeGreaterThanOrEqual(9);
    const ends = inChinese(event).map(({ data }) => data.ends_at > written);
    expect(ends.filter(Boolean).length).toBeGreaterThanOrEqual(6);
    expect(ends.filter((isComing) => !isComing).length).toBeGreaterThanOrEqual(3);
    expect(new Set(news.map(({ data }) => data.kind)).size).toBe(5);
  });

  it("lack exactly one text, a news item in English", () => {
    const missing = [...event, ...news, ...about].length - 2 * [event, news, about].flatMap(folders).length;
    expect(missing).toBe(-1);
    expect(inChinese(news)).toHaveLength(folders(news).length);
    expect(about).toHaveLength(4);
  });

  it("agree in both languages on what is fact", () => {
    expect(disagreements("event", event, eventFacts)).toEqual([]);
    expect(disagreements("news", news, newsFacts)).toEqual([]);
    expect(disagreements("about", about, aboutFacts)).toEqual([]);
  });

  it("hold no file that no page shows", () => {
    expect(["event", "news", "about"].flatMap((collection) => strayFiles(root, collection))).toEqual([]);
    expect(lostEvents(root, news)).toEqual([]);
  });

  it("stay within their years, and news within what has been", () => {
    const dates = [
      ...event.flatMap(({ data }) => [data.doors_at, data.starts_at, data.ends_at]),
      ...news.map(({ data }) => data.date),
    ];
    for (const date of dates) {
      expect(date.getUTCFullYear()).toBeGreaterThanOrEqual(2026);
      expect(date.getUTCFullYear()).toBeLessThanOrEqual(2028);
    }
    for (const { data } of news) expect(data.date <= written).toBe(true);
  });
});

describe("events and what is booked", () => {
  const { activities } = seeded(written);
  const bound = event.filter(({ data }) => data.activity);

  it("every activity of the demo has its page", () => {
    expect(new Set(bound.map(({ data }) => data.activity))).toEqual(new Set(activities.map(({ uid }) => uid)));
  });

  it.each(bound)("$path says what the host says", ({ locale, data }) => {
    const activity = activities.find(({ uid }) => uid === data.activity);
    if (!activity) throw new Error("no such activity");
    const own = locale === "zh-CN" ? "zh-CN" : "en-US";
    expect([data.title, data.venue, data.city]).toEqual([activity.title[own], activity.venue[own], activity.city[own]]);
    expect([data.starts_at, data.ends_at]).toEqual([activity.startsAt, activity.endsAt]);
  });

  it.each(event)("$path has a poster of the same title and day", ({ locale, data }) => {
    const words = sheets[data.poster]?.words?.[locale === "zh-CN" ? "zh-CN" : "en-US"];
    const title = words?.title.join(locale === "zh-CN" ? "" : " ");
    expect(title).toBe(locale === "zh-CN" ? data.title : data.title.toUpperCase());
    expect(words?.date).toBe(monthDay(data.starts_at));
  });

  it.each(event)("$path runs by its own times", ({ data }) => {
    const clock = (date: Date) =>
      date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Shanghai" });
    const hours = data.programme?.map(({ at }) => at) ?? [clock(data.starts_at)];
    expect(hours).toContain(clock(data.starts_at));
    expect([clock(data.doors_at), clock(data.starts_at)]).toContain(hours[0]);
  });
});
