import { z } from "astro/zod";
import { describe, expect, it } from "vitest";
import type { Locale } from "#i18n/locale.ts";
import { getAdvice } from "#src/content/advice.ts";
import { fillTimes } from "#src/content/format.ts";
import { parse } from "#src/content/merge.ts";
import { countUpdates, getNextUpdate, selectPublished } from "#src/content/publish.ts";
import { readShop } from "#src/content/read.ts";
import { kinds, site } from "#src/content/schema/kinds.ts";
import type { Shop } from "#src/content/shop.ts";
import { adviseOnTemplates, readTemplate } from "#src/content/templates.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { groupByLocale } from "#src/content/translations.ts";
import { putLeadFirst, splitByEnd } from "#src/features/event/ended-events.ts";
import { inChina, replaceFields, shopFiles, writeShopFiles } from "#tests/support/content/shop-files.ts";

it("a catalogue lacks drafts and what is published later, as do references, and advice names them", async () => {
  const [show, item, news, pass] = [
    "event/lantern/index.zh-CN.md",
    "goods/shirt/index.zh-CN.md",
    "news/open/index.zh-CN.md",
    "package/regular/index.zh-CN.md",
  ] as const;
  const add = (path: string, field: string) => String(shopFiles[path]).replace("summary:", `${field}\nsummary:`);
  const folder = writeShopFiles({
    [show]: add(show, "publish_at: 2026-12-24T20:00+08:00"),
    [item]: add(item, "draft: true"),
    [news]: `${shopFiles[news]}[票](/event/lantern)\n`,
    [pass]: `${shopFiles[pass]}字\n`,
  });
  const { shop: read, faults } = await readShop(folder);
  const shop = read ?? expect.fail(faults.join("\n"));
  const now = new Date("2026-12-01T12:00Z");
  const { activities, goods } = toCatalogue(shop, now);
  expect([activities, goods.map(({ uid }) => uid)]).toEqual([[], ["mug"]]);
  expect(selectPublished(shop, now).news[0]?.texts[0]?.data.event).toBeUndefined();
  expect(getAdvice(shop, now)).toEqual(
    expect.arrayContaining([
      `${news}: links to /event/lantern, which is not on the site yet`,
      `${item}: is not on the site: draft is true`,
      `${pass}: has a text, which no page shows: pages of passes show the fields alone`,
      `${show}: has no cover: the show gets a poster of its title`,
      "news/open/index.en-US.md: is not there: English pages show the text in the other language",
    ]),
  );
  expect(toCatalogue(shop, new Date("2026-12-24T12:00Z")).activities.map(({ uid }) => uid)).toEqual(["lantern"]);
});

it.each([
  ["starts_at: +30d 19:30", "starts_at: 2026-12-31T19:30+08:00"],
  ["{opens_at: -1d 12:00, places: 60}", "{opens_at: 2026-11-30T12:00+08:00, places: 60}"],
  ["date: +0d", "date: 2026-12-01"],
])("the times of %j follow from the day in China", (text, expected) => {
  expect(fillTimes(text, new Date("2026-12-01T00:30+08:00"))).toBe(expected);
});

it("the site changes when an entry comes due, a show ends, a stop begins and a tour closes, and at no other time", async () => {
  const item = "news/open/index.zh-CN.md";
  const dated = shopFiles[item]?.replace("title:", "publish_at: 2026-12-24T20:00+08:00\ntitle:") ?? null;
  const { shop } = await readShop(writeShopFiles({ [item]: dated }));
  if (!shop) throw new Error("a fault");
  const times: string[] = [];
  for (let next = getNextUpdate(shop, new Date(0)); next; next = getNextUpdate(shop, next))
    expect(countUpdates(shop, next)).toBe(times.push(inChina(next.getTime()).slice(0, 16)));
  const [published, begins, ends, closes] = ["2026-12-24T20:00", "2027-03-05T19:00", "2027-03-20T22:00", "2027-04-04T19:00"];
  expect(times).toEqual([published, begins, ends, closes, "2027-04-05T19:00"]);
});

