import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { goodsSeed, skuSeed } from "../../server/db/seed/goods.ts";
import { packageSeed } from "../../server/db/seed/package.ts";
import { root } from "../support/rules/sources.ts";

/** Promises that the server does not implement: early booking, own gates, a second seat, first choice, visits, pick-up at the door. */
const promises =
  /提前|购票|优先|先挑|[ABC]\s*口|自己的口|直接进|不用排队|随行|探班|自取|\bearly\b|\bgates?\b (?:[ABC]\b|on show)|own gate|skip the line|walk in\b|first (?:in|pick)|pick first|plus-one|rehearsal visit|pick up at/i;

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const names = readdirSync(join(root, "i18n")).filter((name) => !["locale.ts", "prefix.ts", "catalogue.ts"].includes(name));
const interfaceTexts = await Promise.all(names.map((name) => import(pathToFileURL(join(root, "i18n", name)).href)));

describe("the texts of packages and items", () => {
  it.each([
    ["the demo's passes", packageSeed],
    ["the demo's goods", goodsSeed],
    ["the demo's variants", skuSeed],
    ["the interface", interfaceTexts],
  ])("promise in %s nothing that the server does not do", (_, texts) => {
    expect(textsIn(texts).filter((text) => promises.test(text))).toEqual([]);
  });

  it("mention free delivery exactly where the server grants it", () => {
    for (const { uid, freePostage, rights } of packageSeed) {
      const hasTruckIcon = rights["en-US"].some(({ icon }) => icon === "truck");
      expect({ uid, hasTruckIcon }).toEqual({ uid, hasTruckIcon: freePostage });
      expect(rights["zh-CN"].map(({ icon }) => icon)).toEqual(rights["en-US"].map(({ icon }) => icon));
    }
  });

  it("state the days and the stock of a package as the server has them", () => {
    for (const { days, stock, rights } of packageSeed) {
      const texts = rights["en-US"].map(({ title }) => title);
      expect(texts).toContain(`Runs ${days} days`);
      const counts = texts.filter((text) => /^One of /.test(text));
      expect(counts).toEqual(stock === null || stock === undefined ? [] : [`One of ${stock}`]);
    }
  });
});
