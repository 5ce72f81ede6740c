import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import sharp from "sharp";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { getAdvice } from "#src/content/advice.ts";
import { catalogue } from "#src/content/catalogue.ts";
import { readShop } from "#src/content/read.ts";
import { getText } from "#src/content/shop.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { shopFiles as files, findFaults, writeShopFiles } from "#tests/support/content/shop-files.ts";
import { root } from "#tests/support/rules/sources.ts";

const [event, eventWords] = ["event/lantern/index.zh-CN.md", "event/lantern/index.en-US.md"];
const [shirt, mug] = ["goods/shirt/index.zh-CN.md", "goods/mug/index.zh-CN.md"];
const [pass, tour] = ["package/regular/index.zh-CN.md", "campaign/river/index.zh-CN.md"];

const table = v.parse(
  v.record(v.string(), v.array(v.tuple([v.string(), v.string(), v.string()]))),
  load(readFileSync(join(root, "tests/fixtures/shop-faults.yaml"), "utf8")),
);
const shopFaults: [path: string, from: string, to: string, message: string][] = [
  ...Object.entries(table).flatMap(([path, faults]) =>
    faults.map(([from, to, message]) => [path, from, to, message.replace("{file}", path)] as [string, string, string, string]),
  ),
  [event, "title: 灯", `title: ${"长".repeat(3000)}`, "title: must have at most 200 characters, but has 3000"],
  [event, files[event]?.slice(60) ?? "", "", `${event}: has no end of its fields`],
  // Copies of an entry in other folders.
  ["goods/shirt-s/index.zh-CN.md", "", files[mug] ?? "", "make the SKU shirt-s, which goods/shirt"],
  ["campaign/lantern/index.zh-CN.md", "", files[tour] ?? "", "both would stand at /event/lantern: rename one"],
  ["event/Night Boat/index.zh-CN.md", "", files[event] ?? "", "dashes: rename it, such as: event/night-boat"],
  ["event/boat/index.zh-cn.md", "", files[event] ?? "", "index.zh-cn.md: is not read: rename it to index.zh-CN.md"],
  ["event/Lantern/index.zh-CN.md", "", files[event] ?? "", "in small and capital letters"],
  ["event/spring/index.zh-CN.md", "", files[event] ?? "", "event/spring: spring is the address of another page"],
  ["goods/index/index.zh-CN.md", "", files[mug] ?? "", "goods/index: index is the address of another page"],
];

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
    expect(goods.find(({ uid }) => uid === "mug")?.ships_at).toBeNull();
    expect(activities[0]).toMatchObject({ title: { "zh-CN": "灯", "en-US": "Lantern" }, places: 100 });
    expect(packages[0]?.rights["en-US"].map(({ at_the_door }) => at_the_door)).toEqual([false, true]);
  });

  it("reads from when a pre-order is sent", async () => {
    const late = (files[mug] ?? "").replace("stock: 3", "stock: 3\nships_at: 2027-03-01T00:00+08:00");
    const { shop } = await readShop(writeShopFiles({ [mug]: late }));
    const { goods } = toCatalogue(shop ?? expect.fail(), new Date());
    expect(goods.find(({ uid }) => uid === "mug")?.ships_at).toBe("2027-02-28T16:00:00.000Z");
  });

  it.each(shopFaults)("answers %s with %j as %j", async (path, from, to, message) => {
    const faults = await findFaults(path, from, to);
    expect(faults).toContain(message);
    // An author reads how it is written, or the two values that differ, or what to take out.
    const help =
      /such as: \S|did you mean \S+\?|the fields are: \S|, but \S|(: | so )(rename|remove|leave|put) |is called \S|are called \S/;
    for (const fault of faults.split("\n")) expect(fault).toMatch(help);
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

  it.each([
    ["event/Lantern/index.zh-CN.md", "event/Lantern/index.en-US.md"],
    ["event/lantern/index.zh-cn.md", eventWords],
  ])("reports one fault of a folder or file whose name is nearly right: %s", async (path, wordsPath) => {
    const moved = { [event]: null, [eventWords]: null, [path]: files[event] ?? "", [wordsPath]: files[eventWords] ?? "" };
    const { faults } = await readShop(writeShopFiles(moved));
    expect(faults).toEqual([expect.stringContaining(": rename it")]);
  });

  it("names what lies beside a text in place of a missing picture, in the singular too", async () => {
    const text = (files[event] ?? "").replace("正文", "![台](a.jpg)");
    const { faults } = await readShop(writeShopFiles({ [event]: text, "event/lantern/b.svg": "<svg/>" }));
    expect(faults).toEqual([`${event}: line 20: a.jpg is not there, but b.svg lies beside the text`]);
  });

  it("refuses texts, pictures and audio that are links to what lies outside the shop's folder", async () => {
    const other = writeShopFiles({ "a/cover.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>" });
    const text = (files[event] ?? "")
      .replace("city: 成都", "city: 成都\ncover: {file: folder/cover.svg, alt: 台}\naudio: [{title: 甲, file: side.mp3}]")
      .replace("正文", "![台](leak.svg)![台](inside.svg)");
    const shop = writeShopFiles({ [event]: text, [eventWords]: null, "event/lantern/own.svg": "<svg/>" });
    const folder = join(shop, "event/lantern");
    symlinkSync(join(other, "a"), join(folder, "folder"));
    symlinkSync(join(other, "a/cover.svg"), join(folder, "leak.svg"));
    symlinkSync(join(other, "site.yaml"), join(folder, "side.mp3"));
    symlinkSync(join(other, eventWords), join(folder, "index.en-US.md"));
    symlinkSync("own.svg", join(folder, "inside.svg"));
    const { faults } = await readShop(shop);
    const outside = "lies outside the shop's folder: put it beside the text, such as:";
    for (const fault of [
      `${event}: cover: folder/cover.svg ${outside} cover.svg`,
      `${event}: audio 1: side.mp3 ${outside} side.mp3`,
      `${event}: line 22: leak.svg ${outside} leak.svg`,
      `${eventWords}: is a link out of the shop's folder: put what it leads to there`,
    ])
      expect(faults).toContain(fault);
    expect(faults.join("\n")).not.toMatch(/inside\.svg (lies|is not)/);
  });

  it("follows links within the shop's folder, and names those that lead nowhere or out of it", async () => {
    const other = writeShopFiles({});
    const shop = writeShopFiles({ "AGENTS.txt": "x" });
    const link = (to: string, at: string) => symlinkSync(to, join(shop, at));
    link("AGENTS.txt", "notes");
    link("/nowhere/result", "result");
    link(".", "all");
    link(other, "other");
    link("lantern", "event/boat");
    mkdirSync(join(shop, "news/open/pictures"));
    link("..", "news/open/pictures/loop");
    expect((await readShop(shop)).faults).toEqual([]);
    rmSync(join(shop, "campaign"), { recursive: true });
    link(join(other, "campaign"), "campaign");
    link(join(other, "event/lantern"), "event/out");
    link("nowhere.jpg", "event/lantern/dead.jpg");
    link("dead", "event/dead");
    rmSync(join(shop, "site.yaml"));
    link("/nowhere/site.yaml", "site.yaml");
    const [dead, out] = [
      "is a link that leads to no file or folder: put what it stands for there, or remove it",
      "is a link out of the shop's folder: put what it leads to there",
    ];
    const { faults } = await readShop(shop);
    for (const fault of [
      `campaign: ${out}`,
      `event/out: ${out}`,
      `event/lantern/dead.jpg: ${dead}`,
      `event/dead: ${dead}`,
      `site.yaml: ${dead}`,
    ])
      expect(faults).toContain(fault);
  });

  it("names a picture whose name looks the same, with the accents as marks of their own", async () => {
    const text = (files[event] ?? "").replace("正文", "![台](café.svg)");
    const { faults } = await readShop(writeShopFiles({ [event]: text, ["event/lantern/café.svg".normalize("NFD")]: "<svg/>" }));
    expect(faults).toEqual([
      `${event}: line 20: café.svg is not there, but a file is whose name looks the same and has its accents as marks of their own: rename it, such as: cafe.svg`,
    ]);
  });

  it.each(["👨‍👩‍👧‍👦", "👩🏽‍🚀", "🇨🇳", "👍🏽", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️", "❤‍🔥", "☝🏽", "🎷"])(
    "draws the poster of a title without its %s",
    async (emoji) => {
      const getCover = async (title: string) => {
        const { shop } = await readShop(
          writeShopFiles({ [event]: (files[event] ?? "").replace("title: 灯", `title: ${title}`) }),
        );
        const [entry] = shop?.event ?? [];
        return getText(entry ?? expect.fail(), "zh-CN").data.cover;
      };
      const cover = await getCover(`灯${emoji}市${emoji}`);
      expect(cover).toEqual({ ...(await getCover("灯 市")), alt: `灯${emoji}市${emoji}` });
    },
  );

  it("gives every way of writing a picture its address", async () => {
    const picture = (color: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path fill="${color}" d="M0 0h3v2H0z"/></svg>`;
    const text = (files[event] ?? "").replace(
      "正文",
      '![二](photo(1).svg)、![链接 [x](y) 在说明里](plain.svg)、![括号\\](转义](plain.svg)、![a](<my photo.svg> "题")、![图][p]\n\n[p]: <photo(1).svg>\n',
    );
    const { shop, faults } = await readShop(
      writeShopFiles({
        [event]: text,
        "event/lantern/photo(1).svg": picture("red"),
        "event/lantern/plain.svg": picture("blue"),
        "event/lantern/my photo.svg": picture("green"),
      }),
    );
    const [entry] = shop?.event ?? expect.fail(faults.join("\n"));
    const { html, pictures } = getText(entry ?? expect.fail(), "zh-CN");
    const sources = Array.from(html.matchAll(/<img src="([^"]+)" alt="([^"]*)"/g), ([, src, alt]) => [src, alt]);
    const [photo, plain, , spaced] = pictures;
    expect(new Set([photo, plain, spaced]).size).toBe(3);
    expect(sources).toEqual([
      [photo, "二"],
      [plain, "链接 x 在说明里"],
      [plain, "括号](转义"],
      [spaced, "a"],
      [photo, "图"],
    ]);
    for (const [src] of sources) expect(src).toMatch(/^\/pictures\/[0-9a-f]{12}\.\w+\.svg$/);
  });

  it("accepts a byte order mark, Windows line ends, fields without a value, emoji and rare characters", async () => {
    const text = (files[event] ?? "").replace("title: 灯", "title: 𠮷野家🎸\nway:").replace(/\n/g, "\r\n");
    const { shop, faults } = await readShop(writeShopFiles({ [event]: `\uFEFF${text}` }));
    expect(faults).toEqual([]);
    const [entry] = shop?.event ?? [];
    expect(entry && getText(entry, "zh-CN").data.title).toBe("𠮷野家🎸");
  });
});

describe("advice", () => {
  const findAdvice = async (changes: Record<string, string | Buffer | null>, at: string) => {
    const { shop, faults } = await readShop(writeShopFiles(changes));
    return getAdvice(shop ?? expect.fail(faults.join("\n")), new Date(at));
  };
  const cancelled = (files[event] ?? "").replace("city: 成都", "city: 成都\nstatus: cancelled");
  const promise =
    "package/regular/index.zh-CN.md: rights: early_booking is kept by no show that can still be booked: those that open early are cancelled or over";

  it.each([
    ["which can be booked", {}, "2027-03-20T17:29+08:00", false],
    ["which is over, the day after it", {}, "2027-03-20T17:30+08:00", true],
    ["which is cancelled", { [event]: cancelled }, "2026-11-02T12:00+08:00", true],
  ])("on a pass with early booking of a show %s", async (_, changes, at, isGiven) => {
    expect((await findAdvice(changes, at)).includes(promise)).toBe(isGiven);
  });

  const year = (text: string, field: string, to: string) => text.replace(`${field}: 2027`, `${field}: ${to}`);
  const lantern = files[event] ?? "";
  const site = (files["site.yaml"] ?? "").replace("shop: label", "shop: label\n  plan: {event: lantern}");
  const photo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><rect width="3" height="2"/></svg>';
  const twice = lantern.replace("正文", "![台](a.svg)").replace("city: 成都", "city: 成都\npictures: [{file: a.svg, alt: 台}]");
  const onTime = "2026-12-01T12:00+08:00";

  it.each([
    [
      "ends_at a year after starts_at",
      { [event]: year(lantern, "ends_at", "2028") },
      onTime,
      "ends_at: is 2028-03-20T22:00+08:00,",
    ],
    [
      "closes_at a year before",
      { [event]: year(lantern, "closes_at", "2026").replace("2026-11-01", "2026-01-01").replace("2026-10-31", "2025-12-31") },
      onTime,
      "booking, closes_at: is 2026-03-20T17:30+08:00: booking is closed",
    ],
    [
      "the plan's show that is cancelled",
      { [event]: cancelled, "site.yaml": site },
      onTime,
      "plan, event: lantern is cancelled",
    ],
    [
      "an emoji of a poster",
      { [event]: lantern.replace("title: 灯", "title: 灯👨‍👩‍👧‍👦") },
      onTime,
      "the poster of the title lacks 👨‍👩‍👧‍👦, which no font of it has: a cover of your own may show it",
    ],
    [
      "a mark that is shown as it is typed",
      { [event]: lantern.replace("正文", "一段。\n\n##歌单\n\n正文") },
      onTime,
      "## is shown as it is typed: a heading has # and a blank before it, such as: ## Set list",
    ],
    ["the plan's show that is over", { "site.yaml": site }, "2027-03-20T22:00+08:00", "plan, event: lantern is over"],
    [
      "a picture that stands in the text and in pictures",
      { [event]: twice, [eventWords]: null, "event/lantern/a.svg": photo },
      onTime,
      "pictures 1: stands in the text too",
    ],
  ])("names %s, and nothing of the kind in a shop without it", async (_, changes, at, sentence) => {
    expect((await findAdvice(changes, at)).join("\n")).toContain(sentence);
    expect((await findAdvice({}, at)).join("\n")).not.toContain(sentence.split(":")[0]);
  });

  it("names a picture that moves, with the line of the text", async () => {
    const frames = await Promise.all(
      ["red", "blue"].map((background) =>
        sharp({ create: { width: 9, height: 6, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const changes = { [event]: lantern.replace("正文", "![台](a.webp)"), "event/lantern/a.webp": moving };
    expect(await findAdvice(changes, onTime)).toContain(
      `${event}: line 20: a.webp moves, but pages show its first frame alone: export the frame that matters, such as cover.jpg`,
    );
  });

  it("names a show that is over and not on the site yet, unless it stands there under a former id", async () => {
    const { shop } = await readShop(writeShopFiles({ [event]: lantern.replace("city:", "aliases: [lamp]\ncity:") }));
    const advise = (at: string, onSite: string) =>
      getAdvice(shop ?? expect.fail(), new Date(at), (id) => id === onSite).filter((text) => text.includes("starts_at"));
    const sentence = `${event}: starts_at: is 2027-03-20T19:30+08:00: a new show that is over stands among the past ones`;
    expect(advise("2027-03-21T12:00+08:00", "other")).toEqual([sentence]);
    for (const id of ["lantern", "lamp"]) expect(advise("2027-03-21T12:00+08:00", id)).toEqual([]);
    expect(advise(onTime, "other")).toEqual([]);
  });

  it("names a stop of an open tour that is over", async () => {
    const over = `${tour}: stops: one is over`;
    expect(await findAdvice({}, "2027-03-05T18:59+08:00")).not.toContain(over);
    expect(await findAdvice({}, "2027-03-05T19:00+08:00")).toContain(over);
  });
});
