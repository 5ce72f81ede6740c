import { describe, expect, it } from "vitest";
import { formatYuan, keepNumbers, paginationRange, toPhrases } from "../../src/lib/format.ts";
import { initials } from "../../src/ui/Avatar.tsx";

it.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 9, [1, 2, 9]],
  [3, 5, [1, 2, 3, 4, 5]],
  [600, 1250, [1, 599, 600, 601, 1250]],
  [1250, 1250, [1, 1249, 1250]],
])("paginationRange of page %i of %i is %j", (page, pages, linked) => {
  expect(paginationRange(page, pages)).toEqual(linked);
});

it.each([
  [0, "¥0"],
  [9800, "¥98"],
  [2650, "¥26.50"],
  [5, "¥0.05"],
  [100_000, "¥1,000"],
  [123_456_789, "¥1,234,567.89"],
])("formatYuan of %i fen is %s", (fen, text) => {
  expect(formatYuan(fen)).toBe(text);
});

it.each([
  ["Five cities, five doors", "Five cities, five doors"],
  ["春天开门：五城、五扇门、一个月", "春天开门：|五城、|五扇门、|一个月"],
  ["「停航，」他说", "「停航，」|他说"],
  ["给玻璃调音的人", "给玻璃调音的人"],
  ["零点播音室没有一个观众", "零点|播音|室没有|一个|观众"],
  ["我们吵了 12 个晚上之后散了", "我们|吵了 12 个晚上|之后散了"],
  ["我们吵了三个晚上，散了", "我们|吵了三个晚上，|散了"],
  ["", ""],
])("toPhrases of %j breaks at %j", (text, phrases) => {
  expect(toPhrases(text).join("|")).toBe(phrases);
  expect(toPhrases(text).join("")).toBe(text);
});

it("keepNumbers joins a number with the Chinese word after it, and nothing else", () => {
  expect(keepNumbers("龙腾大道 2555 号 3 号楼 1201, Shanghai 3 Floor")).toBe("龙腾大道 2555\u00a0号 3\u00a0号楼 1201, Shanghai 3 Floor");
});

describe("initials", () => {
  it.each([
    ["White Noise Choir", "WN"],
    ["madonna", "M"],
    ["  ada   lovelace ", "AL"],
    ["沈雨桐", "沈"],
    ["白噪 合唱团", "白合"],
    ["约翰·史密斯", "约史"],
    ["「入口」 巡演", "入巡"],
    ["Élodie Ångström", "ÉÅ"],
    ["e\u0301lodie x", "E\u0301X"],
    ["𠮷野 家", "𠮷家"],
    ["129 dots", "1D"],
    ["- & The Doors", "TD"],
    ["🎸", ""],
    ["", ""],
  ])("initials of %j are %j", (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
});
