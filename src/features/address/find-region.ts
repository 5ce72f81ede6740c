import type { Region } from "../../api/region.ts";

const ethnicGroups = "维吾尔|壮|回|藏|羌|彝|苗|侗|白|傣|布依|土家|哈尼|景颇|傈僳|朝鲜|蒙古|哈萨克|柯尔克孜";
/** Requires two characters before the ethnic group: 内蒙古 and 西藏 are names of their own. */
const autonomous = new RegExp(`(?<=..)(?:(?:${ethnicGroups})族?)+自治[区州县旗]$`);
const suffix = /(特别行政区|自治[区州县旗]|地区|林区|[省市区县盟旗])$/;

/** Returns the short names of a region: 广东 of 广东省, 恩施州 and 恩施 of 恩施土家族苗族自治州. One character is no name. */
function getShortNames(name: string): string[] {
  const stem = name.replace(autonomous, "").replace(suffix, "");
  const all = name.endsWith("自治州") ? [`${stem}州`, stem] : [stem];
  return all.filter((short) => short.length >= 2 && short !== name);
}

/** Matches what follows a short name that belongs to a street (南京西路) or to another region (吉林市 is not 吉林省). */
const notARegion = /^([市县区州旗盟]|[东西南北中]?[一二三四五六七八九十]?(路|街|巷|弄|大街|大道|胡同|道(?![里外])))/;

/** Returns the region with the longest name at the start of an address, and the text after it. `fullOnly` ignores short names. */
function matchRegion(address: string, regions: readonly Region[], fullOnly = false): { region: Region; rest: string } | null {
  let best: { region: Region; rest: string; length: number } | null = null;
  for (const region of regions) {
    const names = fullOnly ? [] : getShortNames(region.name);
    for (const name of [region.name, ...names]) {
      if (!address.startsWith(name) || (best && best.length >= name.length)) continue;
      const rest = address.slice(name.length);
      if (name !== region.name && notARegion.test(rest)) continue;
      best = { region, rest: rest.replace(/^[\s,，、·/-]+/, ""), length: name.length };
    }
  }
  return best;
}

export interface RegionMatch {
  /** Code of the deepest recognised region; "" for none. */
  region_code: string;
  leaf: boolean;
  /** The address without the names of its regions. */
  detail: string;
}

type Children = (region_code: string) => Promise<readonly Region[]>;

/** Runs `match` for six codes at a time and stops at the first result: most addresses begin with a large region. */
async function searchRegions<Result>(
  codes: readonly string[],
  match: (code: string) => Promise<Result | null>,
): Promise<Result | null> {
  for (let start = 0; start < codes.length; start += 6) {
    const results = await Promise.all(codes.slice(start, start + 6).map(match));
    const first = results.find((result) => result !== null);
    if (first) return first;
  }
  return null;
}

/** Recognises the regions at the start of a Chinese address, also with a missing or repeated province or city. */
export async function findRegion(address: string, children: Children): Promise<RegionMatch> {
  const start = address.replace(/^中国[\s,，]*/, "");
  const provinces = await children("");
  const province = matchRegion(start, provinces);
  const below = province
    ? { ...province, rest: stripHeading(province.rest, province.region.name) }
    : await searchRegions(
        provinces.filter(({ leaf }) => !leaf).map(({ region_code }) => region_code),
        async (code) => {
          const { cities, others } = split(await children(code));
          return matchRegion(start, cities) ?? matchRegion(start, others, true);
        },
      );
  if (!below) return { region_code: "", leaf: false, detail: address };
  return matchDeepest(below, children);
}

/** Separates cities, which short names identify too, from county-level cities. Districts are left out: 北京 and 长春 both have a 朝阳区. */
function split(regions: readonly Region[]): { cities: Region[]; others: Region[] } {
  return {
    cities: regions.filter(({ region_code }) => region_code.endsWith("00")),
    others: regions.filter(({ region_code, name }) => !region_code.endsWith("00") && name.endsWith("市")),
  };
}

/** Removes what shops insert between regions: 北京 北京市 朝阳区, 湖北省直辖县级行政区划. */
function stripHeading(rest: string, name: string): string {
  const stem = name.replace(/[省市]$/, "");
  const heading = new RegExp(
    `^(?:${name}|${stem}市|市辖区|[省市]?(?:自治区)?直辖县级行政区划|县(?=[\\s\\p{Script=Han}]{2,6}县))[\\s,，]*`,
    "u",
  );
  return rest.replace(heading, "").replace(heading, "");
}

async function matchDeepest({ region, rest }: { region: Region; rest: string }, children: Children): Promise<RegionMatch> {
  if (region.leaf) return { region_code: region.region_code, leaf: true, detail: rest };
  const options = await children(region.region_code);
  const clean = stripHeading(rest, region.name);
  const next =
    matchRegion(clean, options) ??
    // A county-level city often stands without its prefecture: 江苏省昆山市.
    (await searchRegions(
      options.filter(({ leaf }) => !leaf).map(({ region_code }) => region_code),
      async (code) => matchRegion(clean, await children(code), true),
    ));
  if (!next) return { region_code: region.region_code, leaf: false, detail: rest };
  return matchDeepest(next, children);
}
