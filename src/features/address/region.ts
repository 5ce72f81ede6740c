import { atom, type ReadableAtom } from "nanostores";
import type { DataOf } from "../../api/call.ts";
import { send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { type Region, regionInfo } from "../../api/region.ts";

type Info = DataOf<typeof regionInfo>;

const known = new Map<string, Promise<Info>>();

/** A region with what lies in it; "" is the whole country. Asked once. `locale` where it is not the page's. */
export function getRegion(region_code: string, locale?: string): Promise<Info> {
  const key = `${locale ?? ""} ${region_code}`;
  const found = known.get(key) ?? send(regionInfo, { region_code }, locale ? { locale } : {});
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

export interface Level {
  options: Region[];
  /** A code among them, or "". */
  chosen: string;
}

/** The lists to choose from down to a region and, unless it is the last, below it. An unknown code begins anew. */
export async function getLevels(region_code: string): Promise<Level[]> {
  const { region, parents, children } = await getRegion(region_code).catch((caught) => {
    if (caught instanceof ApiError && caught.code === codes.notFound) return getRegion("");
    throw caught;
  });
  const way = region ? [...parents, region] : [];
  const above = await Promise.all(way.map((_, depth) => getRegion(way[depth - 1]?.region_code ?? "")));
  const levels = above.map((one, depth) => ({ options: one.children, chosen: way[depth]?.region_code ?? "" }));
  return children.length > 0 ? [...levels, { options: children, chosen: "" }] : levels;
}

export interface Levels {
  state: "loading" | "ready" | "failed";
  levels: Level[];
}

/** The same lists with a region of theirs chosen, and nothing below it yet. */
export function choosing(levels: Level[], region_code: string): Level[] {
  const depth = levels.findIndex(({ options }) => options.some((one) => one.region_code === region_code));
  if (depth < 0) return levels;
  return levels.slice(0, depth + 1).map((level, place) => (place === depth ? { ...level, chosen: region_code } : level));
}

/** What a place to choose a region shows: what is chosen at once, what lies below when it is here. */
export function levelStore(): { $levels: ReadableAtom<Levels>; show: (region_code: string) => Promise<void> } {
  const $levels = atom<Levels>({ state: "loading", levels: [] });
  let latest = 0;
  return {
    $levels,
    async show(region_code) {
      latest += 1;
      const mine = latest;
      const before = choosing($levels.get().levels, region_code);
      $levels.set({ state: "loading", levels: before });
      const next: Levels = await getLevels(region_code).then(
        (levels) => ({ state: "ready", levels }),
        () => ({ state: "failed", levels: before }),
      );
      if (mine === latest) $levels.set(next);
    },
  };
}
