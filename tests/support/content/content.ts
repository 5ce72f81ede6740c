const hour = 3600_000;

/** `2027-03-20T19:30+08:00`. */
const inChina = (time: number) => `${new Date(time + 8 * hour).toISOString().slice(0, 16)}+08:00`;

/** Returns the Chinese Markdown file of a show that starts tomorrow and can be booked. */
export function eventFile(): string {
  const starts = Date.now() + 24 * hour;
  return `---
title: 入口
summary: 明天的一场。
starts_at: ${inChina(starts)}
doors_at: ${inChina(starts - hour)}
ends_at: ${inChina(starts + 2 * hour)}
venue: 西岸一号仓
city: 上海
line_up: [白噪合唱团]
terms: 每位会员订一个位置。
booking: {places: 1200, opens_at: ${inChina(starts - 72 * hour)}, closes_at: ${inChina(starts - 2 * hour)}}
---

一段话。
`;
}

/** Markdown files of a news item about the show in the folder `entrance`: one with the facts, and one with words alone. */
export const newsFile = `---
title: "1"
summary: "2"
date: 2026-01-01
kind: live
event: entrance
---

3
`;
export const newsWordsFile = newsFile.replace(/^(date|kind|event): .*\n/gm, "");
