import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawings, formatCards, formatMissing, formatPrepared } from "../../src/build/files.ts";
import { drawCard, fitTitle } from "../../src/build/picture/card.ts";
import { takeMissing } from "../../src/build/picture/poster/fonts.ts";
import { drawPoster } from "../../src/build/picture/poster/poster.ts";
import { fitText, loadText } from "../../src/build/picture/poster/type.ts";
import { cardSize } from "../../src/content/picture/card.ts";
import { describePoster } from "../../src/content/picture/poster.ts";
import { readRecord } from "../../src/content/picture/record.ts";

describe("the title of a share card", () => {
  const box = { width: 1072, height: 456, most: 168, least: 52, mostLines: 3, phrases: true } as const;
  const setLines = async (title: string, width: number = box.width) => {
    const { lines, isCut = false } = fitText(await loadText("sans", title, true), { ...box, width });
    return { lines: lines.map((line) => line.map(({ text }) => text).join("")), isCut };
  };

  it.each([
    ["江声唱片，成都的爵士乐", 1072, ["江声唱片，", "成都的爵士乐"]],
    ["《第一遍》黑胶", 488, ["《第一遍》", "黑胶"]],
  ])("breaks %s between words", async (title, width, lines) => {
    expect(await setLines(title, width)).toEqual({ lines, isCut: false });
  });

  it.each([
    ["竹筒回声 · 成都 Dub 厂牌", "竹筒回声|成都 Dub 厂牌"],
    ["竹筒 · 回声", "竹筒|回声"],
  ])("drops the dot between words of %s where a line ends", async (title, expected) => {
    const { lines } = await fitTitle({ title, locale: "zh-CN", brand: "", accent: "" }, 488, 456);
    expect(lines.map((line) => line.map(({ text }) => text).join("")).join("|")).toBe(expected);
  });

  it("is set in plain letters where no font has the character, and in the character where one has it", async () => {
    expect((await setLines("第Ⅳ幕")).lines).toEqual(["第IV幕"]);
    const { glyphs } = await loadText("sans", "①Ａ﷼", true);
    expect(glyphs.map(({ text }) => text)).toEqual(["①", "Ａ", "﷼"]);
  });

  it.each(["sans", "print"] as const)("has outlines of rare characters in %s, no plates", async (face) => {
    const title = "𠮷𨭎㐂";
    const { lines } = await fitTitle({ title, locale: "zh-CN", brand: "", accent: "" }, 1072, 456);
    const drawn = face === "sans" ? lines.flat() : (await loadText(face, title, true)).glyphs;
    expect(drawn.map(({ text, isPlate = false }) => ({ text, isPlate }))).toEqual(
      Array.from(title, (text) => ({ text, isPlate: false })),
    );
    expect(new Set(drawn.map(({ outline }) => JSON.stringify(outline))).size).toBe(3);
  });

  it("is named with each character that no font has, once, as a block stands for it", async () => {
    takeMissing();
    const spec = { brand: "社", accent: "#00774a", locale: "zh-CN" } as const;
    for (const title of ["刘䶮独奏", "刘䶮、鿏与𠮷", "刘独奏"]) await drawCard({ ...spec, title }, null, false);
    expect(takeMissing()).toEqual([
      ["䶮", "刘䶮独奏"],
      ["鿏", "刘䶮、鿏与𠮷"],
    ]);
    expect(takeMissing()).toEqual([]);
  });

  it("is cut where a word has no room", async () => {
    expect((await setLines("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau", 488)).isCut).toBe(true);
  });

  it("has no emoji, which no font of the posters has", async () => {
    const spec = { brand: "社", accent: "#00774a", locale: "zh-CN" } as const;
    const plain = await drawCard({ ...spec, title: "爵士 之夜" }, null, false);
    expect(await drawCard({ ...spec, title: "🎷爵士 👩‍👩‍👧 之夜🇨🇳" }, null, false)).toEqual(plain);
  });
});

describe("a share card of at most 100 KiB", () => {
  const words = { title: "龘靐 ".repeat(1000), brand: "社", accent: "#00774a", date: "03.20", location: "成都" };
  const spec = { ...words, locale: "zh-CN" } as const;
  /** Nothing compresses worse. */
  const noise = { type: "gaussian", mean: 128, sigma: 80 } as const;
  const background = "#808080";
  const drawNoise = () =>
    sharp({ create: { width: 700, height: 700, channels: 3, noise, background } })
      .png()
      .toBuffer();

  it.each([
    ["a title of any length and any character", false, false],
    ["a picture of any detail", true, false],
    ["a photograph of any detail", true, true],
  ])("holds %s", { tags: ["full"] }, async (_, hasPicture, isPhotograph) => {
    const card = await drawCard(spec, hasPicture ? await drawNoise() : null, isPhotograph);
    expect(await sharp(card).metadata()).toMatchObject({ format: isPhotograph ? "jpeg" : "png", ...cardSize });
    expect(card.length).toBeLessThanOrEqual(100 * 1024);
  });
});

