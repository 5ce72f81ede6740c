import { and, eq, gt, sql } from "drizzle-orm";
import type * as v from "valibot";
import type { Locale } from "#i18n/locale.ts";
import { field as texts } from "#i18n/response-code.ts";
import type { Database } from "#server/db/database.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { goods, packages, shops, skus } from "#server/db/schema/catalogue.ts";
import type { Localized } from "#server/db/schema/column.ts";
import { addresses, memberships } from "#server/db/schema/member.ts";
import type { orderItems, StoredAddress } from "#server/db/schema/order.ts";
import { ApiError } from "#server/lib/errors.ts";
import { isAddressId } from "#server/modules/address/routes.ts";
import { freePostage, toPostage } from "#server/modules/catalogue/stored.ts";
import { calculateExpiry, countRunningPieces, findRunningMembership } from "#server/modules/package/membership.ts";
import { getCurrentCode, getRegionNames } from "#server/modules/region/table.ts";
import { codes } from "#src/api/envelope.ts";
import { joinSpecs, type mallCreateOrderPayload } from "#src/api/order.ts";
import { calculatePostage } from "#src/api/order-rules.ts";
import type { CataloguePicture } from "#src/content/catalogue.ts";

/** The order that a payload would create at current prices. */
export interface Quote {
  kind: "goods" | "package";
  item: Omit<typeof orderItems.$inferSelect, "orderSn" | "position">;
  postageFen: number;
  address: StoredAddress | null;
  note: string;
  /** Pieces that a member can have; null: unlimited. */
  limit: number | null;
  /** Pieces of a package that still run; 0 for goods. */
  running: number;
  /** Stock when it was read, which may shrink before the reservation. Null: unlimited. */
  stock: number | null;
}

const findGoodsForQuote = preparedStatement(
  "goods_quote",
  {
    goods: {
      title: goods.title,
      images: goods.images,
      specs: goods.specs,
      onSale: goods.onSale,
      limitPerMember: goods.limitPerMember,
      shipsAt: goods.shipsAt,
    },
    sku: { values: skus.values, payFen: skus.payFen, stock: skus.stock, onSale: skus.onSale },
    address: {
      name: addresses.name,
      mobile: addresses.mobile,
      regionCode: addresses.regionCode,
      detail: addresses.detail,
    },
    freePostage: packages.freePostage,
    shop: { postageFen: shops.postageFen, freePostageFrom: shops.freePostageFrom },
  },
  (tx, fields) => {
    const memberId = sql.placeholder("memberId");
    return tx
      .select(fields)
      .from(skus)
      .innerJoin(goods, eq(goods.uid, skus.goodsUid))
      .innerJoin(addresses, and(eq(addresses.id, sql.placeholder("address_id")), eq(addresses.memberId, memberId)))
      .leftJoin(memberships, and(eq(memberships.memberId, memberId), gt(memberships.expiresAt, sql.placeholder("at"))))
      .leftJoin(packages, eq(packages.uid, memberships.packageUid))
      .leftJoin(shops, sql`true`)
      .where(and(eq(skus.uid, sql.placeholder("sku_uid")), eq(skus.goodsUid, sql.placeholder("goods_uid"))));
  },
);

/**
 * Quotes an order of goods. Throws 10003 for unknown goods, variants and addresses, 10002 with `region_code` for an address whose region
 * has to be chosen again, 30004 for goods that are not on sale.
 */
export async function quoteGoods(
  tx: Database,
  memberId: string,
  payload: v.InferOutput<ReturnType<typeof mallCreateOrderPayload>>,
  { at, locale }: { at: Date; locale: Locale },
): Promise<Quote> {
  const { goods_uid, sku_uid, quantity, address_id, note } = payload;
  const [row] = isAddressId(address_id) ? await findGoodsForQuote(tx, { memberId, goods_uid, sku_uid, address_id, at }) : [];
  if (!row) throw new ApiError(codes.notFound);
  const regionCode = getCurrentCode(row.address.regionCode);
  if (!regionCode) throw new ApiError(codes.badParameter, { fields: { region_code: texts[locale].regionGone } });
  if (!row.goods.onSale || !row.sku.onSale) throw new ApiError(codes.notOnSale);
  const { name, mobile, detail } = row.address;
  return {
    kind: "goods",
    item: {
      uid: goods_uid,
      skuUid: sku_uid,
      title: row.goods.title,
      spec: {
        "zh-CN": joinSpecs(row.goods.specs["zh-CN"], row.sku.values["zh-CN"], "zh-CN"),
        "en-US": joinSpecs(row.goods.specs["en-US"], row.sku.values["en-US"], "en-US"),
      },
      image: getFirstImage(row.goods),
      payFen: row.sku.payFen,
      quantity,
      days: null,
      level: null,
      priceFen: null,
      shipsAt: row.goods.shipsAt,
    },
    postageFen: calculatePostage(row.sku.payFen * quantity, row.freePostage ? freePostage : toPostage(row.shop)),
    address: { name, mobile, region_code: regionCode, ...getRegionNames(regionCode), detail },
    note,
    limit: row.goods.limitPerMember,
    running: 0,
    stock: row.sku.stock,
  };
}

/** Quotes an order of a package. Throws 10003 for an unknown package, 30004 for one that is not on sale or below the level of the member's membership. */
export async function quotePackage(
  tx: Database,
  memberId: string,
  { uid, quantity }: { uid: string; quantity: number },
  at: Date,
): Promise<Quote> {
  const [row] = await tx.select().from(packages).where(eq(packages.uid, uid));
  if (!row) throw new ApiError(codes.notFound);
  const current = await findRunningMembership(tx, memberId, at);
  if (!row.onSale || calculateExpiry(at, current, row) === null) throw new ApiError(codes.notOnSale);
  return {
    kind: "package",
    item: {
      uid,
      skuUid: null,
      title: row.title,
      spec: { "zh-CN": "", "en-US": "" },
      image: getFirstImage(row),
      payFen: row.payFen,
      quantity,
      days: row.days,
      level: row.level,
      priceFen: row.priceFen,
      shipsAt: null,
    },
    postageFen: 0,
    address: null,
    note: "",
    limit: row.limit,
    running: countRunningPieces(current, uid),
    stock: row.stock,
  };
}

/** Returns the first picture of an item or package; the shop's mark where there is none. */
function getFirstImage({ images, title }: { images: Localized<CataloguePicture[]>; title: Localized }) {
  const get = (locale: Locale) => images[locale][0] ?? { url: "/icon.svg", width: 600, height: 600, alt: title[locale] };
  return { "zh-CN": get("zh-CN"), "en-US": get("en-US") };
}
