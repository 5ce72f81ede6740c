import { takeApart } from "./pasted.ts";
import { findPlace } from "./place.ts";
import { regionOf } from "./region.ts";

export interface Filled {
  name?: string;
  mobile?: string;
  region_code?: string;
  detail?: string;
}

const chinese = async (region_code: string) => (await regionOf(region_code, "zh-CN")).children;

/** The fields that a pasted text fills, and whether its region was recognised down to the last level. Without an answer the whole address is left to read. */
export async function fillFrom(pasted: string): Promise<{ fields: Filled; isWhole: boolean }> {
  const { name, mobile, address } = takeApart(pasted);
  const place = await findPlace(address, chinese).catch(() => ({ region_code: "", leaf: false, detail: address }));
  const fields: Filled = {};
  if (name) fields.name = name;
  if (mobile) fields.mobile = mobile;
  if (place.region_code) fields.region_code = place.region_code;
  if (place.detail) fields.detail = place.detail;
  return { fields, isWhole: place.leaf };
}
