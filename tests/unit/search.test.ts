import { globSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { joinTexts } from "#src/lib/format.ts";
import {
  chunkSize,
  createIndex,
  createShards,
  findMatches,
  parseResults,
  type SearchEntry,
  type SearchText,
  search,
} from "#src/lib/search.ts";
import { splitIndex } from "#src/lib/search-files.ts";

const run = (query: string, shards: string[]) => search(query, shards.length, async (index) => shards[index] ?? "");

describe.each([
  ["the demo", "src/content"],
  ["another label", "tests/fixtures/label"],
])("in the texts of %s", (_, folder) => {
  const texts = readTexts(folder);
  const shards = createShards(texts);

  it("every two neighbouring characters, one of them Chinese, find every text that has them, with or without a space", async () => {
    const pairs = new Set(texts.flatMap((text) => Object.values(text).flatMap(findPairs)));
    expect(pairs.size).toBeGreaterThan(400);
    const missed: string[] = [];
    for (const pair of pairs) {
      const found = new Set(await run(pair, shards));
      texts.forEach((text, index) => {
        if (Object.values(text).some((field) => field.includes(pair)) && !found.has(index)) missed.push(`${pair}: ${index}`);
      });
    }
    expect(missed).toEqual([]);
  });

  it("every English word, and its first three letters, find every text that holds it", async () => {
    const words = texts.map(
      (text) => new Set(Object.values(text).flatMap((field) => field.toLowerCase().match(/[a-z]{3,}/g) ?? [])),
    );
    const all = new Set(words.flatMap((own) => [...own]));
    expect(all.size).toBeGreaterThan(250);
    const missed: string[] = [];
    for (const query of new Set([...all, ...Array.from(all, (word) => word.slice(0, 3))])) {
      const found = new Set(await run(query, shards));
      words.forEach((own, index) => {
        if (own.has(query) && !found.has(index)) missed.push(`${query}: ${index}`);
      });
    }
    expect(missed).toEqual([]);
  });
});

/** Returns every text of a shop, with all fields of its file in the body. */
function readTexts(folder: string): SearchText[] {
  return globSync(`${folder}/**/*.md`).map((file) => {
    const body = readFileSync(file, "utf8");
    return { title: /^title: (.*)$/m.exec(body)?.[1] ?? "", lead: /^summary: (.*)$/m.exec(body)?.[1] ?? "", body };
  });
}

/** Returns every two neighbouring characters, one of them Chinese, as they are written. */
const findPairs = (text: string) => Array.from(text.matchAll(neighbours), ([, pair = ""]) => pair);
const neighbours = /(?=(\p{Script=Han}(?:\p{Script=Han}| ?[a-z\d])|[a-z\d] ?\p{Script=Han}))/giu;

const songs: SearchText[] = [
  { title: "慢速公路", lead: "Tour", body: "The café opens at seven. Midnight train. I don’t mind." },
  { title: "Midnight Radio", lead: "零点播音", body: "在慢车上，吃𠮷野家" },
  { title: "🎸 Echo 12.9W", lead: "", body: joinTexts("Ｅｎｔｒａｎｃｅ 第3场演出, A 面的歌，共 24 首歌", ["B 面"]) },
  { title: "Øya", lead: "MØ, Đà Nẵng, Stra\u00adße", body: "拼\u200b接" },
];

it.each([
  ["midn", [1, 0]],
  ["CAFE", [0]],
  ["cafe\u0301", [0]],
  ["ｃａｆé seven", [0]],
  ["entrance", [2]],
  ["慢", [0]],
  ["慢速公", [0]],
  ["速慢", []],
  ["慢车", [1]],
  ["𠮷野", [1]],
  ["𠮷", []],
  ["吃𠮷野家", [1]],
  ["m", [1]],
  ["midnight 播音", [1]],
  ["midnight，播音！", [1]],
  ["12.9w", [2]],
  ["第3场", [2]],
  ["3场", [2]],
  ["第3", [2]],
  ["第5场", []],
  ["24首", [2]],
  ["a面", [2]],
  ["A 面", [2]],
  ["第 3 场", [2]],
  ["mo da nang strasse", [3]],
  ["拼接", [3]],
  ["首24", []],
  ["歌b", []],
  ["midnight播音", [1]],
  ["don't", [0]],
  ["🎸", []],
  ["🎸 echo", [2]],
  ["nothing", []],
  ["constructor", []],
  [".*", []],
  ["", []],
  [" \u3000\t\n", []],
  ["，。！？", []],
  ["\u0000\ud842", []],
])("finds %j in words, beginnings of words and titles first", async (query, expected) => {
  expect(await run(query, createShards(songs))).toEqual(expected);
});

it("looks up six terms of a very long query, and finds the text that it is from", async () => {
  const loaded = new Set<number>();
  const shards = createShards(songs);
  const load = async (index: number) => {
    loaded.add(index);
    return shards[index] ?? "";
  };
  const found = await search(`midnight radio 零点播音 ${"在慢车上吃".repeat(2000)}`, shards.length, load);
  expect(found).toEqual([1]);
  const shardCount = 1000;
  loaded.clear();
  await search("慢速公路零点播音在慢车上，".repeat(50), shardCount, load);
  expect(loaded.size).toBe(6);
});

describe("a match is marked", () => {
  const mark = (text: string, query: string) =>
    findMatches(text, query).reduceRight(
      (all, [start, end]) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`,
      text,
    );

  it.each([
    ["慢速公路的慢速", "慢速", "[慢速]公路的[慢速]"],
    ["在公路上慢速走", "慢速公路", "在[公路]上[慢速]走"],
    ["The Café opens", "cafe", "The [Café] opens"],
    ["The Cafe\u0301 opens", "cafe", "The [Cafe\u0301] opens"],
    ["Ｅｎｔｒａｎｃｅ", "ent", "[Ｅｎｔ]ｒａｎｃｅ"],
    ["recent entrance", "ent", "recent [ent]rance"],
    ["吃𠮷野家", "𠮷野", "吃[𠮷野]家"],
    ["🎸 Echo", "🎸 echo", "🎸 [Echo]"],
    ["ﬁrst", "fir", "[ﬁr]st"],
    ["Stra\u00adße", "strass", "[Stra\u00adß]e"],
    ["哈哈哈", "哈哈", "[哈哈哈]"],
    ["<b>慢速</b>", "慢速", "<b>[慢速]</b>"],
    ["慢速", "", "慢速"],
  ])("in %j by %j", (text, query, expected) => {
    expect(mark(text, query)).toBe(expected);
  });
});

const noTexts = { label: "", facts: "", summary: "", lead: "", body: "" };
const result = { ...noTexts, path: "/news/a", date: "", ends: "", picture: "", lang: "" };

it("results are read from a chunk as they were, in one line each", () => {
  const entries: SearchEntry[] = Array.from({ length: chunkSize + 1 }, (_, index) => ({
    ...result,
    path: `/news/${index}`,
    title: `a\n ${index}`,
    date: `${index}`,
    ends: index % 2 ? "2026-10-11T14:00:00.000Z" : "",
    picture: index % 3 ? `/pictures/${index}.svg` : "",
    lang: index % 2 ? "en-US" : "",
  }));
  const { chunks, counts } = createIndex({ event: [], news: entries, mall: [], page: [] });
  expect(counts).toEqual([0, chunkSize + 1, 0, 0]);
  const read = chunks.flatMap(parseResults);
  expect(read.map(({ label, facts, summary, ...fields }) => fields)).toEqual(
    entries.map(({ path, date, ends, picture, lang }, index) => ({ path, title: `a ${index}`, date, ends, picture, lang })),
  );
});

it("the folder of an index has another name as soon as a text or a result changes", () => {
  const toFolder = (change: Partial<SearchEntry>) =>
    splitIndex(createIndex({ event: [{ ...result, title: "Echo", ...change }], news: [], mall: [], page: [] })).manifest.folder;
  expect(toFolder({})).toBe(toFolder({}));
  expect(new Set([toFolder({}), toFolder({ body: "new" }), toFolder({ summary: "new" })]).size).toBe(3);
});

/** Returns generated texts: half of each are clauses of the demo's, which many share, half are words that few share. */
function createTexts(count: number): SearchEntry[] {
  const clauses = readTexts("src/content").flatMap(({ body }) => body.match(/[\p{L}\p{N} ]{4,}[，。]?/gu) ?? []);
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  // Few characters are frequent, most are rare.
  const letter = () => String.fromCodePoint(0x4e00 + Math.floor(3_000 * random() ** 3));
  const write = (length: number) => {
    let text = "";
    while (text.length < length) text += random() < 0.5 ? pick(clauses) : `${letter()}${letter()}${letter()}，`;
    return text;
  };
  return Array.from({ length: count }, (_, index) => {
    const summary = write(40);
    return { ...result, path: `/news/${index}`, title: write(12), label: "现场", summary, lead: summary, body: write(600) };
  });
}

it("a first query loads at most 40 KiB of 5,000 texts, 4 KiB of scripts", { tags: ["full"], timeout: 60_000 }, async () => {
  const entries = createTexts(5_000);
  const index = createIndex({ event: entries.slice(0, 1_000), news: entries.slice(1_000), mall: [], page: [] });
  const { shards, chunks, counts } = index;
  const manifest = JSON.stringify(splitIndex(index).manifest);
  const weights = new Map<string, number>();
  const weigh = (text = "") => {
    const weight = weights.get(text) ?? brotliCompressSync(text).byteLength;
    weights.set(text, weight);
    return weight;
  };
  const totals: number[] = [];
  for (const { title, body } of entries.filter((_, at) => at % 500 === 0)) {
    const half = Math.floor(body.length / 2);
    for (const query of [
      title.slice(0, 2),
      body.slice(half, half + 2),
      body.slice(half, half + 4),
      `${title.slice(0, 2)} ${body.slice(0, 2)}`,
    ]) {
      const loaded = new Set<number>();
      const found = await search(query, shards.length, async (shard) => {
        loaded.add(shard);
        return shards[shard] ?? "";
      });
      // The first five of each group.
      const groups = [found.filter((text) => text < (counts[0] ?? 0)), found.filter((text) => text >= (counts[0] ?? 0))];
      const shown = new Set(groups.flatMap((own) => own.slice(0, 5)).map((text) => Math.floor(text / chunkSize)));
      const weights = [
        weigh(manifest),
        ...Array.from(loaded, (shard) => weigh(shards[shard])),
        ...Array.from(shown, (chunk) => weigh(chunks[chunk])),
      ];
      totals.push(weights.reduce((total, weight) => total + weight, 0));
    }
  }
  expect(totals.length).toBe(40);
  expect(Math.max(...totals)).toBeLessThanOrEqual(40 * 1024);
});
