import type { Region } from "#src/api/address.ts";
import { matchName, type NameMatch, skipGap, stripHeading } from "./region-name.ts";

export interface RegionSource {
  /** Returns the regions below a code; "" is the country. Rejects for an unknown code. */
  children: (region_code: string) => Promise<readonly Region[]>;
  /** Returns a region by its code. Rejects for an unknown code. */
  region: (region_code: string) => Promise<Region | null>;
  /** Codes of the cities of county rank, by their full names. */
  cities: ReadonlyMap<string, string>;
}

export interface FoundRegion {
  /** Code of the deepest recognised region; "" for none. */
  region_code: string;
  leaf: boolean;
  /** Where the names of its regions begin and end in the text. */
  start: number;
  end: number;
}

type Match = NameMatch<Region>;

const startsAfter = /[\s,，;；、。|/:：()（）【】[\]"“”>]/;
/** Places in a text that are tried. */
const maxStarts = 12;

/** Returns the places where an address may begin: at the start, after a separator, and at the full name of a province. */
function findStarts(text: string, provinces: readonly Region[]): number[] {
  const starts = new Set([0]);
  for (let index = 1; index < text.length; index += 1) if (startsAfter.test(text.charAt(index - 1))) starts.add(index);
  for (const { name } of provinces) if (text.includes(name)) starts.add(text.indexOf(name));
  return [...starts].filter((start) => skipGap(text.slice(start)).length === text.length - start).slice(0, maxStarts);
}

/** Recognises the regions of a Chinese address, also with a missing, short or repeated province or city, and with other text before them. */
export async function findRegion(text: string, source: RegionSource): Promise<FoundRegion> {
  const provinces = await source.children("");
  let best: FoundRegion = { region_code: "", leaf: false, start: 0, end: 0 };
  for (const start of findStarts(text, provinces)) {
    const match = await findAt(text.slice(start), provinces, source);
    if (!match) continue;
    const found = {
      region_code: match.region.region_code,
      leaf: match.region.leaf,
      start,
      end: text.length - match.rest.length,
    };
    const isBetter = found.leaf === best.leaf ? found.end - found.start > best.end - best.start : found.leaf;
    if (isBetter) best = found;
  }
  return best;
}

async function findAt(text: string, provinces: readonly Region[], source: RegionSource): Promise<Match | null> {
  const start = text.replace(/^中国[\s,，]*|^(?=第?[一二三四五六七八九十]+师)/, "");
  const top = matchName(start, provinces) ?? (await matchCity(start, provinces, source)) ?? (await matchCounty(start, source));
  if (!top) return null;
  const match = await descend(top, source);
  // Shops print the regions twice: in a field of their own, and in the address.
  const again = skipGap(match.rest);
  if (!match.region.leaf || !matchName(again, provinces, () => true)) return match;
  const repeated = await findAt(again, provinces, source);
  return repeated?.region.region_code === match.region.region_code ? repeated : match;
}

/** Cities without their province. Districts are left out: 北京 and 长春 both have a 朝阳区. */
async function matchCity(text: string, provinces: readonly Region[], { children }: RegionSource): Promise<Match | null> {
  const lists = await Promise.all(provinces.filter(({ leaf }) => !leaf).map(({ region_code }) => children(region_code)));
  return matchName(
    text,
    lists.flat().filter(({ region_code }) => region_code.endsWith("00")),
  );
}

/** Cities of county rank without their province, by their full names. */
async function matchCounty(text: string, { cities, region }: RegionSource): Promise<Match | null> {
  const name = /^\p{Script=Han}{2,7}?市/u.exec(text)?.[0] ?? "";
  const code = cities.get(name);
  const found = code ? await region(code).catch(() => null) : null;
  return found ? { region: found, rest: text.slice(name.length) } : null;
}

/** Follows the names to the deepest region. */
async function descend({ region, rest }: Match, source: RegionSource): Promise<Match> {
  if (region.leaf) return { region, rest };
  const options = await source.children(region.region_code);
  const clean = stripHeading(rest, region.name);
  const next =
    matchName(clean, options) ??
    (await matchBelow(clean, options, source)) ??
    // A prefecture by a name that it no longer has, or an abbreviation: 新疆巴州库尔勒市.
    (await matchBelow(clean.replace(/^\p{Script=Han}{1,4}?(?:[市州盟]|地区)[\s,，]*/u, ""), options, source));
  return next ? descend(next, source) : { region, rest };
}

/** A county without its prefecture, if only one has that name: 江苏省昆山市, but not 江苏省鼓楼区. */
async function matchBelow(text: string, options: readonly Region[], { children }: RegionSource): Promise<Match | null> {
  const above = options.filter(({ leaf }) => !leaf).map(({ region_code }) => region_code);
  const lists = await Promise.all(above.map(children));
  const matches = lists
    .map((list) => matchName(text, list, ({ name }) => !name.endsWith("市")))
    .filter((match) => match !== null);
  const [first] = matches;
  return matches.length === 1 && first ? first : null;
}
