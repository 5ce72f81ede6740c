import { and, count, desc, eq } from "drizzle-orm";
import type * as v from "valibot";
import type { Locale } from "#i18n/locale.ts";
import { field as texts } from "#i18n/response-code.ts";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { addresses } from "#server/db/schema/member.ts";
import { memberRoute, type Route } from "#server/http/route.ts";
import { ApiError } from "#server/lib/errors.ts";
import { lockMember } from "#server/modules/member/member.ts";
import { getCurrentCode, getRegionNames, regionTable } from "#server/modules/region/table.ts";
import type { Address, addressAddPayload } from "#src/api/address.ts";
import { getAddressLocale } from "#src/api/address-line.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";

const maxAddresses = 20;

export function addressRoutes(context: Context): Route[] {
  const { db, now } = context;

  /** Changes a member's addresses in one transaction, and returns the list after it. */
  async function change(memberId: string, locale: Locale, apply: (tx: Database) => Promise<void>) {
    return inTransaction(db, async (tx) => {
      await lockMember(tx, memberId);
      await apply(tx);
      return { list: await listAddresses(tx, memberId, locale) };
    });
  }

  return [
    memberRoute(contract.addressLists, async (_payload, { session, locale }) => ({
      list: await listAddresses(db, session.memberId, locale),
    })),

    memberRoute(contract.addressAdd, async (payload, { session: { memberId }, locale }) => {
      const row = toRow(payload, locale);
      return change(memberId, locale, async (tx) => {
        const [total] = await tx.select({ count: count() }).from(addresses).where(eq(addresses.memberId, memberId));
        if (total && total.count >= maxAddresses) throw new ApiError(codes.overLimit);
        const isDefault = payload.is_default || total?.count === 0;
        if (isDefault) await clearDefault(tx, memberId);
        await tx.insert(addresses).values({ ...row, memberId, isDefault, createdAt: now() });
      });
    }),

    memberRoute(contract.addressUp, async (payload, { session: { memberId }, locale }) => {
      const row = toRow(payload, locale);
      return change(memberId, locale, async (tx) => {
        const address = await findAddress(tx, memberId, payload.address_id);
        // The default stays the default until another address becomes it.
        const isDefault = payload.is_default || address.isDefault;
        if (isDefault) await clearDefault(tx, memberId);
        await tx
          .update(addresses)
          .set({ ...row, isDefault })
          .where(eq(addresses.id, address.id));
      });
    }),

    memberRoute(contract.addressDel, async ({ address_id }, { session: { memberId }, locale }) =>
      change(memberId, locale, async (tx) => {
        const address = await findAddress(tx, memberId, address_id);
        await tx.delete(addresses).where(eq(addresses.id, address.id));
        if (!address.isDefault) return;
        const [newest] = await findAddresses(tx, memberId);
        if (newest) await tx.update(addresses).set({ isDefault: true }).where(eq(addresses.id, newest.id));
      }),
    ),
  ];
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isAddressId = (text: string) => uuidPattern.test(text);

/** Finds a member's own address. Throws 10003 for an unknown one, or another member's. */
async function findAddress(db: Database, memberId: string, id: string): Promise<typeof addresses.$inferSelect> {
  const ownAddress = and(eq(addresses.id, id), eq(addresses.memberId, memberId));
  const [row] = isAddressId(id) ? await db.select().from(addresses).where(ownAddress) : [];
  if (!row) throw new ApiError(codes.notFound);
  return row;
}

/** Throws 10002 for an unknown region, one that is not of the last level, and one that went and has several successors. */
function toRow({ name, mobile, region_code, detail }: v.InferOutput<ReturnType<typeof addressAddPayload>>, locale: Locale) {
  const regionCode = getCurrentCode(region_code);
  if (!regionCode) {
    const reason = regionTable.get(region_code)?.successors.length ? "regionGone" : "region";
    throw new ApiError(codes.badParameter, { fields: { region_code: texts[locale][reason] } });
  }
  return { name, mobile, regionCode, detail };
}

async function clearDefault(tx: Database, memberId: string): Promise<void> {
  await tx
    .update(addresses)
    .set({ isDefault: false })
    .where(and(eq(addresses.memberId, memberId), eq(addresses.isDefault, true)));
}

/** Returns the default address first, then the newest. */
async function findAddresses(db: Database, memberId: string) {
  return db
    .select()
    .from(addresses)
    .where(eq(addresses.memberId, memberId))
    .orderBy(desc(addresses.isDefault), desc(addresses.createdAt), desc(addresses.id));
}

async function listAddresses(db: Database, memberId: string, locale: Locale): Promise<Address[]> {
  const rows = await findAddresses(db, memberId);
  return rows.map(({ id, name, mobile, regionCode, detail, isDefault }) => {
    const current = getCurrentCode(regionCode);
    const names = getRegionNames(current ?? regionCode);
    const language = getAddressLocale(detail, locale);
    return {
      address_id: id,
      name,
      mobile,
      region_code: current ?? regionCode,
      province: names.province[language],
      city: names.city[language],
      district: names.district[language],
      detail,
      is_default: isDefault,
      ...(current ? {} : { needs_region: true }),
    };
  });
}
