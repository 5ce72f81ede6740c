// Vite plugin of `virtual:region-data`: the traditional-to-simplified characters and county-level cities of the address parser.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Converter } from "opencc-js/t2cn";
import type { Plugin } from "vite";

const id = "virtual:region-data";
const file = join(import.meta.dirname, "../../server/modules/region/region.tsv");

/** The range of converted Han characters: all are of the basic plane, so that a converted text keeps its length. */
const [firstHan, lastHan] = [0x3400, 0x9fff];

export function regionData(): Plugin {
  return {
    name: "region-data",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null;
      this.addWatchFile(file);
      const rows = readFileSync(file, "utf8")
        .split(/\r?\n/)
        .map((line) => line.split("\t"));
      const names = rows.map(([, name = ""]) => name);
      const cities = rows.filter(([code = "", name]) => !code.endsWith("00") && name?.endsWith("市"));
      return [
        `export const traditional = ${JSON.stringify(toTraditional(new Set(names.join(""))))};`,
        `export const cities = ${JSON.stringify(cities.map(([code, name]) => `${name}${code}`).join(""))};`,
      ].join("\n");
    },
  };
}

/** Returns a string of pairs, traditional then simplified, for the characters of region names, by OpenCC's standard, Hong Kong and Taiwan tables. */
function toTraditional(simplified: ReadonlySet<string>): string {
  const pairs = new Map<string, string>();
  for (const from of ["t", "hk", "tw"] as const) {
    const convert = Converter({ from, to: "cn" });
    for (let code = firstHan; code <= lastHan; code += 1) {
      const character = String.fromCharCode(code);
      const converted = convert(character);
      if (!simplified.has(character) && simplified.has(converted)) pairs.set(character, converted);
    }
  }
  return [...pairs].flat().join("");
}