it("a command that prints nothing else of a build prints which pictures and share cards it draws", () => {
  const lines = [formatPrepared(0, 3), formatCards(72, 2, 90), formatCards(72, 0, 9), formatMissing("䶮", "刘䶮")];
  expect(
    lines
      .map((line) => `12:00:00 [media] ${line}\n`)
      .join("")
      .match(drawings),
  ).toEqual([
    "Preparing pictures: 0 of 3",
    "72 share cards in 0.1 s, of which 2 are new",
    'No font has 䶮: a block stands for it in "刘䶮"',
  ]);
});

it("a plate without words is squares, whole frames and a sun in the middle", async () => {
  const [ids, kinds] = [Array.from({ length: 60 }, (_, index) => `plate-${index}`), ["news", "campaign"] as const];
  let [disks, frames, suns] = [0, 0, 0];
  for (const [kind, id] of kinds.flatMap((kind) => ids.map((id) => [kind, id] as const))) {
    const spec = { kind, id, title: "", locale: "zh-CN" as const };
    const { width, height } = await describePoster(spec);
    const svg = await drawPoster(spec, { width, height });
    for (const [, rx, ry] of svg.matchAll(/[aA]([\d.]+) ([\d.]+) 0/g)) {
      expect(rx, id).toBe(ry);
      disks++;
    }
    for (const [, data = ""] of svg.matchAll(/fill-rule="evenodd" d="([^"]+)"/g))
      for (const [, x, y, wide] of data.matchAll(/M([\d.-]+) ([\d.-]+)h([\d.]+)/g)) {
        expect(Math.min(Number(x), Number(y), width - Number(x) - Number(wide)), id).toBeGreaterThan(0);
        frames++;
      }
    const sun = /<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" fill="[^"]+"\/><path fill="[^"]+" d="M0/.exec(svg);
    if (!sun) continue;
    expect(sun.slice(1).map(Number), id).toEqual([width / 2, height / 2]);
    expect(svg.slice(svg.indexOf("<circle")).match(/<path/g), "no horizon").toHaveLength(1);
    suns++;
  }
  expect(Math.min(disks, frames, suns)).toBeGreaterThan(0);
});

it.each([
  ["《第一遍》压好了", "《第一遍》"],
  ["《退潮》改期", "《退潮》"],
])("the poster of %j has %j on one line", async (title, name) => {
  const box = { width: 320, height: 400, most: 170, least: 26 };
  const { lines } = fitText(await loadText("sans", title, true), box);
  expect(lines.map((line) => line.map(({ text }) => text).join(""))).toContainEqual(expect.stringContaining(name));
});

describe("the poster of an entry without a cover", () => {
  const spec = { kind: "event", id: "quiet", title: "静音", date: "2027-03-20", locale: "zh-CN" } as const;

  it("has an address before it is drawn, which changes with its words", async () => {
    const cache = await mkdtemp(join(tmpdir(), "posters-"));
    const facts = await describePoster(spec, cache);
    expect(facts).toMatchObject({ kind: "svg", width: 600, height: 800 });
    expect(facts.url).toMatch(/^\/pictures\/[0-9a-f]{12}\.\w+\.svg$/);
    expect(await describePoster({ ...spec }, cache)).toEqual(facts);
    expect((await describePoster({ ...spec, title: "不静音" })).url).not.toBe(facts.url);
    expect(await readRecord(cache, facts.hash)).toEqual({ facts, source: { poster: spec } });
    await rm(cache, { recursive: true });
  });

  it("of a pass has the letter of its level as one more outline", async () => {
    const pass = { ...spec, kind: "package", letter: "A" } as const;
    const count = async (part: object) =>
      (await drawPoster({ ...pass, ...part }, { width: 400, height: 640 })).split("<path").length;
    expect(await count({})).toBe((await count({ letter: undefined })) + 1);
  });

  it.each([
    ["news", 900, 600],
    ["goods", 600, 600],
    ["package", 400, 640],
    ["campaign", 600, 676],
  ] as const)("has the size of its kind: %s", async (kind, width, height) => {
    expect(await describePoster({ ...spec, kind })).toMatchObject({ width, height });
  });
});
