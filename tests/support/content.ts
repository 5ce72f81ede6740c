const hour = 3600_000;

/** `2027-03-20T19:30+08:00`. */
const inChina = (time: number) => `${new Date(time + 8 * hour).toISOString().slice(0, 16)}+08:00`;

/** Returns the Chinese Markdown file of a show that starts tomorrow and belongs to the activity `entrance`. */
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
poster: e-entrance
line_up: [白噪合唱团]
terms: 每位会员订一个位置。
activity: entrance
---

一段话。
`;
}

/** Markdown file of a news item about the show in the folder `entrance`, for either language. */
export const newsFile = `---
title: "1"
summary: "2"
date: 2026-01-01
kind: live
poster: n-console
event: entrance
---

3
`;
