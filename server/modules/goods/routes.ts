import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { type Locale, locales } from "#i18n/locale.ts";
import type { Context } from "#server/context.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { goods, skus } from "#server/db/schema/catalogue.ts";
import { PreparedResponse } from "#server/http/envelope.ts";
import { publicRoute, type Route } from "#server/http/route.ts";
import { createDataLoader } from "#server/lib/data-loader.ts";
import { ApiError } from "#server/lib/errors.ts";
import { findPostage, freePostage } from "#server/modules/catalogue/stored.ts";
import { findMembership } from "#server/modules/member/member.ts";
import { countOrderedPieces } from "#server/modules/order/queries.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import type { Goods } from "#src/api/goods.ts";

export function goodsRoutes({ db, now }: Context): Route[] {
  // Concurrent requests in one language share one response.
  const loadList = createDataLoader(async (requested) => {
    const rows = await findOnSale(db);
    const variants = await findSkus(db, { uids: rows.map(({ uid }) => uid) });
    return new Map(
      locales
        .filter((locale) => requested.includes(locale))
        .map((locale) => [locale, new PreparedResponse({ list: rows.map((row) => toGoods(row, variants, locale)) }, locale)]),
    );
  });
  return [
    publicRoute(contract.goodsLists, async (_payload, { locale }) => (await loadList(locale)) ?? { list: [] }),

    publicRoute(contract.goodsInfo, async ({ goods_uid }, { locale, session }) => {
      const [row] = await db.select().from(goods).where(eq(goods.uid, goods_uid));
      if (!row) throw new ApiError(codes.notFound);
      const info = toGoods(row, await findSkus(db, { uids: [row.uid] }), locale);
      const postage = await findPostage(db);
      if (!session) return { info, postage };
      const ordered = await countOrderedPieces(db, session.memberId, { kind: "goods", uid: row.uid });
      const membership = await findMembership(db, session.memberId, now());
      return {
        info: { ...info, limit_per_member: Math.max(0, row.limitPerMember - ordered) },
        postage: membership?.package.freePostage ? freePostage : postage,
      };
    }),
  ];
}

type Sku = typeof skus.$inferSelect;

const findOnSale = preparedStatement("goods_on_sale", getTableColumns(goods), (db, fields) =>
  db.select(fields).from(goods).where(eq(goods.onSale, true)).orderBy(asc(goods.position), asc(goods.uid)),
);

const findSkus = preparedStatement("skus_of_goods", getTableColumns(skus), (db, fields) =>
  db
    .select(fields)
    .from(skus)
    .where(and(eq(skus.onSale, true), sql`${skus.goodsUid} = any(${sql.placeholder("uids")}::text[])`))
    .orderBy(asc(skus.position), asc(skus.uid)),
);

function toGoods(row: typeof goods.$inferSelect, variants: Sku[], locale: Locale): Goods {
  const own = variants.filter(({ goodsUid }) => goodsUid === row.uid);
  return {
    goods_uid: row.uid,
    title: row.title[locale],
    summary: row.summary[locale],
    detail: row.detail[locale],
    images: row.images[locale],
    category: row.category[locale],
    price_fen: own.length > 0 ? Math.min(...own.map(({ payFen }) => payFen)) : 0,
    list_price_fen: row.listPriceFen,
    specs: row.specs[locale],
    skus: own.map(({ uid, values, payFen, stock }) => ({ sku_uid: uid, values: values[locale], pay_fen: payFen, stock })),
    limit_per_member: row.limitPerMember,
    on_sale: row.onSale,
    sold: row.sold,
    ...(row.shipsAt ? { ships_at: row.shipsAt.toISOString() } : {}),
  };
}
