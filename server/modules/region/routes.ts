import type { Locale } from "../../../i18n/locale.ts";
import { codes } from "../../../src/api/envelope.ts";
import { type Region, regionInfo } from "../../../src/api/region.ts";
import type { Localized } from "../../db/schema/column.ts";
import { publicRoute, type Route } from "../../http/route.ts";
import { ApiError } from "../../lib/api-error.ts";
import { type RegionRow, regionTable } from "./table.ts";

export function regionRoutes(): Route[] {
  return [
    publicRoute(regionInfo, async ({ region_code }, { locale }) => {
      const place = regionTable.get(region_code);
      if (!place) throw new ApiError(codes.notFound);
      return {
        region: region_code ? asRegion(place, locale) : null,
        parents: wayTo(place)
          .slice(0, -1)
          .map((one) => asRegion(one, locale)),
        children: place.children.flatMap((code) => regionTable.get(code) ?? []).map((one) => asRegion(one, locale)),
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

/** The names of a code's levels, "" where it has none; null for a code that is not known, or not the last level. */
export function getRegionNames(regionCode: string): RegionNames | null {
  const place = regionTable.get(regionCode);
  if (!regionCode || !place || place.children.length > 0) return null;
  const names = { province: missing, city: missing, district: missing };
  for (const { code, name } of wayTo(place)) names[levelOf(code)] = name;
  return names;
}

function levelOf(code: string): keyof RegionNames {
  if (code.endsWith("0000")) return "province";
  return code.endsWith("00") ? "city" : "district";
}

/** A place with all that it lies in, the province first. */
function wayTo(place: RegionRow): RegionRow[] {
  const above = regionTable.get(place.parent);
  return place.code === "" || !above ? [] : [...wayTo(above), place];
}

function asRegion({ code, name, children }: RegionRow, locale: Locale): Region {
  return { region_code: code, name: name[locale], leaf: children.length === 0 };
}
