import { contract } from "../../src/api/contract.ts";
import type { Goods } from "../../src/api/goods.ts";
import type { MemberPackage } from "../../src/api/package.ts";
import { calculatePostage } from "../../src/api/postage.ts";
import { type ConformanceContext, getToken, requireValue } from "./context.ts";
import { CheckSkipped } from "./outcome.ts";

/** Returns an item of which the member may buy two, with its best stocked variant and a function that calculates the postage. */
export async function pickGoods(
  context: ConformanceContext,
): Promise<{ goods: Goods; sku: Goods["skus"][number]; postage: (goodsFen: number) => number }> {
  const token = getToken(context);
  for (const { goods_uid } of (await context.client.data(contract.goodsLists)).list) {
    const { info, postage } = await context.client.data(contract.goodsInfo, { goods_uid }, { token });
    const [sku] = info.skus.toSorted((a, b) => b.stock - a.stock);
    if (info.on_sale && info.limit_per_member >= 2 && sku && sku.stock >= 2) {
      return { goods: info, sku, postage: (goodsFen) => calculatePostage(goodsFen, postage) };
    }
  }
  throw new CheckSkipped("no item is on sale of which this member may buy two");
}

/** Returns the cheapest package that this member can buy. */
export async function pickPackage(context: ConformanceContext): Promise<MemberPackage> {
  const lowestLevel = context.member?.info.membership?.level ?? 1;
  const { list } = await context.client.data(contract.packageLists);
  const available = list.filter(
    ({ on_sale, level, stock }) => on_sale && level >= lowestLevel && (stock === null || stock > 0),
  );
  return requireValue(available.toSorted((a, b) => a.pay_fen - b.pay_fen)[0], "no package is on sale that this member can buy");
}
