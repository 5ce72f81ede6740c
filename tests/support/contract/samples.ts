import type { Goods } from "#src/api/goods.ts";
import type { MemberPackage } from "#src/api/package.ts";

/** Returns an item without variants, but for these fields. */
export const createItem = (fields: Partial<Goods>): Goods => ({
  goods_uid: "item",
  title: "",
  summary: "",
  detail: [],
  images: [],
  category: "Records",
  price_fen: 100,
  list_price_fen: null,
  limit_per_member: 5,
  on_sale: true,
  sold: 0,
  specs: [],
  skus: [],
  ...fields,
});

/** Returns a package of the second level, but for these fields. */
export const createPackage = (fields: Partial<MemberPackage> = {}): MemberPackage => ({
  uid: "pass",
  level: 2,
  days: 365,
  title: "",
  summary: "",
  rights: [],
  free_postage: false,
  price_fen: 100,
  pay_fen: 100,
  badge: null,
  stock: null,
  limit: 1,
  on_sale: true,
  ...fields,
});
