import type { Locale } from "../../../i18n/locale.ts";
import { type Region, regionInfo } from "../../../src/api/address.ts";
import { codes } from "../../../src/api/envelope.ts";
import type { Localized } from "../../db/schema/column.ts";
import { publicRoute, type Route } from "../../http/route.ts";
import { ApiError } from "../../lib/errors.ts";
import { type RegionRow, regionTable } from "./table.ts";

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

export interface RegionNames {
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
