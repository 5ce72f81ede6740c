import type { Region } from "../../api/region.ts";

const peoples = "维吾尔|壮|回|藏|羌|彝|苗|侗|白|傣|布依|土家|哈尼|景颇|傈僳|朝鲜|蒙古|哈萨克|柯尔克孜";
/** 内蒙古 and 西藏 are whole names: before a people there are two letters at least. */
const selfGoverned = new RegExp(`(?<=..)(?:(?:${peoples})族?)+自治[区州县旗]$`);
const ending = /(特别行政区|自治[区州县旗]|地区|林区|[省市区县盟旗])$/;

/** 广东省 is also said 广东, 恩施土家族苗族自治州 also 恩施州 and 恩施. One letter is no name. */
function shortNames(name: string): string[] {
  const stem = name.replace(selfGoverned, "").replace(ending, "");
  const all = name.endsWith("自治州") ? [`${stem}州`, stem] : [stem];
  return all.filter((short) => short.length >= 2 && short !== name);
}

/** What shows that a short name was none: a street's (南京西路), or another place's (吉林市 is not 吉林省). */
const otherwise = /^([市县区州旗盟]|[东西南北中]?[一二三四五六七八九十]?(路|街|巷|弄|大街|大道|胡同|道(?![里外])))/;

/** The region whose name an address begins with, and what follows it; the longest name counts. */
export function beginsWith(
  address: string,
  regions: readonly Region[],
  fullOnly = false,
): { region: Region; rest: string } | null {
  let best: { region: Region; rest: string; length: number } | null = null;
  for (const region of regions) {
    const names = fullOnly ? [] : shortNames(region.name);
    for (const name of [region.name, ...names]) {
      if (!address.startsWith(name) || (best && best.length >= name.length)) continue;
      const rest = address.slice(name.length);
      if (name !== region.name && otherwise.test(rest)) continue;
      best = { region, rest: rest.replace(/^[\s,，、·/-]+/, ""), length: name.length };
    }
  }
  return best;
}

export interface FoundRegion {
  /** The deepest region that was recognised; "" for none. */
  region_code: string;
  leaf: boolean;
  /** The address without the regions' names. */
  detail: string;
}

type Children = (region_code: string) => Promise<readonly Region[]>;

/** Asks in groups, and stops at the first that knows: most addresses begin with a big place. */
async function search<Result>(codes: readonly string[], ask: (code: string) => Promise<Result | null>): Promise<Result | null> {
  for (let start = 0; start < codes.length; start += 6) {
    const answers = await Promise.all(codes.slice(start, start + 6).map(ask));
    const found = answers.find((one) => one !== null);
    if (found) return found;
  }
  return null;
}

/** Recognises the regions at the beginning of a Chinese address, also where the province or the city is left out or said twice. */
export async function findRegion(address: string, children: Children): Promise<FoundRegion> {
  const start = address.replace(/^中国[\s,，]*/, "");
  const provinces = await children("");
  const province = beginsWith(start, provinces);
  const below = province
    ? { ...province, rest: afterHeading(province.rest, province.region.name) }
    : await search(
        provinces.filter(({ leaf }) => !leaf).map(({ region_code }) => region_code),
        async (code) => {
          const { cities, others } = split(await children(code));
          return beginsWith(start, cities) ?? beginsWith(start, others, true);
        },
      );
  if (!below) return { region_code: "", leaf: false, detail: address };
  return descend(below, children);
}

/** Cities are known by their short names too. The districts of 北京 and others may be anywhere: there is a 朝阳区 in 长春. */
function split(regions: readonly Region[]): { cities: Region[]; others: Region[] } {
  return {
    cities: regions.filter(({ region_code }) => region_code.endsWith("00")),
    others: regions.filter(({ region_code, name }) => !region_code.endsWith("00") && name.endsWith("市")),
  };
}

/** 北京 北京市 朝阳区, 湖北省直辖县级行政区划: what shops put between. */
function afterHeading(rest: string, name: string): string {
  const again = name.replace(/[省市]$/, "");
  const heading = new RegExp(
    `^(?:${name}|${again}市|市辖区|[省市]?(?:自治区)?直辖县级行政区划|县(?=[\\s\\p{Script=Han}]{2,6}县))[\\s,，]*`,
    "u",
  );
  return rest.replace(heading, "").replace(heading, "");
}

async function descend({ region, rest }: { region: Region; rest: string }, children: Children): Promise<FoundRegion> {
  if (region.leaf) return { region_code: region.region_code, leaf: true, detail: rest };
  const options = await children(region.region_code);
  const clean = afterHeading(rest, region.name);
  const next =
    beginsWith(clean, options) ??
    // A county-level city is often named without the city it belongs to: 江苏省昆山市.
    (await search(
      options.filter(({ leaf }) => !leaf).map(({ region_code }) => region_code),
      async (code) => beginsWith(clean, await children(code), true),
    ));
  if (!next) return { region_code: region.region_code, leaf: false, detail: rest };
  return descend(next, children);
}
