import type { Goods } from "../../src/api/goods.ts";
import type { MemberPackage } from "../../src/api/package.ts";
import { calculatePostage } from "../../src/api/postage.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, needed, tokenOf } from "./context.ts";
import { Skipped } from "./outcome.ts";

/** Goods of which the member may have two, with the variant that has most of them, and what one costs, postage included. */
export async function pickGoods(
  ground: ConformanceContext,
): Promise<{ goods: Goods; sku: Goods["skus"][number]; postage: (goodsFen: number) => number }> {
  const token = tokenOf(ground);
  for (const { goods_uid } of (await ground.wire.data(table.goodsLists)).list) {
    const { info, postage } = await ground.wire.data(table.goodsInfo, { goods_uid }, { token });
    const [sku] = info.skus.toSorted((one, other) => other.stock - one.stock);
    if (info.on_sale && info.limit_per_member >= 2 && sku && sku.stock >= 2) {
      return { goods: info, sku, postage: (goodsFen) => calculatePostage(goodsFen, postage) };
    }
  }
  throw new Skipped("no goods are on sale of which this member may have two");
}

/** The cheapest pass that this member can have. */
export async function pickPackage(ground: ConformanceContext): Promise<MemberPackage> {
  const lowest = ground.member?.info.membership?.level ?? 1;
  const { list } = await ground.wire.data(table.packageLists);
  const fit = list.filter(({ on_sale, level, stock }) => on_sale && level >= lowest && (stock === null || stock > 0));
  return needed(fit.toSorted((one, other) => one.pay_fen - other.pay_fen)[0], "no pass is on sale that this member can have");
}
