import { findRegion } from "./find-region.ts";
import { parseAddress } from "./parse-address.ts";
import { getRegion } from "./region.ts";

export interface FilledFields {
  name?: string;
  mobile?: string;
  region_code?: string;
  detail?: string;
}

const getChildren = async (region_code: string) => (await getRegion(region_code, "zh-CN")).children;

/** Converts a pasted text to form fields. `isWhole`: its region was recognised down to the last level. Without a response of the server `detail` holds the whole address. */
export async function toFields(pasted: string): Promise<{ fields: FilledFields; isWhole: boolean }> {
  const { name, mobile, address } = parseAddress(pasted);
  const region = await findRegion(address, getChildren).catch(() => ({ region_code: "", leaf: false, detail: address }));
  const fields: FilledFields = {};
  if (name) fields.name = name;
  if (mobile) fields.mobile = mobile;
  if (region.region_code) fields.region_code = region.region_code;
  if (region.detail) fields.detail = region.detail;
  return { fields, isWhole: region.leaf };
}
