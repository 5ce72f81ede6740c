import { contract } from "../../src/api/contract.ts";
import type { Group } from "./context.ts";
import { assert, assertEqual } from "./outcome.ts";

const han = /\p{Script=Han}/u;

export const language: Group = {
  name: "language",
  checks: [
    [
      "msg is in the requested language",
      async ({ client }) => {
        for (const call of [contract.userInfo, contract.goodsInfo, contract.goodsLists]) {
          const zh = await client.call(call, {}, { locale: "zh-CN" });
          const en = await client.call(call, {}, { locale: "en-US" });
          assert(han.test(zh.envelope?.msg ?? ""), `${call.path} has the msg "${zh.envelope?.msg}" in Chinese`);
          assert(!han.test(en.envelope?.msg ?? "汉"), `${call.path} has the msg "${en.envelope?.msg}" in English`);
        }
      },
    ],
    [
      "an unknown language returns English",
      async ({ client }) => {
        const en = await client.call(contract.userInfo, {}, { locale: "en-US" });
        const other = await client.call(contract.userInfo, {}, { locale: "fr" });
        assertEqual(other.envelope?.msg, en.envelope?.msg, "msg for fr");
      },
    ],
    [
      "texts of the server are in the requested language, all other data is equal",
      async ({ client }) => {
        const zh = await client.data(contract.goodsLists, undefined, { locale: "zh-CN" });
        const en = await client.data(contract.goodsLists, undefined, { locale: "en-US" });
        const facts = (data: typeof zh) => data.list.map(({ goods_uid, price_fen }) => [goods_uid, price_fen]);
        assertEqual(facts(zh), facts(en), "the list of goods in Chinese");
        assert(
          zh.list.some(({ title }, n) => title !== en.list[n]?.title),
          "no title of goods differs between the languages",
        );
      },
    ],
    [
      "no response repeats the payload",
      async ({ client }) => {
        for (const call of [
          contract.sendCode,
          contract.goodsInfo,
          contract.packageInfo,
          contract.regionInfo,
          contract.getPlan,
        ]) {
          const marked = { username: "<mark>", goods_uid: "<mark>", uid: "<mark>", region_code: "<mark>", id: "<mark>" };
          const { text } = await client.call(call, marked);
          assert(!text.includes("mark"), `${call.path} repeats its payload`);
        }
      },
    ],
  ],
};
