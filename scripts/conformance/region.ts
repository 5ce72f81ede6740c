import type { Region } from "../../src/api/address.ts";
import { contract } from "../../src/api/contract.ts";
import { assert, assertEqual, CheckSkipped, type Client } from "./client.ts";
import { type Group, getToken, missing } from "./context.ts";

const assertUnique = (names: string[], label: string) =>
  assert(new Set(names).size === names.length, `${label} are not unique`);

export const catalogue: Group = {
  name: "catalogue",
  checks: [
    [
      "goods/allLists and goods/info return the same items",
      async ({ client }) => {
        const { list } = await client.data(contract.goodsLists);
        assertUnique(
          list.map(({ goods_uid }) => goods_uid),
          "goods_uid",
        );
        for (const item of list) {
          const { info } = await client.data(contract.goodsInfo, { goods_uid: item.goods_uid });
          assertEqual(info, item, `goods/info of ${item.goods_uid}`);
        }
      },
    ],
    [
      "price_fen is the price of the cheapest variant, and variants have a value for each spec",
      async ({ client }) => {
        for (const { goods_uid, price_fen, skus, specs } of (await client.data(contract.goodsLists)).list) {
          assert(skus.length > 0, `${goods_uid} has no variant`);
          assertUnique(
            skus.map(({ sku_uid }) => sku_uid),
            `variants of ${goods_uid}`,
          );
          assertEqual(price_fen, Math.min(...skus.map(({ pay_fen }) => pay_fen)), `price_fen of ${goods_uid}`);
          for (const { values } of skus) {
            assert(
              values.length === specs.length && values.every((value, n) => specs[n]?.values.includes(value)),
              `a variant of ${goods_uid} has values that its specs lack`,
            );
          }
          assert(
            skus.every(({ stock }) => stock >= 0),
            `a variant of ${goods_uid} has a negative stock`,
          );
        }
      },
    ],
    [
      "memberPackage/lists and memberPackage/info return the same packages, without a preview for a visitor",
      async ({ client }) => {
        const { list } = await client.data(contract.packageLists);
        assertUnique(
          list.map(({ uid }) => uid),
          "uid of packages",
        );
        for (const info of list)
          assertEqual(
            await client.data(contract.packageInfo, { uid: info.uid }),
            { info, preview: null },
            `memberPackage/info of ${info.uid}`,
          );
      },
    ],
    [
      "a member receives the preview of each package",
      async (context) => {
        const token = getToken(context);
        const current = context.member?.info.membership ?? null;
        for (const { uid, level } of (await context.client.data(contract.packageLists)).list) {
          const { preview } = await context.client.data(contract.packageInfo, { uid }, { token });
          assertEqual(preview?.current_expires_at ?? null, current?.expires_at ?? null, `current_expires_at of ${uid}`);
          const lower = current !== null && level < current.level;
          assert(
            preview !== null && (preview.new_expires_at === null) === lower,
            `the preview of ${uid} is ${JSON.stringify(preview)}`,
          );
        }
      },
    ],
    [
      "unknown goods and packages return 10003",
      async ({ client }) => {
        await client.expectError("notFound", contract.goodsInfo, { goods_uid: missing.uid });
        await client.expectError("notFound", contract.packageInfo, { uid: missing.uid });
      },
    ],
  ],
};

/** Returns the regions from a province down to a leaf, taking the first child of each level. */
async function fetchPathToLeaf(client: Client, from: Region): Promise<Region[]> {
  const { region, parents, children } = await client.data(contract.regionInfo, { region_code: from.region_code });
  assertEqual(region, from, `the region of ${from.region_code}`);
  assert(
    from.leaf === (children.length === 0),
    `leaf of ${from.region_code} is ${from.leaf}, with ${children.length} children`,
  );
  const [first] = children;
  if (!first) return [from];
  const firstInfo = await client.data(contract.regionInfo, { region_code: first.region_code });
  assertEqual(firstInfo.parents, [...parents, from], `the parents of ${first.region_code}`);
  return [from, ...(await fetchPathToLeaf(client, first))];
}

export const region: Group = {
  name: "regions",
  checks: [
    [
      "an empty code returns the 34 provinces",
      async ({ client }) => {
        const { region, parents, children } = await client.data(contract.regionInfo, { region_code: "" });
        assertEqual({ region, parents, count: children.length }, { region: null, parents: [], count: 34 }, "the response");
        assert(new Set(children.map(({ region_code }) => region_code)).size === 34, "two provinces have one code");
      },
    ],
    [
      "each level returns its children, down to a leaf",
      async ({ client }) => {
        const { children } = await client.data(contract.regionInfo, { region_code: "" });
        for (const province of children.slice(0, 4)) {
          const path = await fetchPathToLeaf(client, province);
          assert(path.at(-1)?.leaf === true, `the path below ${province.region_code} ends without a leaf`);
        }
      },
    ],
    [
      "an unknown code returns 10003",
      async ({ client }) => {
        await client.expectError("notFound", contract.regionInfo, { region_code: "999999" });
      },
    ],
    [
      "provinces are named in the requested language",
      async ({ client }) => {
        const [zh, en] = [
          await client.data(contract.regionInfo, { region_code: "" }, { locale: "zh-CN" }),
          await client.data(contract.regionInfo, { region_code: "" }, { locale: "en-US" }),
        ];
        const codes = (data: typeof zh) => data.children.map(({ region_code }) => region_code);
        assertEqual(codes(zh), codes(en), "the provinces in Chinese");
        assert(
          zh.children.every(({ name }, n) => name !== en.children[n]?.name),
          "a province has the same name in both languages",
        );
      },
    ],
  ],
};

/** Returns a leaf and another region, for addresses. */
export async function pickRegions(client: Client): Promise<{ leaf: string; notLeaf: string }> {
  const { children } = await client.data(contract.regionInfo, { region_code: "" });
  const province = children.find(({ leaf }) => !leaf);
  if (!province) throw new CheckSkipped("no province has children");
  const leaf = (await fetchPathToLeaf(client, province)).at(-1);
  return { leaf: leaf?.region_code ?? "", notLeaf: province.region_code };
}
