import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
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

describe("the texts of the interface", () => {
  it("promise nothing that the server does not do", () => {
    expect(textsIn(interfaceTexts).filter((text) => promises.test(text))).toEqual([]);
  });
});
