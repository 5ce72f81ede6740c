import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createShards, type SearchText, search, toTerms } from "../../src/lib/search.ts";

const texts: SearchText[] = ["src/content", "tests/fixtures/label"]
  .flatMap((folder) => globSync(`${folder}/**/*.md`))
  .map((file) => readFileSync(file, "utf8"))
  .map((body) => ({ title: /^title: (.*)$/m.exec(body)?.[1] ?? "", lead: /^summary: (.*)$/m.exec(body)?.[1] ?? "", body }));

const run = (query: string, shards: string[]) => search(query, shards.length, async (index) => shards[index] ?? "");

test("two characters of Chinese find every text that holds them", async () => {
  const shards = createShards(texts);
  const pairs = new Set(texts.flatMap(({ body }) => toTerms(body)));
  const missed: string[] = [];
  let checked = 0;
  for (const pair of pairs) {
    if (!/^\p{Script=Han}{2}$/u.test(pair)) continue;
    const holding = texts.flatMap(({ body }, index) => (body.normalize("NFKC").includes(pair) ? [index] : []));
    const found = await run(pair, shards);
    if (holding.some((index) => !found.includes(index))) missed.push(pair);
    checked++;
  }
  expect(missed).toEqual([]);
  expect(checked).toBeGreaterThan(1000);
});

const songs: SearchText[] = [
  { title: "慢速公路", lead: "Tour", body: "The café opens at seven. Midnight train." },
  { title: "Midnight Radio", lead: "零点播音", body: "在慢车上" },
];

test.each([
  ["midn", [1, 0]],
  ["CAFE", [0]],
  ["ｃａｆé seven", [0]],
  ["慢", [0]],
  ["慢速公", [0]],
  ["慢车", [1]],
  ["m", [1]],
  ["midnight 播音", [1]],
  ["nothing", []],
  ["  ", []],
])("finds %s in words, beginnings of words and titles first", async (query, expected) => {
  expect(await run(query, createShards(songs))).toEqual(expected);
});
