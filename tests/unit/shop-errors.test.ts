import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/content/catalogue.ts";
import { readShop } from "../../src/content/read.ts";
import { getText } from "../../src/content/shop.ts";
import { toCatalogue } from "../../src/content/to-catalogue.ts";
import { shopFiles as files, findFaults, writeShopFiles } from "../support/content/shop-files.ts";
import { root } from "../support/rules/sources.ts";

const event = "event/lantern/index.zh-CN.md";
const eventWords = "event/lantern/index.en-US.md";
const shirt = "goods/shirt/index.zh-CN.md";
const mug = "goods/mug/index.zh-CN.md";
const pass = "package/regular/index.zh-CN.md";
const tour = "campaign/river/index.zh-CN.md";
const price = "must be a price in yuan with at most two decimals, 0.01 to 1000000, such as: 268 or 268.50";

describe("readShop", () => {
  it("reads the demo's shop without faults, and its catalogue is what the server takes", async () => {
    const { shop, faults } = await readShop(join(root, "src/content"));
    expect(faults).toEqual([]);
    if (shop) expect(v.safeParse(catalogue, toCatalogue(shop, new Date())).issues).toBeUndefined();
  });

  it("merges facts with the words of each language", async () => {
    const { shop } = await readShop(writeShopFiles({}));
    const { goods, packages, activities } = toCatalogue(shop ?? expect.fail(), new Date());
    expect(goods.find(({ uid }) => uid === "shirt")?.skus).toEqual([
      { uid: "shirt-s", values: { "zh-CN": ["小"], "en-US": ["Small"] }, pay_fen: 18_800, stock: 6 },
      { uid: "shirt-l", values: { "zh-CN": ["大"], "en-US": ["Large"] }, pay_fen: 18_850, stock: 0 },
    ]);
    expect(activities[0]).toMatchObject({ title: { "zh-CN": "灯", "en-US": "Lantern" }, places: 100 });
    expect(packages[0]?.rights["en-US"].map(({ at_the_door }) => at_the_door)).toEqual([false, true]);
  });

  it.each([
    [event, "title: 灯", "titel: 灯", `${event}: title: is missing, such as: title: Entrance`],
    [event, "title: 灯", "titel: 灯", `${event}: titel: there is no such field; did you mean title?`],
    [event, "title: 灯", "heading: 灯", `${event}: heading: there is no such field; the fields are: title, summary,`],
    [event, "starts_at: 2027", "starts: 2027", `${event}: starts: there is no such field; did you mean starts_at?`],
    [event, "places: 100", "place: 100", `${event}: booking, place: there is no such field; did you mean places?`],
    [event, "starts_at: 2027-03-20T19:30+08:00\n", "", "starts_at: is missing, such as: starts_at: 2027-03-20T19:30+08:00"],
    [eventWords, "city: Chengdu", "town: Chengdu", `${eventWords}: city: is missing, such as: city: Shanghai`],
    ["news/open/index.zh-CN.md", "kind: notice\n", "", "kind: is missing, such as: kind: notice"],
    [pass, "level: 2\n", "", "level: is missing, such as: level: 2"],
    [event, "title: 灯", "title: 2027", "title: must be words, such as: Entrance (a number"],
    [event, "title: 灯", "title: 灯: 首演", `${event}: line 2: bad indentation`],
    [event, "title: 灯", "title：灯", `${event}: line 2: the colon after title is a full-width one`],
    [event, "title: 灯", "title:灯", `${event}: line 2: a blank is missing after title:`],
    [event, "正文", '<img src="hall.jpg">', `${event}:20: <img> does not find hall.jpg`],
    [event, "正文", "![厅](hall.jpg)", `${event}: line 20: hall.jpg is not there`],
    [shirt, "一段", "![正面](front.jpg)", `${shirt}:11: the text of an item has no pictures: name front.jpg among the fields`],
    [event, "title: 灯", `title: ${"长".repeat(3000)}`, "title: must have at most 200 characters, but has 3000"],
    [event, "starts_at: 2027-03-20T19:30+08:00", "starts_at: 2027-03-20 19:30", "starts_at: must be a time with its zone"],
    [event, "starts_at: 2027-03-20T19:30+08:00", "starts_at: 2027-03-20T19:30", "starts_at: must be a time with its zone"],
    [event, "starts_at: 2027-03-20", "starts_at: 2027-02-30", "starts_at: there is no such time"],
    [event, "doors_at: 2027-03-20T18:30", "doors_at: 2027-03-20T20:30", "doors_at: must not be after starts_at"],
    [event, "venue: 仓库", "venue: 仓库\nstatus: moved", "moved_from: is missing"],
    [event, "closes_at: 2027-03-20", "closes_at: 2026-10-20", "booking, closes_at: must be after opens_at"],
    [event, "closes_at: 2027-03-20T17:30", "closes_at: 2027-03-20T23:30", "booking, closes_at: must not be after starts_at"],
    [event, "level: 2,", "level: 4,", "booking, early 1, level: must be the level of a pass: 1, 2 or 3"],
    [event, "opens_at: 2026-10-31", "opens_at: 2026-11-02", "booking, early 1, opens_at: must be before opens_at"],
    [event, "city: 成都", "city: 成都\ncover: {file: stage.jpg, alt: 台}", `${event}: cover: stage.jpg is not there`],
    [
      event,
      "city: 成都",
      "city: 成都\ncover: {file: stage.jpg, alt: 台}",
      `${eventWords}: cover: is missing: its words stand in each language, such as: cover: {alt: A green door}`,
    ],
    [
      event,
      "city: 成都",
      "city: 成都\npictures: [{file: stage.jpg, alt: 台}]",
      `${eventWords}: pictures: is missing: its words stand in each language, such as: pictures: [{alt: The hall}]`,
    ],
    [
      event,
      "city: 成都",
      "city: 成都\ncover: {file: ../a.jpg, alt: 台}",
      "cover, file: must be the name of a picture beside the text",
    ],
    [event, "city: 成都", "city: 成都\ncover: {file: a.jpg}", "cover, alt: is missing, such as: alt: Six figures"],
    [
      event,
      "/news/open",
      "/news/opne",
      `${event}:20: the link /news/opne leads to no page: there is no folder news/opne, but open`,
    ],
    [event, "/news/open", "/shop", `${event}:20: the link /shop leads to no page`],
    [event, "正文", "<script>alert(1)</script>", `${event}:20: <script> has no place in a text`],
    [eventWords, "city: Chengdu", "city: Chengdu\nends_at: 1", `${eventWords}: ends_at: is a fact, which stands once`],
    [eventWords, "[Band]", "[Band, Choir]", "line_up: has 2 entries, but 1 in Chinese"],
    [eventWords, "18:30 Doors", "18:45 Doors", "programme 1: is at 18:45, but at 18:30"],
    ["news/open/index.zh-CN.md", "kind: notice", "kind: Notice", "kind: must be one of: notice, live"],
    ["news/open/index.zh-CN.md", "2026-05-18", "18 May 2026", "date: must be a day, such as: 2026-10-26"],
    ["news/open/index.zh-CN.md", "event: lantern", "event: lamp", "event: is lamp, but there is no folder event/lamp"],
    ["news/open/index.zh-CN.md", "event: lantern", "campaign: lake", "campaign: is lake, but there is no folder campaign/lake"],
    [
      "news/open/index.zh-CN.md",
      "event: lantern",
      "event: lantern\ncampaign: river",
      "campaign: stands in place of event, not beside it",
    ],
    [mug, "price: 68", "price: 0", `${mug}: price: ${price}`],
    [mug, "price: 68", "price: -1", `${price}, not: -1`],
    [mug, "price: 68", "price: 1.005", `${price}, not: 1.005`],
    [mug, "price: 68", "price: 1e9", `${price}, not: 1000000000`],
    [mug, "price: 68", "price: ¥68", `${price}, not: ¥68`],
    [shirt, "price: 188, ", "", "skus 1, price: is missing, such as: price: 268"],
    [mug, "price: 68", "price: 12,8", "price: 12,8 has a comma: a point stands before decimals"],
    [mug, "price: 68", "price: 1,200", "price: 1,200 has a comma"],
    [shirt, "price: 188,", "price: 188,5,", `${shirt}: line 7: price: 188,5 has a comma`],
    ["site.yaml", "fee: 12,", "fee: 12,8,", "site.yaml: line 7: fee: 12,8 has a comma"],
    [event, "city: 成都", "city: 成都\ntitle: 灯", `${event}: line 9: title is there twice`],
    [shirt, "sku: l,", "sku: l, price: 1,", `${shirt}: line 8: price is there twice`],
    [
      "site.yaml",
      '"#00774a"',
      "#00774a",
      'site.yaml: line 6: light: #00774a is a comment without quotation marks, such as: light: "#00774a"',
    ],
    [
      tour,
      "title: 沿河",
      "title: 沿河\ncolour: #00804F",
      `${tour}: line 3: colour: #00804F is a comment without quotation marks`,
    ],
    [shirt, "sku: l", "sku: s", "skus 2, sku: is there twice: s names another SKU"],
    [shirt, "values: [大]", "values: [中]", 'skus 2, values: has "中", which is no 尺码: it has 小, 大'],
    [shirt, "values: [大]", "values: [小]", "skus 2, values: are those of s too: each combination is one SKU"],
    [shirt, "category: 衣物", "category: 衣物\nprice: 5", "price: stands in each of skus, not beside them"],
    [mug, "price: 68", "price: 68\naliases: [shirt]", "aliases: has shirt, which is an id or alias of goods/shirt"],
    ["goods/shirt-s/index.zh-CN.md", "", files[mug] ?? "", "make the SKU shirt-s, which goods/shirt"],
    [pass, "level: 2", "level: 9", "level: must be the level of a pass"],
    [pass, "level: 2", "level: 1", "rights 1, kind: is early_booking, but no show opens early for level 1 or below"],
    [pass, "kind: soup", "kind: limited", "stock: must say how many passes there are, as rights 2 is limited"],
    [tour, "closes_at: 2027", "closes_at: 2026-10-01T12:00+08:00 #", "closes_at: must be after opens_at"],
    [tour, "starts_at: 2027-03-05", "starts_at: 2026-03-05", "stops 1, starts_at: is before opens_at"],
    [tour, "stop: two", "stop: one", "stops 2, stop: is there twice"],
    ["campaign/lantern/index.zh-CN.md", "", files[tour] ?? "", "both would stand at /event/lantern: rename one"],
    ["site.yaml", "#00774a", "#2be38e", "accent, light: #2be38e has a contrast of 1.5"],
    ["site.yaml", "shop: label", "shop: label\n  plan: {event: lamp}", "plan, event: is lamp, but there is no folder"],
    ["site.yaml", "title: Label,", "title: Label, social: [{name: X}],", "social: must stand beside the Chinese words too"],
    [
      "site.yaml",
      "shop: label",
      "shop: label\n  plan: {event: lantern, count: 12.99W人}",
      "plan, count: must have at most 6 signs",
    ],
    ["site.yaml", "en-US:", "en:", "site.yaml: en: is no part of it; the parts are zh-CN and en-US"],
    [event, "---\ntitle", "title", `${event}: has no fields at its beginning`],
    [event, "---\n\n正文", "正文", `${event}: has no end of its fields`],
    [event, files[event]?.slice(60) ?? "", "", `${event}: has no end of its fields`],
    ["event/Lantern/index.zh-CN.md", "", files[event] ?? "", "in small and capital letters"],
    ["event/spring/index.zh-CN.md", "", files[event] ?? "", "event/spring: spring is the address of another page"],
    [
      "event/lantern/index.zh.md",
      "",
      "x",
      "event/lantern/index.zh.md: is not read: the texts of an entry are called index.zh-CN.md",
    ],
    ["event/lantern/notes.txt", "", "x", "event/lantern/notes.txt: is not read"],
    ["event/lantern/index.zh-CN.markdown", "", "x", "event/lantern/index.zh-CN.markdown: is not read"],
    ["event/loose.md", "", "x", "event/loose.md: is not read: a text stands in a folder of its own"],
    ["events/one/index.zh-CN.md", "", "x", "events: is not read: the folders of a shop are event, news"],
    ["event/empty/cover.jpg", "", "x", "event/empty: has no text: it is called index.zh-CN.md and index.en-US.md"],
  ])("answers %s with %j as %j", async (path, from, to, message) => {
    expect(await findFaults(path, from, to)).toContain(message);
  });

  it("sorts the stops of a tour by when they start, in both languages alike", async () => {
    const words = "---\ntitle: Down\nsummary: One.\nstops: [{city: Kunming, venue: A}, {city: Wuhan, venue: B}]\n---\n";
    const later = (files[tour] ?? "").replace("starts_at: 2027-03-05", "starts_at: 2027-05-05");
    const { shop } = await readShop(writeShopFiles({ [tour]: later, "campaign/river/index.en-US.md": words }));
    const stops = shop?.campaign[0]?.texts.map(({ data }) => data.stops.map(({ stop, city }) => `${stop} ${city}`));
    expect(stops).toEqual([
      ["two 武汉", "one 昆明"],
      ["two Wuhan", "one Kunming"],
    ]);
  });

  it("reports the faults of all files at once", async () => {
    const { shop, faults } = await readShop(
      writeShopFiles({ "site.yaml": null, "about/terms/index.zh-CN.md": null, [mug]: "x", [pass]: Buffer.from([0xb5, 0xc6]) }),
    );
    expect(shop).toBeNull();
    expect(faults.map((fault) => fault.slice(0, fault.indexOf(":"))).sort()).toEqual(["about/terms", mug, pass, "site.yaml"]);
  });

  it.each([
    [event, "title: 灯", "title: 7", "doors_at: 2027-03-20T18:30", "doors_at: 2027-03-20T20:30", ["title", "doors_at"]],
    [
      event,
      "places: 100",
      "places: many",
      "closes_at: 2027-03-20T17:30",
      "closes_at: 2027-03-20T23:30",
      ["booking, places", "booking, closes_at"],
    ],
    [shirt, "price: 188,", "price: no,", "sku: l", "sku: s", ["skus 1, price", "skus 2, sku"]],
    [
      shirt,
      "sku: s, values: [小]",
      "sku: s, values: [2]",
      "values: [大]",
      "values: [中]",
      ["skus 1, values 1", "skus 2, values"],
    ],
    [mug, "price: 68", "pirce: 68", "title: 杯子", "list_price: 1", ["title", "pirce", "price"]],
    [pass, "days: 365", "days: 1.5", "kind: soup", "kind: limited", ["days", "stock"]],
    [tour, "places: 60", "places: 0", "stop: two", "stop: one", ["stops 2, places", "stops 2, stop"]],
    [tour, "title: 沿河", "titel: 沿河", "closes_at: 2027", "closes_at: 2028", ["title", "titel", "closes_at"]],
    ["site.yaml", "brand: 厂牌", "brand: 7", "#00774a", "#2be38e", ["zh-CN, brand", "zh-CN, accent, light"]],
    [eventWords, "city: Chengdu", "town: Chengdu", "[Band]", "[Band, Choir]", ["city", "town", "line_up"]],
  ])("reports what is wrong with a field of %s and between fields at once", async (path, a, b, c, d, fields) => {
    const text = (files[path] ?? "").replace(a, b);
    const faults = await findFaults(path, files[path] ?? "", text.replace(c, d));
    expect(faults.split("\n").map((fault) => fault.split(": ")[1])).toEqual(fields);
  });

  it("reports a missing picture for the text and for each field that names it", async () => {
    const text = (files[event] ?? "").replace("city: 成都", "city: 成都\npictures: [{file: a.jpg, alt: 台}]");
    const faults = (await findFaults(event, files[event] ?? "", text.replace("正文", "![台](a.jpg)"))).split("\n");
    expect(faults.filter((fault) => fault.includes("a.jpg is not there")).map((fault) => fault.split(": ")[1])).toEqual([
      "line 21",
      "pictures 1",
    ]);
  });

  it.each([
    [mug, "price: 68", "price: -1"],
    [mug, "stock: 3", "stock: some"],
    [mug, "price: 68\nstock: 3", "skus: none"],
    [shirt, "specs: [{name: 尺码, values: [小, 大]}]", "specs: 尺码"],
    [tour, "starts_at: 2027-04-05T19:00", "starts_at: 2027-04-05 19:00"],
    [event, "starts_at: 2027-03-20T19:30+08:00", "starts_at: 2027-03-20T19:30"],
    [event, "early:", "early: no #"],
  ])("reports one fault of %s when %j is %j", async (path, from, to) => {
    expect((await findFaults(path, from, to)).split("\n")).toHaveLength(1);
  });

  it("accepts a byte order mark, Windows line ends, fields without a value, emoji and rare characters", async () => {
    const text = (files[event] ?? "").replace("title: 灯", "title: 𠮷野家🎸\nway:").replace(/\n/g, "\r\n");
    const { shop, faults } = await readShop(writeShopFiles({ [event]: `\uFEFF${text}` }));
    expect(faults).toEqual([]);
    const [entry] = shop?.event ?? [];
    expect(entry && getText(entry, "zh-CN").data.title).toBe("𠮷野家🎸");
  });
});
