import { type FoundRegion, findRegion, type RegionSource } from "./find-region.ts";
import { join, parseAddress } from "./parse-address.ts";
import { getRegion } from "./region.ts";

/** The fields that a pasted address fills. */
export const filledFields = ["name", "mobile", "region_code", "detail"] as const;
export type FilledFields = Partial<Record<(typeof filledFields)[number], string>>;

export interface PasteResult {
  fields: FilledFields;
  /** What was not recognised, or not for certain: the region down to its last level, one number among several. */
  unsure: (typeof filledFields)[number][];
}

/** Loads the traditional characters and county-level cities of the list of regions; both are empty without a connection. */
const loadRegionData = () => import("virtual:region-data").catch(() => ({ traditional: "", cities: "" }));

/** Converts a pasted text to form fields. Without a response of the server `detail` holds the whole address. */
export async function toFields(pasted: string): Promise<PasteResult> {
  const { traditional, cities } = await loadRegionData();
  const characters = new Map(Array.from(traditional.matchAll(/(.)(.)/g), ([, from = "", to = ""]) => [from, to]));
  const simplify = (text: string) => text.replace(/\p{Script=Han}/gu, (sign) => characters.get(sign) ?? sign);
  const { name, mobile, extension, address, mobiles } = parseAddress(pasted, simplify);
  const source: RegionSource = {
    children: async (region_code) => (await getRegion(region_code, "zh-CN")).children,
    region: async (region_code) => (await getRegion(region_code, "zh-CN")).region,
    cities: new Map(Array.from(cities.matchAll(/(\D+)(\d{6})/g), ([, city = "", code = ""]) => [city, code])),
  };
  const none: FoundRegion = { region_code: "", leaf: false, start: 0, end: 0 };
  const { region_code, leaf, start, end } = await findRegion(simplify(address), source).catch(() => none);
  const plain = extension ? address.replace(new RegExp(`\\s*[[【(（]${extension}[\\]】)）]$`), "") : address;
  const detail = join(plain.slice(end), plain.slice(0, start), extension && `转${extension}`);
  const found = { name, mobile, region_code, detail };
  return {
    fields: Object.fromEntries(Object.entries(found).filter(([, value]) => value)),
    unsure: filledFields.filter(
      (field) => !found[field] || (field === "region_code" && !leaf) || (field === "mobile" && mobiles > 1),
    ),
  };
}
