import { asc, eq } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Context } from "#server/context.ts";
import { packages } from "#server/db/schema/catalogue.ts";
import { publicRoute, type Route } from "#server/http/route.ts";
import { ApiError } from "#server/lib/errors.ts";
import { countOrderedPieces } from "#server/modules/order/queries.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import type { MemberPackage } from "#src/api/package.ts";
import { calculateExpiry, countRunningPieces, findRunningMembership } from "./membership.ts";

export function packageRoutes({ db, now }: Context): Route[] {
  return [
    publicRoute(contract.packageLists, async (_payload, { locale }) => {
      const rows = await db
        .select()
        .from(packages)
        .where(eq(packages.onSale, true))
        .orderBy(asc(packages.position), asc(packages.uid));
      return { list: rows.map((row) => toPackage(row, locale)) };
    }),

    publicRoute(contract.packageInfo, async ({ uid }, { locale, session }) => {
      const [row] = await db.select().from(packages).where(eq(packages.uid, uid));
      if (!row) throw new ApiError(codes.notFound);
      const info = toPackage(row, locale);
      if (!session) return { info, preview: null };
      const unpaid = await countOrderedPieces(db, session.memberId, { kind: "package", uid });
      const at = now();
      const current = await findRunningMembership(db, session.memberId, at);
      const left = info.limit === null ? null : Math.max(0, info.limit - unpaid - countRunningPieces(current, uid));
      const preview = {
        current_expires_at: current?.expiresAt.toISOString() ?? null,
        new_expires_at: calculateExpiry(at, current, row)?.toISOString() ?? null,
      };
      return { info: { ...info, limit: left }, preview };
    }),
  ];
}

function toPackage(row: typeof packages.$inferSelect, locale: Locale): MemberPackage {
  return {
    uid: row.uid,
    level: row.level,
    days: row.days,
    title: row.title[locale],
    summary: row.summary[locale],
    rights: row.rights[locale],
    images: row.images[locale],
    free_postage: row.freePostage,
    price_fen: row.priceFen,
    pay_fen: row.payFen,
    badge: row.badge?.[locale] ?? null,
    stock: row.stock,
    limit: row.limit,
    on_sale: row.onSale,
  };
}
