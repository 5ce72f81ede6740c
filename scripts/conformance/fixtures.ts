import type { Goods } from "../../src/api/goods.ts";
import type { MemberPackage } from "../../src/api/package.ts";
import { calculatePostage } from "../../src/api/postage.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, getToken, requireValue } from "./context.ts";
import { Skipped } from "./outcome.ts";

/** Returns goods of which the member may buy two, with the best stocked variant and the price of one, postage included. */
export async function pickGoods(
  context: ConformanceContext,
): Promise<{ goods: Goods; sku: Goods["skus"][number]; postage: (goodsFen: number) => number }> {
  const token = getToken(context);
  for (const { goods_uid } of (await context.client.data(table.goodsLists)).list) {
    const { info, postage } = await context.client.data(table.goodsInfo, { goods_uid }, { token });
    const [sku] = info.skus.toSorted((one, other) => other.stock - one.stock);
    if (info.on_sale && info.limit_per_member >= 2 && sku && sku.stock >= 2) {
      return { goods: info, sku, postage: (goodsFen) => calculatePostage(goodsFen, postage) };
    }
  }
  throw new Skipped("no goods are on sale of which this member may have two");
}

/** Returns the cheapest package that this member can buy. */
export async function pickPackage(context: ConformanceContext): Promise<MemberPackage> {
  const lowest = context.member?.info.membership?.level ?? 1;
  const { list } = await context.client.data(table.packageLists);
  const fit = list.filter(({ on_sale, level, stock }) => on_sale && level >= lowest && (stock === null || stock > 0));
  return requireValue(
    fit.toSorted((one, other) => one.pay_fen - other.pay_fen)[0],
    "no pass is on sale that this member can have",
  );
}
