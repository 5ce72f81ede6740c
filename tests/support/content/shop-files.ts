import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { CORE_SCHEMA, dump, load } from "js-yaml";
import * as v from "valibot";
import { afterAll, expect } from "vitest";
import type { Locale } from "#i18n/locale.ts";
import { formatTime } from "#src/content/format.ts";
import { parseMarkdown } from "#src/content/front-matter.ts";
import { readShop } from "#src/content/read.ts";
import { link, toCampaignPage } from "#src/routes.ts";

const hour = 3600_000;

/** `2027-03-20T19:30+08:00`. */
export const inChina = (time: number) => formatTime(new Date(time));

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

// A small shop, written to a folder of its own for each test.

const temporary = mkdtempSync(join(tmpdir(), "shop-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** The files of a shop without faults. */
export const shopFiles: Record<string, string> = {
  "site.yaml": `zh-CN:
  shop: label
  title: 厂牌
  brand: 厂牌
  description: 一个厂牌。
  accent: {light: "#00774a", dark: "#2be38e"}
  postage: {fee: 12, free_from: 199}
en-US: {title: Label, brand: Label, description: A label.}
`,
  "event/lantern/index.zh-CN.md": `---
title: 灯
summary: 一句话。
starts_at: 2027-03-20T19:30+08:00
doors_at: 2027-03-20T18:30+08:00
ends_at: 2027-03-20T22:00+08:00
venue: 仓库
city: 成都
line_up: [乐队]
programme:
  - 18:30 开门
booking:
  places: 100
  opens_at: 2026-11-01T12:00+08:00
  closes_at: 2027-03-20T17:30+08:00
  early:
    - {level: 2, opens_at: 2026-10-31T12:00+08:00}
---

正文，看[新闻](/news/open)。
`,
  "event/lantern/index.en-US.md": `---
title: Lantern
summary: One sentence.
venue: Warehouse
city: Chengdu
line_up: [Band]
programme:
  - 18:30 Doors
---
`,
  "news/open/index.zh-CN.md": `---
title: 开门
summary: 一句话。
date: 2026-05-18
kind: notice
event: lantern
---
`,
  "goods/shirt/index.zh-CN.md": `---
title: 短袖
summary: 棉。
category: 衣物
specs: [{name: 尺码, values: [小, 大]}]
skus:
  - {sku: s, values: [小], price: 188, stock: 6}
  - {sku: l, values: [大], price: 188.50, stock: 0}
---

一段。
`,
  "goods/shirt/index.en-US.md": `---
title: Shirt
summary: Cotton.
category: Wear
specs: [{name: Size, values: [Small, Large]}]
---
`,
  "goods/mug/index.zh-CN.md": "---\ntitle: 杯子\nsummary: 白。\ncategory: 家\nprice: 68\nstock: 3\n---\n",
  "package/regular/index.zh-CN.md": `---
title: 常客证
summary: 一句话。
level: 2
days: 365
price: 298
rights: [{kind: early_booking, title: 先订}, {kind: soup, title: 一碗汤}]
---
`,
  "campaign/river/index.zh-CN.md": `---
title: 沿河
summary: 一句话。
opens_at: 2026-11-01T12:00+08:00
closes_at: 2027-04-04T19:00+08:00
stops:
  - {stop: one, city: 昆明, venue: 澡堂, starts_at: 2027-03-05T19:00+08:00, places: 160}
  - {stop: two, city: 武汉, venue: 钟楼, starts_at: 2027-04-05T19:00+08:00, places: 60}
---
`,
};

for (const id of ["terms", "privacy"])
  shopFiles[`about/${id}/index.zh-CN.md`] = "---\ntitle: 协议\nsummary: 一句话。\nupdated: 2026-11-22\n---\n";

let count = 0;
/** Writes a shop with some files changed or, where null, left out; returns its folder. */
export function writeShopFiles(changes: Record<string, string | Buffer | null>): string {
  const folder = join(temporary, String(count++));
  for (const [path, content] of Object.entries({ ...shopFiles, ...changes })) {
    if (content === null) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Returns a Markdown file with other values of some fields, and with another body where one is given. */
export function replaceFields(markdown: string, changes: object, text?: string): string {
  const { fields, body } = parseMarkdown(markdown);
  return `---\n${dump({ ...fields, ...changes }, { schema: CORE_SCHEMA, skipInvalid: true })}---\n${text ?? body}`;
}

/** Reads a shop in which one file has another text. */
export async function findFaults(path: string, from: string, to: string): Promise<string> {
  const changed = shopFiles[path]?.replace(from, to) ?? to;
  expect(changed).not.toBe(shopFiles[path]);
  const { faults } = await readShop(writeShopFiles({ [path]: changed }));
  return faults.join("\n");
}

const time = v.optional(v.string());
/** What the validators compare of a file with its page. */
const fieldsSchema = v.object({
  date: time,
  updated: time,
  status: v.optional(v.picklist(["scheduled", "cancelled", "moved"]), "scheduled"),
  moved_from: time,
  doors_at: time,
  booking: v.optional(v.object({ closes_at: v.string() })),
  /** Those that take place. */
  stops: v.optional(
    v.pipe(
      v.array(v.object({ city: v.string(), status: v.optional(v.string()) })),
      v.filterItems(({ status }) => status !== "cancelled"),
    ),
  ),
});

/** A file of a shop with the path of its page, as the author has written it. */
export interface Entry {
  kind: string;
  path: string;
  locale: Locale;
  fields: v.InferOutput<typeof fieldsSchema>;
  /** All of it, without the texts that describe pictures. */
  text: string;
}

const toPath: Record<string, (id: string) => string> = {
  news: (id) => link("", "news", { id }),
  event: (id) => link("", "event", { id }),
  campaign: (id) => link("", "event", { id: toCampaignPage(id) }),
  goods: (uid) => link("", "item", { uid }),
  package: (uid) => link("", "vip", { uid }),
  about: (id) => `/about/${id}`,
};

export function readEntries(content: string): Entry[] {
  return globSync(`${content}/*/*/index.*.md`).map((file) => {
    const [id, kind] = [basename(dirname(file)), basename(dirname(dirname(file)))];
    const text = readFileSync(file, "utf8");
    return {
      kind,
      path: toPath[kind]?.(id) ?? "",
      locale: file.endsWith("zh-CN.md") ? "zh-CN" : "en-US",
      fields: v.parse(fieldsSchema, load(text.split("---\n")[1] ?? "", { schema: CORE_SCHEMA })),
      text: text.replace(/\balt: *("[^"]*"|[^,}\n]*)/g, ""),
    };
  });
}
