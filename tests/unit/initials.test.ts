import { describe, expect, it } from "vitest";
import { initials } from "../../src/ui/Avatar.tsx";

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
