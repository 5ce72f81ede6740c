import type { Locale } from "#i18n/locale.ts";
import { publicRoute, type Route } from "#server/http/route.ts";
import { ApiError } from "#server/lib/errors.ts";
import type { Region } from "#src/api/address.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { getPath, type RegionRow, regionTable } from "./table.ts";

export function regionRoutes(): Route[] {
  return [
    publicRoute(contract.regionInfo, async ({ region_code }, { locale }) => {
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

function toRegion({ code, name, children }: RegionRow, locale: Locale): Region {
  return { region_code: code, name: name[locale], leaf: children.length === 0 };
}
