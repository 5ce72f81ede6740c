import * as v from "valibot";
import { call, fen, integer, nullableTime, picture, typeOnly, uid } from "./call.ts";
import { goodsInfoPath, goodsListsPath } from "./paths.ts";

export const goods = v.object({
  goods_uid: v.string(),
  title: v.string(),
  summary: v.string(),
  detail: v.array(v.string()),
  images: v.array(picture),
  category: v.string(),
  price_fen: fen,
  list_price_fen: v.nullable(fen),
  specs: v.array(v.object({ name: v.string(), values: v.array(v.string()) })),
  skus: v.array(v.object({ sku_uid: v.string(), values: v.array(v.string()), pay_fen: fen, stock: integer })),
  limit_per_member: integer,
  on_sale: v.boolean(),
  sold: integer,
  /** From when it is sent, of an item that is sold before it is there; a server may leave it out. */
  ships_at: v.optional(nullableTime),
});
export type Goods = v.InferOutput<typeof goods>;

export const goodsLists = call({
  ...goodsListsPath,
  access: "public",
  notify: false,
  data: v.object({ list: v.array(goods) }),
});

export const goodsInfoPayload = () => v.object({ goods_uid: uid });
export const goodsInfo = call({
  ...goodsInfoPath,
  access: "public",
  notify: false,
  payload: typeOnly<typeof goodsInfoPayload>(),
  data: v.object({ info: goods, postage: v.object({ fen, free_from_fen: fen }) }),
});
