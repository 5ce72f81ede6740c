import type { DataOf } from "../../api/call.ts";
import type { goodsInfo } from "../../api/goods.ts";
import { calculatePostage } from "../../api/postage.ts";
import { specParam } from "../../routes.ts";

type Item = DataOf<typeof goodsInfo>;
export type Sku = Item["info"]["skus"][number];

export interface Totals {
  goods_fen: number;
  postage_fen: number;
  pay_fen: number;
}

/** What so many pieces come to, by what the host asks of this member; the host has the last word. */
export function calculateTotals(piece_fen: number, quantity: number, postage: Item["postage"]): Totals {
  const goods_fen = piece_fen * quantity;
  const postage_fen = calculatePostage(goods_fen, postage);
  return { goods_fen, postage_fen, pay_fen: goods_fen + postage_fen };
}

/** Why an order of it would be refused, as far as one can see beforehand. `left`: so many this member could have. */
export type CheckoutProblem =
  | { why: "unknownSku" }
  | { why: "notOnSale" }
  | { why: "soldOut"; left: number }
  | { why: "overLimit"; left: number };

export function getCheckoutProblem({ info }: Item, sku: Sku | undefined, quantity: number): CheckoutProblem | null {
  if (!info.on_sale) return { why: "notOnSale" };
  if (!sku) return { why: "unknownSku" };
  const left = Math.min(sku.stock, info.limit_per_member);
  if (sku.stock < quantity) return { why: "soldOut", left };
  return info.limit_per_member < quantity ? { why: "overLimit", left } : null;
}

/** The variant that a URL asks for, by its uid or by one value of each of its sides; the values themselves where it is not made, "" where nothing is asked for. */
export function skuUidIn({ info }: Item, search: string): string {
  const query = new URLSearchParams(search);
  const sku_uid = query.get("sku") ?? "";
  const values = info.specs.map((_, place) => query.get(specParam(place)));
  if (sku_uid || values.every((value) => value === null)) return sku_uid;
  const isAsked = ({ values: made }: Sku) => made.every((value, place) => value === values[place]);
  return info.skus.find(isAsked)?.sku_uid ?? values.join(" ");
}

/** The variant that a URL names; the only one there is needs no name. */
export function findSkuByUid({ info }: Item, sku_uid: string): Sku | undefined {
  return (
    info.skus.find((one) => one.sku_uid === sku_uid) ?? (sku_uid === "" && info.skus.length === 1 ? info.skus[0] : undefined)
  );
}

/** How many a URL asks for. What cannot be asked for is one. */
export function parseQuantity(search: string): number {
  const quantity = Number(new URLSearchParams(search).get("quantity"));
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= 99 ? quantity : 1;
}
