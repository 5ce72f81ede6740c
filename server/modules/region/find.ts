import { getCurrentCode, getRegionNames, regionTable } from "./table.ts";

/** Finds the regions of the last level that are offered and that a code names, or a Chinese name or the end of it: 310104, 上海市徐汇区, 徐汇区. */
export function findRegions(text: string): { code: string; name: string }[] {
  const region = text.replace(/\s/g, "");
  return [...regionTable.keys()].flatMap((code) => {
    if (getCurrentCode(code) !== code) return [];
    const { province, city, district } = getRegionNames(code);
    const name = [province, city, district].map((level) => level["zh-CN"]).join("");
    return code === region || name.endsWith(region) ? [{ code, name }] : [];
  });
}
