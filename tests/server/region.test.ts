import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRegions, regionTable } from "#server/modules/region/table.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { engines } from "#tests/support/database/database.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import { root } from "#tests/support/rules/sources.ts";

const [engine = "PGlite"] = engines;
const server = await createTestServer(engine);
const { call, send } = client(server);
const region = (region_code: string, locale?: string) => call(contract.regionInfo, { region_code }, { locale });

const lines = readFileSync(join(root, "server/modules/region/region.tsv"), "utf8").trimEnd().split(/\r?\n/);
const rows = [...regionTable.values()].filter(({ code }) => code !== "");
const gone = rows.filter(({ successors }) => successors.length > 0);
const offered = new Set([...regionTable.values()].flatMap(({ children }) => children));
const getName = (code: string) => regionTable.get(code)?.name["zh-CN"] ?? "";

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

  it("return 10003 for an unknown code and 10002 for an invalid one", async () => {
    for (const code of ["000000", "990000", "110199", "44", "440305001", "123456789012"]) {
      expect(await send(contract.regionInfo, { region_code: code })).toMatchObject({ status: 200, code: 10003, data: null });
    }
    for (const code of ["x", "44030a", "1".repeat(13), 440300, null, undefined])
      expect((await send(contract.regionInfo, { region_code: code })).code).toBe(10002);
  });

  it("list each name once under its parent", () => {
    for (const { children } of regionTable.values()) {
      const names = children.map(getName);
      expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
    }
  });

  it("lead each code that went to successors that are offered, and offer no code below one that is not", () => {
    expect(gone).not.toEqual([]);
    for (const { code, successors } of gone) {
      const wrong = successors.filter((successor) => !offered.has(successor));
      expect({ code, wrong, isOffered: offered.has(code) }).toEqual({ code, wrong: [], isOffered: false });
    }
    const orphans = rows.filter(({ code, parent }) => offered.has(code) && parent !== "" && !offered.has(parent));
    expect(orphans).toEqual([]);
  });

  it("have three levels: districts are below cities, but in municipalities, in Hong Kong and Macao, and where a province has them itself", () => {
    const isDistrict = (code: string) => !code.endsWith("00");
    for (const { code, parent, children } of rows.filter(({ code }) => offered.has(code))) {
      expect({ code, parent: code.endsWith("0000") ? parent === "" : parent.slice(0, 2) === code.slice(0, 2) }).toEqual({
        code,
        parent: true,
      });
      if (isDistrict(code)) expect({ code, children }).toEqual({ code, children: [] });
      else
        expect({ code, below: children.filter((child) => code.endsWith("0000") || isDistrict(child)) }).toEqual({
          code,
          below: children,
        });
    }
    const direct = rows.filter(({ code, parent }) => isDistrict(code) && parent.endsWith("0000")).map(({ code }) => code);
    expect(direct.filter((code) => !/^(11|12|31|50|81|82|\d\d90)/.test(code))).toEqual([]);
    const citiesWithoutDistricts = rows.filter(({ code, children }) => /[^0]00$|[^0]000$/.test(code) && !children.length);
    expect(citiesWithoutDistricts.map(({ code }) => code)).toEqual(["441900", "442000", "460400", "620200"]);
  });

  it("have a name in both languages and a date where there are successors, and no zones or headings of lists", () => {
    const [head, body] = [lines.filter((line) => line.startsWith("#")), lines.filter((line) => !line.startsWith("#"))];
    expect(head.join(" ")).toMatch(/until 20\d\d-\d\d-\d\d/);
    const row = /^\d{6}\t\p{Script=Han}+\t[A-ZÀ-Ý][A-Za-zÀ-ÿ' ()-]+(\t20\d\d-\d\d-\d\d(\t\d{6}( \d{6})*)?)?$/u;
    expect(body.filter((line) => !row.test(line))).toEqual([]);
    const codes = body.map((line) => line.slice(0, 6));
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(rows.filter(({ code }) => /7[1-9]$/.test(code) || /市辖区|直辖/.test(getName(code)))).toEqual([]);
  });

  // By the announcements of the ministry and the provinces from 2020 to 2026.
  it.each([
    ["330100", "临平区 钱塘区 拱墅区 上城区", "下城区 江干区"],
    ["350400", "三元区 沙县区", "梅列区 沙县"],
    ["350600", "龙海区 长泰区", "龙海市 长泰县"],
    ["410300", "偃师区 孟津区", "偃师市 孟津县 吉利区"],
    ["431100", "祁阳市", "祁阳县"],
    ["450100", "横州市", "横县"],
    ["460300", "西沙区 南沙区", "西沙群岛 南沙群岛 中沙群岛的岛礁及其海域"],
    ["500000", "两江新区 北碚区", "江北区 渝北区"],
    ["513400", "会理市", "会理县"],
    ["520500", "黔西市", "黔西县"],
    ["532300", "禄丰市", "禄丰县"],
    ["540400", "米林市", "米林县"],
    ["540500", "错那市", "错那县"],
    ["610300", "凤翔区", "凤翔县"],
    ["610900", "旬阳市", "旬阳县"],
    ["650000", "新星市 白杨市 草湖市 胡杨河市", ""],
    ["653100", "岑岭县 叶城县", ""],
    ["653200", "和康县 和安县 皮山县 和田县", ""],
    ["654200", "沙湾市", "沙湾县"],
    ["232700", "加格达奇区 漠河市", ""],
    ["632800", "茫崖市 大柴旦行政委员会", "冷湖行政委员会"],
    ["320600", "崇川区 海门区", "港闸区 海门市"],
    ["370600", "蓬莱区", "长岛县 蓬莱市"],
    ["370100", "莱芜区 钢城区", ""],
    ["370000", "济南市", "莱芜市"],
    ["540600", "色尼区 双湖县", "那曲县"],
    ["330300", "龙港市 苍南县", ""],
  ])("offer what is below %s today: %s, and not %s", async (code, present, absent) => {
    const names = (await region(code, "zh-CN")).children.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(present.split(" ")));
    expect(names.filter((name) => absent.split(" ").includes(name))).toEqual([]);
  });

  it("have the 18 districts of Hong Kong, the parishes of Macao with Cotai, and Taiwan as a whole", async () => {
    const count = async (code: string) => (await region(code)).children.length;
    expect([await count("810000"), await count("820000"), await count("710000")]).toEqual([18, 8, 0]);
  });

  it("name a code that went, with its parents and without a place in their lists", async () => {
    const { region: yubei, parents } = await region("500112", "zh-CN");
    expect(yubei).toEqual({ region_code: "500112", name: "渝北区", leaf: true });
    expect(parents.map(({ name }) => name)).toEqual(["重庆市"]);
  });

  it("are read alike from a file with Windows line ends", () => {
    expect(parseRegions(lines.join("\r\n"))).toEqual(regionTable);
  });
});
