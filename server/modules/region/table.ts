import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Localized } from "#server/db/schema/column.ts";

const file = join(import.meta.dirname, "region.tsv");

export interface RegionRow {
  code: string;
  name: Localized;
  /** The parent's code; "" for a province. */
  parent: string;
  /** Codes of its children that are offered; a region without any is a leaf. */
  children: string[];
  /** Codes of the regions that its area belongs to since it went; empty for one that is offered. */
  successors: string[];
}

/** All regions by code, from `region.tsv`, whose head describes it. The key "" holds the country, whose children are the provinces. */
export const regionTable: ReadonlyMap<string, RegionRow> = parseRegions(readFileSync(file, "utf8"));

/** Parses the table, with any line ends. */
export function parseRegions(text: string): Map<string, RegionRow> {
  const country = { code: "", name: { "zh-CN": "", "en-US": "" }, parent: "", children: [], successors: [] };
  const regions = new Map<string, RegionRow>([["", country]]);
  for (const line of text.split(/\r?\n/)) {
    if (line === "" || line.startsWith("#")) continue;
    const [code = "", zh = "", en = "", _date, successors = ""] = line.split("\t");
    const parent = getAncestorCodes(code).find((ancestor) => regions.has(ancestor)) ?? "";
    const region = {
      code,
      name: { "zh-CN": zh, "en-US": en },
      parent,
      children: [],
      successors: successors.match(/\d+/g) ?? [],
    };
    regions.set(code, region);
    if (region.successors.length === 0) regions.get(parent)?.children.push(code);
  }
  return regions;
}

/** Returns the possible ancestors of a code, nearest first: two digits each for province, city and district. Some districts have no city. */
function getAncestorCodes(code: string): string[] {
  return [`${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`].filter((ancestor) => ancestor !== code);
}

/**
 * Returns the code of the last level that a stored code means today: itself, or its only successor.
 * Null where that has to be chosen: an unknown code, one with regions below it, and one whose area was divided.
 */
export function getCurrentCode(code: string): string | null {
  const region = regionTable.get(code);
  if (!code || !region || region.children.length > 0 || region.successors.length > 1) return null;
  return region.successors[0] ?? code;
}

type RegionNames = Record<"province" | "city" | "district", Localized>;

const missing: Localized = { "zh-CN": "", "en-US": "" };

/** Returns the names of a code's levels, also of one that went, "" for a missing level and an unknown code. */
export function getRegionNames(code: string): RegionNames {
  const names = { province: missing, city: missing, district: missing };
  const region = regionTable.get(code);
  for (const { code, name } of region ? getPath(region) : []) names[getLevel(code)] = name;
  return names;
}

function getLevel(code: string): keyof RegionNames {
  if (code.endsWith("0000")) return "province";
  return code.endsWith("00") ? "city" : "district";
}

/** Returns a region and its ancestors, the province first. */
export function getPath(region: RegionRow): RegionRow[] {
  const parent = regionTable.get(region.parent);
  return region.code === "" || !parent ? [] : [...getPath(parent), region];
}

/** Finds the regions of the last level that are offered and that a code names, or a Chinese name or the end of it: 310104, 上海市徐汇区, 徐汇区. */
export function findRegions(text: string): { code: string; name: string }[] {
  const region = text.replace(/\s/g, "");
  return [...regionTable.keys()].flatMap((code) => {
    if (getCurrentCode(code) !== code) return [];
    const { province, city, district } = getRegionNames(code);
    const name = [province, city, district].map((level) => level["zh-CN"]).join("");
    return code === region || name.endsWith(region) ? [{ code, name }] : [];
  });
}
