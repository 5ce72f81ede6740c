import { and, eq, sql } from "drizzle-orm";
import type { Catalogue } from "../../../src/content/catalogue.ts";
import type { Database } from "../../db/database.ts";
import { activities, activityBookings, bookings, campaigns, stops } from "../../db/schema/booking.ts";
import { goods, packages, skus, stockMovements } from "../../db/schema/catalogue.ts";
import { memberships } from "../../db/schema/member.ts";
import { orderItems } from "../../db/schema/order.ts";

/** Gives the rows of renamed entries their new uids, with everything that refers to them. Returns one sentence for each. */
export async function renameAliases(tx: Database, catalogue: Catalogue): Promise<string[]> {
  const renames = {
    goods: (from: string, to: string) => renameGoods(tx, from, to),
    packages: (from: string, to: string) => renamePackage(tx, from, to),
    activities: (from: string, to: string) => renameActivity(tx, from, to),
    campaigns: (from: string, to: string) => renameCampaign(tx, from, to),
  };
  const tables = { goods, packages, activities, campaigns };
  const sentences: string[] = [];
  for (const kind of ["goods", "packages", "activities", "campaigns"] as const) {
    const table = tables[kind];
    const rows = await tx.select({ uid: table.uid }).from(table);
    const stored = new Set(rows.map(({ uid }) => uid));
    for (const { uid, aliases } of catalogue[kind]) {
      const old = aliases.find((alias) => stored.has(alias));
      if (old === undefined || stored.has(uid)) continue;
      await renames[kind](old, uid);
      sentences.push(`${old} is now ${uid}`);
    }
  }
  return sentences;
}

// Foreign keys are checked at the end of each statement: the new row comes first, the old one goes last.

async function renameGoods(tx: Database, from: string, to: string): Promise<void> {
  await copyRow(tx, goods, from, to);
  const old = await tx.select({ uid: skus.uid }).from(skus).where(eq(skus.goodsUid, from));
  for (const { uid } of old) {
    const renamed = uid === from ? to : uid.startsWith(`${from}-`) ? `${to}${uid.slice(from.length)}` : uid;
    await tx.update(skus).set({ uid: renamed, goodsUid: to }).where(eq(skus.uid, uid));
    await tx.update(orderItems).set({ skuUid: renamed }).where(eq(orderItems.skuUid, uid));
    await renameMovements(tx, "sku", uid, renamed);
  }
  await tx.update(orderItems).set({ uid: to }).where(eq(orderItems.uid, from));
  await tx.delete(goods).where(eq(goods.uid, from));
}

async function renameMovements(tx: Database, kind: "sku" | "package", from: string, to: string): Promise<void> {
  const old = and(eq(stockMovements.kind, kind), eq(stockMovements.uid, from));
  await tx.update(stockMovements).set({ uid: to }).where(old);
}

async function renamePackage(tx: Database, from: string, to: string): Promise<void> {
  await copyRow(tx, packages, from, to);
  await renameMovements(tx, "package", from, to);
  await tx.update(memberships).set({ packageUid: to }).where(eq(memberships.packageUid, from));
  await tx.update(orderItems).set({ uid: to }).where(eq(orderItems.uid, from));
  await tx.delete(packages).where(eq(packages.uid, from));
}

async function renameActivity(tx: Database, from: string, to: string): Promise<void> {
  await copyRow(tx, activities, from, to);
  await tx.update(activityBookings).set({ activityUid: to }).where(eq(activityBookings.activityUid, from));
  await tx.delete(activities).where(eq(activities.uid, from));
}

async function renameCampaign(tx: Database, from: string, to: string): Promise<void> {
  await copyRow(tx, campaigns, from, to);
  const rows = await tx.select().from(stops).where(eq(stops.campaignUid, from));
  if (rows.length > 0) await tx.insert(stops).values(rows.map((row) => ({ ...row, campaignUid: to })));
  await tx.update(bookings).set({ campaignUid: to }).where(eq(bookings.campaignUid, from));
  await tx.delete(campaigns).where(eq(campaigns.uid, from));
}

async function copyRow(
  tx: Database,
  table: typeof goods | typeof packages | typeof activities | typeof campaigns,
  from: string,
  to: string,
): Promise<void> {
  await tx.execute(
    sql`insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('uid', ${to}::text))).* from ${table} t where uid = ${from}`,
  );
}
