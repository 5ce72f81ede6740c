import { findRegion } from "./find-region.ts";
import { parseAddress } from "./parse-address.ts";
import { getRegion } from "./region.ts";

export interface FilledFields {
  name?: string;
  mobile?: string;
  region_code?: string;
  detail?: string;
}

const chinese = async (region_code: string) => (await getRegion(region_code, "zh-CN")).children;

/** The fields that a pasted text fills, and whether its region was recognised down to the last level. Without an answer the whole address is left to read. */
export async function fillFrom(pasted: string): Promise<{ fields: FilledFields; isWhole: boolean }> {
  const { name, mobile, address } = parseAddress(pasted);
  const place = await findRegion(address, chinese).catch(() => ({ region_code: "", leaf: false, detail: address }));
  const fields: FilledFields = {};
  if (name) fields.name = name;
  if (mobile) fields.mobile = mobile;
  if (place.region_code) fields.region_code = place.region_code;
  if (place.detail) fields.detail = place.detail;
  return { fields, isWhole: place.leaf };
}
