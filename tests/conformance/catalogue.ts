import { expect } from "vitest";
import { contract } from "#src/api/contract.ts";
import { type Checks, expectUnique, getMember, missing } from "./run.ts";

export const catalogue: Checks = {
  "goods/allLists and goods/info return the same items": async ({ visitor }) => {
    const { list } = await visitor.data(contract.goodsLists);
    expectUnique(
      list.map(({ goods_uid }) => goods_uid),
      "goods_uid",
    );
    for (const item of list) {
      const { info } = await visitor.data(contract.goodsInfo, { goods_uid: item.goods_uid });
      expect(info).toEqual(item);
    }
  },

  "price_fen is the price of the cheapest variant, and variants have a value for each spec": async ({ visitor }) => {
    for (const { goods_uid, price_fen, skus, specs } of (await visitor.data(contract.goodsLists)).list) {
      expectUnique(
        skus.map(({ sku_uid }) => sku_uid),
        `variants of ${goods_uid}`,
      );
      expect(price_fen, goods_uid).toBe(Math.min(...skus.map(({ pay_fen }) => pay_fen)));
      for (const { values, stock } of skus) {
        expect(values, goods_uid).toHaveLength(specs.length);
        for (const [n, value] of values.entries()) expect(specs[n]?.values, goods_uid).toContain(value);
        expect(stock, goods_uid).toBeGreaterThanOrEqual(0);
      }
    }
  },

  "memberPackage/lists and memberPackage/info return the same packages, without a preview for a visitor; what has a stock has a limit":
    async ({ visitor }) => {
      const { list } = await visitor.data(contract.packageLists);
      expectUnique(
        list.map(({ uid }) => uid),
        "uid of packages",
      );
      for (const info of list) {
        expect(await visitor.data(contract.packageInfo, { uid: info.uid })).toEqual({ info, preview: null });
        if (info.stock !== null) expect(info.limit, info.uid).not.toBeNull();
      }
    },

  "a member receives the preview of each package": async (run) => {
    const { client, info } = getMember(run);
    const current = info.membership ?? null;
    for (const { uid, level } of (await client.data(contract.packageLists)).list) {
      const { preview } = await client.data(contract.packageInfo, { uid });
      expect(preview?.current_expires_at ?? null, uid).toBe(current?.expires_at ?? null);
      const isLower = current !== null && level < current.level;
      expect(preview && preview.new_expires_at === null, uid).toBe(isLower);
    }
  },

  "unknown goods and packages return 10003": async ({ visitor }) => {
    await visitor.expectCode("notFound", contract.goodsInfo, { goods_uid: missing.uid });
    await visitor.expectCode("notFound", contract.packageInfo, { uid: missing.uid });
  },
};
