import { and, count, desc, eq } from "drizzle-orm";
import { field as texts } from "../../../i18n/field.ts";
import type { Locale } from "../../../i18n/locale.ts";
import { type Address, addressAdd, addressDel, addressLists, addressUp } from "../../../src/api/address.ts";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { addresses } from "../../db/schema/address.ts";
import { memberRoute, type Route } from "../../http/route.ts";
import { ApiError } from "../../lib/api-error.ts";
import { getRegionNames } from "../region/routes.ts";

const most = 20;

interface Form {
  name: string;
  mobile: string;
  region_code: string;
  detail: string;
  is_default: boolean;
}

export function addressRoutes(context: Context): Route[] {
  const { db, now } = context;

  /** Changes a member's addresses in one step, and answers with what is then there. */
  async function change(memberId: string, locale: Locale, work: (tx: Database) => Promise<void>) {
    return inTransaction(db, async (tx) => {
      await context.locks.member(tx, memberId);
      await work(tx);
      return { list: await listOf(tx, memberId, locale) };
    });
  }

  return [
    memberRoute(addressLists, async (_payload, { session, locale }) => ({ list: await listOf(db, session.memberId, locale) })),

    memberRoute(addressAdd, async (form, { session: { memberId }, locale }) => {
      const row = asRow(form, locale);
      return change(memberId, locale, async (tx) => {
        const [there] = await tx.select({ count: count() }).from(addresses).where(eq(addresses.memberId, memberId));
        if (there && there.count >= most) throw new ApiError(codes.overLimit);
        const isDefault = form.is_default || there?.count === 0;
        if (isDefault) await clearDefault(tx, memberId);
        await tx.insert(addresses).values({ ...row, memberId, isDefault, createdAt: now() });
      });
    }),

    memberRoute(addressUp, async (form, { session: { memberId }, locale }) => {
      const row = asRow(form, locale);
      return change(memberId, locale, async (tx) => {
        const own = await findAddress(tx, memberId, form.address_id);
        // One is the default as long as there are any: it stays so until another one is made it.
        const isDefault = form.is_default || own.isDefault;
        if (isDefault) await clearDefault(tx, memberId);
        await tx
          .update(addresses)
          .set({ ...row, isDefault })
          .where(eq(addresses.id, own.id));
      });
    }),

    memberRoute(addressDel, async ({ address_id }, { session: { memberId }, locale }) =>
      change(memberId, locale, async (tx) => {
        const own = await findAddress(tx, memberId, address_id);
        await tx.delete(addresses).where(eq(addresses.id, own.id));
        if (!own.isDefault) return;
        const [newest] = await rowsOf(tx, memberId);
        if (newest) await tx.update(addresses).set({ isDefault: true }).where(eq(addresses.id, newest.id));
      }),
    ),
  ];
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isAddressId = (text: string) => uuidForm.test(text);

/** A member's own address. Throws 10003 for one that is not there, or not theirs. */
export async function findAddress(db: Database, memberId: string, id: string): Promise<typeof addresses.$inferSelect> {
  const own = and(eq(addresses.id, id), eq(addresses.memberId, memberId));
  const [found] = isAddressId(id) ? await db.select().from(addresses).where(own) : [];
  if (!found) throw new ApiError(codes.notFound);
  return found;
}

/** Throws 10002 for a region that is not known, or is not the last level. */
function asRow({ name, mobile, region_code, detail }: Form, locale: Locale) {
  if (!getRegionNames(region_code)) throw new ApiError(codes.badParameter, { fields: { region_code: texts[locale].region } });
  return { name, mobile, regionCode: region_code, detail };
}

async function clearDefault(tx: Database, memberId: string): Promise<void> {
  await tx
    .update(addresses)
    .set({ isDefault: false })
    .where(and(eq(addresses.memberId, memberId), eq(addresses.isDefault, true)));
}

/** The default first, then the newest. */
async function rowsOf(db: Database, memberId: string) {
  return db
    .select()
    .from(addresses)
    .where(eq(addresses.memberId, memberId))
    .orderBy(desc(addresses.isDefault), desc(addresses.createdAt), desc(addresses.id));
}

async function listOf(db: Database, memberId: string, locale: Locale): Promise<Address[]> {
  const rows = await rowsOf(db, memberId);
  return rows.map(({ id, name, mobile, regionCode, detail, isDefault }) => {
    const names = getRegionNames(regionCode);
    return {
      address_id: id,
      name,
      mobile,
      region_code: regionCode,
      province: names?.province[locale] ?? "",
      city: names?.city[locale] ?? "",
      district: names?.district[locale] ?? "",
      detail,
      is_default: isDefault,
    };
  });
}
