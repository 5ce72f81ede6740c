import { table } from "../../src/api/table.ts";
import { type Group, getToken, missing } from "./context.ts";
import { assert, assertEqual } from "./outcome.ts";

const unique = (names: string[], what: string) => assert(new Set(names).size === names.length, `${what} are not unique`);

export const catalogue: Group = {
  name: "catalogue",
  checks: [
    [
      "the list of goods and each single one say the same",
      async ({ client }) => {
        const { list } = await client.data(table.goodsLists);
        unique(
          list.map(({ goods_uid }) => goods_uid),
          "goods_uid",
        );
        for (const one of list) {
          const { info } = await client.data(table.goodsInfo, { goods_uid: one.goods_uid });
          assertEqual(info, one, `goods/info of ${one.goods_uid}`);
        }
      },
    ],
    [
      "a price 'from' is that of the cheapest variant, and variants have a value for each spec",
      async ({ client }) => {
        for (const { goods_uid, price_fen, skus, specs } of (await client.data(table.goodsLists)).list) {
          assert(skus.length > 0, `${goods_uid} has no variant`);
          unique(
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
            `a variant of ${goods_uid} has less than no stock`,
          );
        }
      },
    ],
    [
      "the list of passes and each single one say the same, without a preview for a visitor",
      async ({ client }) => {
        const { list } = await client.data(table.packageLists);
        unique(
          list.map(({ uid }) => uid),
          "uid of passes",
        );
        for (const one of list)
          assertEqual(
            await client.data(table.packageInfo, { uid: one.uid }),
            { info: one, preview: null },
            `goodsInfo of ${one.uid}`,
          );
      },
    ],
    [
      "a member sees what a pass would do",
      async (context) => {
        const token = getToken(context);
        const current = context.member?.info.membership ?? null;
        for (const { uid, level } of (await context.client.data(table.packageLists)).list) {
          const { preview } = await context.client.data(table.packageInfo, { uid }, { token });
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
      "goods and passes that are not there are 10003",
      async ({ client }) => {
        await client.expectError("notFound", table.goodsInfo, { goods_uid: missing.uid });
        await client.expectError("notFound", table.packageInfo, { uid: missing.uid });
      },
    ],
  ],
};
