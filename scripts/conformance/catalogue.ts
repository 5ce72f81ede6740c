import { contract } from "../../src/api/contract.ts";
import { assert, assertEqual } from "./client.ts";
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
      "memberPackage/lists and memberPackage/info return the same packages, without a preview for a visitor; what has a stock has a limit",
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
        for (const { uid, stock, limit } of list) assert(limit !== null || stock === null, `${uid} has a stock and no limit`);
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
