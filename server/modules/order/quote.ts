import { and, eq, gt, sql } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import { fallbackPoster, posterSize, posterUrl } from "../../../src/lib/poster.ts";
import type { Database } from "../../db/database.ts";
import { preparedStatement } from "../../db/prepared.ts";
import { addresses } from "../../db/schema/address.ts";
import type { Localized } from "../../db/schema/column.ts";
import { goods, type StoredPicture, skus } from "../../db/schema/goods.ts";
import { memberships } from "../../db/schema/member.ts";
import type { StoredAddress } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";
import { ApiError } from "../../lib/api-error.ts";
import { isAddressId } from "../address/routes.ts";
import { findMembership } from "../member/member.ts";
import { newExpiry } from "../package/expiry.ts";
import { getRegionNames } from "../region/routes.ts";
import { calculatePostage } from "./postage.ts";

/** An order before it is one: what would be stored of it, by the catalogue as it is now. */
export interface Quote {
  kind: "goods" | "package";
  line: {
    uid: string;
    skuUid: string | null;
    title: Localized;
    spec: Localized;
    image: StoredPicture;
    payFen: number;
    quantity: number;
    days: number | null;
  };
  postageFen: number;
  address: StoredAddress | null;
  note: string;
  /** Pieces per member, over all orders that are not closed. */
  limit: number;
  /** As it was read: more may be gone by the time it is reserved. Null: no end. */
  stock: number | null;
}

export interface GoodsPayload {
  goods_uid: string;
  sku_uid: string;
  quantity: number;
  address_id: string;
  note: string;
}

const { name, mobile, regionCode, detail } = addresses;

const draftedFrom = preparedStatement(
  "goods_drafted",
  {
    goods: { title: goods.title, images: goods.images, onSale: goods.onSale, limitPerMember: goods.limitPerMember },
    sku: { values: skus.values, payFen: skus.payFen, stock: skus.stock },
    ...{ address: { name, mobile, regionCode, detail }, freePostage: packages.freePostage },
  },
  (tx, fields) => {
    const [memberId, goodsUid, skuUid] = [
      sql.placeholder("memberId"),
      sql.placeholder("goods_uid"),
      sql.placeholder("sku_uid"),
    ];
    return tx
      .select(fields)
      .from(skus)
      .innerJoin(goods, eq(goods.uid, skus.goodsUid))
      .innerJoin(addresses, and(eq(addresses.id, sql.placeholder("address_id")), eq(addresses.memberId, memberId)))
      .leftJoin(memberships, and(eq(memberships.memberId, memberId), gt(memberships.expiresAt, sql.placeholder("at"))))
      .leftJoin(packages, eq(packages.uid, memberships.packageUid))
      .where(and(eq(skus.uid, skuUid), eq(skus.goodsUid, goodsUid)));
  },
);

/** Throws 10003 for goods, variants and addresses that are not there, 30004 for what is not on sale. */
export async function quoteGoods(tx: Database, memberId: string, wanted: GoodsPayload, at: Date): Promise<Quote> {
  const { goods_uid, sku_uid, quantity, address_id, note } = wanted;
  const [found] = isAddressId(address_id) ? await draftedFrom(tx, { memberId, goods_uid, sku_uid, address_id, at }) : [];
  const names = found && getRegionNames(found.address.regionCode);
  if (!found || !names) throw new ApiError(codes.notFound);
  if (!found.goods.onSale) throw new ApiError(codes.notOnSale);
  const { address } = found;
  return {
    kind: "goods",
    line: {
      ...{ uid: goods_uid, skuUid: sku_uid, title: found.goods.title, spec: joined(found.sku.values) },
      image: found.goods.images[0] ?? sheet(fallbackPoster(goods_uid), found.goods.title),
      ...{ payFen: found.sku.payFen, quantity, days: null },
    },
    postageFen: calculatePostage(found.sku.payFen * quantity, found.freePostage ?? false),
    address: { name: address.name, mobile: address.mobile, region_code: address.regionCode, ...names, detail: address.detail },
    note,
    limit: found.goods.limitPerMember,
    stock: found.sku.stock,
  };
}

/** Throws 10003 for a package that is not there, 30004 for one that is not on sale, or lower than the pass that the member holds. */
export async function quotePackage(
  tx: Database,
  memberId: string,
  { uid, quantity }: { uid: string; quantity: number },
  at: Date,
): Promise<Quote> {
  const [found] = await tx.select().from(packages).where(eq(packages.uid, uid));
  if (!found) throw new ApiError(codes.notFound);
  const isForMember = newExpiry(at, await findMembership(tx, memberId, at), found) !== null;
  if (!found.onSale || !isForMember) throw new ApiError(codes.notOnSale);
  return {
    kind: "package",
    line: {
      ...{
        uid,
        skuUid: null,
        title: found.title,
        spec: { "zh-CN": "", "en-US": "" },
        image: sheet(plates[found.level], found.title),
      },
      ...{ payFen: found.payFen, quantity, days: found.days },
    },
    postageFen: 0,
    address: null,
    note: "",
    limit: found.limit,
    stock: found.stock,
  };
}

const joined = (values: Localized<string[]>): Localized => ({
  "zh-CN": values["zh-CN"].join(" · "),
  "en-US": values["en-US"].join(" · "),
});

/** Packages have no pictures but those of their levels. */
const plates = { 1: "m-a", 2: "m-b", 3: "m-c" };

/** One of the sheets that the site brings along. */
function sheet(name: string, alt: Localized): StoredPicture {
  const [width, height] = posterSize(name);
  return { url: posterUrl(name, "zh-CN"), width, height, alt };
}
