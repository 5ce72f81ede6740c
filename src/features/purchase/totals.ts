import type { DataOf } from "#src/api/call.ts";
import type { goodsInfo } from "#src/api/goods.ts";
import { calculatePostage } from "#src/api/order-rules.ts";
import { specParam } from "#src/routes.ts";

export type Item = DataOf<typeof goodsInfo>;
export type Sku = Item["info"]["skus"][number];

export interface Totals {
  goods_fen: number;
  postage_fen: number;
  pay_fen: number;
}

/** Calculates the sums for `quantity` pieces with the postage that the server charges this member. The server verifies them. */
export function calculateTotals(piece_fen: number, quantity: number, postage: Item["postage"]): Totals {
  const goods_fen = piece_fen * quantity;
  const postage_fen = calculatePostage(goods_fen, postage);
  return { goods_fen, postage_fen, pay_fen: goods_fen + postage_fen };
}

/** Reason why the item's data rules the order out. `left`: how many this member could order. */
export type CheckoutProblem =
  | { kind: "unknownSku" }
  | { kind: "notOnSale" }
  | { kind: "soldOut"; left: number }
  | { kind: "overLimit"; left: number };

export function getCheckoutProblem({ info }: Item, sku: Sku | undefined, quantity: number): CheckoutProblem | null {
  if (!info.on_sale) return { kind: "notOnSale" };
  if (!sku) return { kind: "unknownSku" };
  const left = Math.min(sku.stock, info.limit_per_member);
  if (sku.stock < quantity) return { kind: "soldOut", left };
  return info.limit_per_member < quantity ? { kind: "overLimit", left } : null;
}

/** Returns the uid of the variant in a URL, given by uid or by one value of each spec. A combination that is not made returns its values, an empty query "". */
export function parseSkuUid({ info }: Item, search: string): string {
  const query = new URLSearchParams(search);
  const sku_uid = query.get("sku") ?? "";
  const values = info.specs.map((_, index) => query.get(specParam(index)));
  if (sku_uid || values.every((value) => value === null)) return sku_uid;
  const matchesQuery = (sku: Sku) => sku.values.every((value, index) => value === values[index]);
  return info.skus.find(matchesQuery)?.sku_uid ?? values.join(" ");
}

/** Returns the variant of a uid; an empty uid means the only one. */
export function findSkuByUid({ info }: Item, sku_uid: string): Sku | undefined {
  return (
    info.skus.find((sku) => sku.sku_uid === sku_uid) ?? (sku_uid === "" && info.skus.length === 1 ? info.skus[0] : undefined)
  );
}