it("a news item lacks a tour that is not published", async () => {
  const [tour, item] = ["campaign/river/index.zh-CN.md", "news/open/index.zh-CN.md"];
  const folder = writeShopFiles({
    [tour]: shopFiles[tour]?.replace("title:", "draft: true\ntitle:") ?? null,
    [item]: shopFiles[item]?.replace("event: lantern", "campaign: river") ?? null,
  });
  const { shop } = await readShop(folder);
  const toTours = (one: Shop) => one.news.map(({ texts }) => texts[0]?.data.campaign);
  expect(shop && toTours(shop)).toEqual(["river"]);
  expect(shop && toTours(selectPublished(shop, new Date()))).toEqual([undefined]);
});

const schemas = Object.entries({ ...kinds, site }).flatMap(([name, { schema, words }]) => [
  { name, file: "first", schema },
  { name, file: "other", schema: words },
]);
function findSchemaFaults(schema: z.ZodType, fields: object): string[] {
  const faults: string[] = [];
  parse(schema, fields, (fault) => faults.push(fault));
  return faults;
}

it.each(schemas)("each field that the $file language's file of $name lacks is named with an example", ({ schema }) => {
  const faults = findSchemaFaults(schema, {});
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(/^\w+: is missing, such as: (?!.*(must|not:|undefined)).+/);
});

it("a message without an example or the names of the fields is reported as it is", () => {
  const schema = z.strictObject({ title: z.string({ error: "must be words" }) }, { error: "is unknown" });
  expect(findSchemaFaults(schema, { titel: "" })).toEqual(["title: must be words", "titel: is unknown"]);
});

it("advice on a price names the file that has it, in whatever language", async () => {
  const toFile = (locale: Locale, own = {}, text?: string) => replaceFields(readTemplate(`item.${locale}.md`), own, text);
  const [first, second] = ["goods/new/index.zh-CN.md", "goods/new/index.en-US.md"];
  const findAdvice = async (zh: string | null, en: string) => {
    const { shop } = await readShop(writeShopFiles({ [first]: zh, [second]: en }));
    const advice = adviseOnTemplates(shop ?? expect.fail()).filter((one) => one.startsWith("goods/new/"));
    return advice.map((one) => one.replace(/,? (is|are|as) .*/, ""));
  };
  const own = [{ title: "LP", summary: "Black." }, "Two sides."] as const;
  expect(await findAdvice(toFile("zh-CN"), toFile("en-US"))).toEqual([
    `${first}: title, summary, price, text`,
    `${second}: title, summary, text`,
  ]);
  expect(await findAdvice(toFile("zh-CN", ...own), toFile("en-US", ...own))).toEqual([`${first}: price and stock`]);
  const alone = toFile("zh-CN", ...own);
  expect(await findAdvice(null, alone)).toEqual([`${second}: price and stock`]);
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

  it("lets the next event that takes place lead, before a cancelled one", () => {
    const cancelled = { data: { ...running.data, status: "cancelled" } };
    expect(putLeadFirst([cancelled, next, running])).toEqual([next, cancelled, running]);
    expect(putLeadFirst([cancelled])).toEqual([cancelled]);
  });
});

it("a pass without a limit of its own has 3 where there is a stock, and none otherwise", async () => {
  const file = shopFiles["package/regular/index.zh-CN.md"] ?? "";
  const facts = { a: "", b: "stock: 5", c: "stock: 5\nlimit: 1", d: "limit: 2" };
  const files = Object.entries(facts).map(([id, lines], position) => [
    `package/${id}/index.zh-CN.md`,
    file.replace("price:", `position: ${position}\n${lines}\nprice:`),
  ]);
  const { shop, faults } = await readShop(
    writeShopFiles({ ...Object.fromEntries(files), "package/regular/index.zh-CN.md": null }),
  );
  if (!shop) throw new Error(faults.join("\n"));
  const limits = toCatalogue(shop, new Date()).packages.map(({ stock, limit }) => [stock, limit]);
  expect(limits).toEqual([
    [null, null],
    [5, 3],
    [5, 1],
    [null, 2],
  ]);
});
