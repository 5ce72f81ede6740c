import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { locales } from "../../i18n/locale.ts";
import { root } from "../support/rules/sources.ts";

type Language = Record<string, string>;
type Catalogue = Record<string, Language>;

/** Texts that are the same in both languages: names and protocol texts. */
const sameInBothLanguages = new Set(["500 Internal Server Error", "/user/ui"]);
/** Texts for readers of the other language. */
const otherLanguage = /^frame\.other/;
const han = /\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u;

/** Returns the faults of a catalogue, each as a sentence. */
function findFaults(name: string, texts: Catalogue): string[] {
  const { "zh-CN": chinese = {}, "en-US": english = {} } = texts;
  const keys = [...new Set([...Object.keys(chinese), ...Object.keys(english)])];
  return keys.flatMap((key) => {
    const [zh = "", en = ""] = [chinese[key], english[key]];
    const faults: string[] = [];
    if (!zh.trim() || !en.trim()) faults.push("lacks a text");
    if (getPlaceholders(zh) !== getPlaceholders(en)) faults.push("has other placeholders in one language than in the other");
    if (han.test(en) && !otherLanguage.test(`${name}.${key}`)) faults.push("has Chinese in its English text");
    if (zh === en && /[a-z]{2}/i.test(zh) && !sameInBothLanguages.has(zh)) faults.push("is the same in both languages");
    if (zh !== zh.trim() || en !== en.trim()) faults.push("has space at an end");
    return faults.map((fault) => `${name}.${key} ${fault}`);
  });
}

function getPlaceholders(text: string): string {
  return Array.from(text.matchAll(/\{\w+\}/g), ([placeholder]) => placeholder)
    .sort()
    .join();
}

function isCatalogue(value: unknown): value is Catalogue {
  return typeof value === "object" && value !== null && locales.every((locale) => locale in value);
}

const files = readdirSync(join(root, "i18n")).filter((name) => !["locale.ts", "prefix.ts", "catalogue.ts"].includes(name));
const modules = await Promise.all(
  files.map(async (file) => {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(root, "i18n", file)).href);
    return {
      file,
      catalogues: Object.entries(exported).filter((entry): entry is [string, Catalogue] => isCatalogue(entry[1])),
    };
  }),
);

describe("texts", () => {
  it.each(modules)("$file exports a catalogue of the same name", ({ file, catalogues }) => {
    expect(catalogues.map(([name]) => name)).toContain(
      file.replace(/\.ts$/, "").replace(/-(\w)/g, (_, first: string) => first.toUpperCase()),
    );
  });

  it.each(modules)("$file has all texts in both languages", ({ catalogues }) => {
    expect(catalogues.flatMap(([name, texts]) => findFaults(name, texts))).toEqual([]);
  });

  it.each([
    ["lacks a text", { "zh-CN": { a: "好" }, "en-US": { a: " " } }],
    ["lacks a text", { "zh-CN": { a: "好" }, "en-US": {} }],
    ["has other placeholders in one language than in the other", { "zh-CN": { a: "{n} 件" }, "en-US": { a: "{count} items" } }],
    ["has Chinese in its English text", { "zh-CN": { a: "好" }, "en-US": { a: "Good，yes" } }],
    ["is the same in both languages", { "zh-CN": { a: "Loading" }, "en-US": { a: "Loading" } }],
    ["has space at an end", { "zh-CN": { a: "好 " }, "en-US": { a: "Good" } }],
  ])("findFaults reports a text that %s", (fault, texts) => {
    expect(findFaults("made", texts)).toContain(`made.a ${fault}`);
  });
});
