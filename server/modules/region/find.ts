import { getRegionNames, regionTable } from "./routes.ts";

/** Finds the regions of the last level that a code names, or a Chinese name or the end of it: 310104, 上海市徐汇区, 徐汇区. */
export function findRegions(text: string): { code: string; name: string }[] {
  const region = text.replace(/\s/g, "");
  return [...regionTable.keys()].flatMap((code) => {
    const names = getRegionNames(code);
    const name = names && [names.province, names.city, names.district].map((level) => level["zh-CN"]).join("");
    return name && (code === region || name.endsWith(region)) ? [{ code, name }] : [];
  });
}
