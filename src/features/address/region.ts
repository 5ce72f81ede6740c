import { atom, type ReadableAtom } from "nanostores";
import { type Region, regionInfo } from "#src/api/address.ts";
import type { DataOf } from "#src/api/call.ts";
import { send } from "#src/api/client.ts";
import { ApiError, codes } from "#src/api/envelope.ts";

type RegionInfo = DataOf<typeof regionInfo>;

const cache = new Map<string, Promise<RegionInfo>>();

/** Loads a region with its children, once; "" is the whole country. `locale` where it is not the page's. */
export function getRegion(region_code: string, locale?: string): Promise<RegionInfo> {
  const key = `${locale ?? ""} ${region_code}`;
  const info = cache.get(key) ?? send(regionInfo, { region_code }, locale ? { locale } : {});
  cache.set(key, info);
  info.catch(() => cache.delete(key));
  return info;
}

export interface RegionLevel {
  options: Region[];
  /** Code of one of `options`, or "". */
  chosen: string;
}

/** Loads the levels down to a region and, unless it is a leaf, the one below. An unknown code gives the provinces, one that went its level without a choice. */
export async function getLevels(region_code: string): Promise<RegionLevel[]> {
  const { region, parents, children } = await getRegion(region_code).catch((error) => {
    if (error instanceof ApiError && error.code === codes.notFound) return getRegion("");
    throw error;
  });
  const path = region ? [...parents, region] : [];
  const infos = await Promise.all(path.map((_, depth) => getRegion(path[depth - 1]?.region_code ?? "")));
  const levels = infos.map(({ children }, depth) => {
    const code = path[depth]?.region_code;
    return { options: children, chosen: children.some(({ region_code }) => region_code === code) && code ? code : "" };
  });
  return children.length > 0 ? [...levels, { options: children, chosen: "" }] : levels;
}

export interface RegionLevels {
  state: "loading" | "ready" | "failed";
  levels: RegionLevel[];
}

/** Returns the levels with a region of theirs chosen, cut below it. */
function withChosen(levels: RegionLevel[], region_code: string): RegionLevel[] {
  const depth = levels.findIndex(({ options }) => options.some((option) => option.region_code === region_code));
  if (depth < 0) return levels;
  return levels.slice(0, depth + 1).map((level, index) => (index === depth ? { ...level, chosen: region_code } : level));
}

/** Creates the store of a region choice. `show` applies the choice at once and adds the level below when it has loaded. */
export function regionLevelStore(): { $levels: ReadableAtom<RegionLevels>; show: (region_code: string) => Promise<void> } {
  const $levels = atom<RegionLevels>({ state: "loading", levels: [] });
  let latest = 0;
  return {
    $levels,
    async show(region_code) {
      latest += 1;
      const request = latest;
      const before = withChosen($levels.get().levels, region_code);
      $levels.set({ state: "loading", levels: before });
      const next: RegionLevels = await getLevels(region_code).then(
        (levels) => ({ state: "ready", levels }),
        () => ({ state: "failed", levels: before }),
      );
      if (request === latest) $levels.set(next);
    },
  };
}
