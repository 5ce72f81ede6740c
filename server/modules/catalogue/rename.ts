import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "#server/db/database.ts";
import { activities, activityBookings, bookings, campaigns, stops } from "#server/db/schema/booking.ts";
import { goods, packages, skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { members, memberships } from "#server/db/schema/member.ts";
import { orderItems } from "#server/db/schema/order.ts";
import type { Catalogue } from "#src/content/catalogue.ts";

const kinds = ["goods", "packages", "activities", "campaigns"] as const;
const tables = { goods, packages, activities, campaigns };
export type Renames = Record<(typeof kinds)[number], { from: string; to: string }[]>;

/** Gives the rows of renamed entries their new uids, with everything that refers to them. Returns the old and the new ones. */
export async function renameAliases(tx: Database, catalogue: Catalogue): Promise<Renames> {
  const renames = await findRenames(tx, catalogue);
  if (kinds.every((kind) => renames[kind].length === 0)) return renames;
  await lockRenamed(tx, renames);
  for (const { from, to } of renames.goods) await renameGoods(tx, from, to);
  for (const { from, to } of renames.packages) await renamePackage(tx, from, to);
  for (const { from, to } of renames.activities) await renameActivity(tx, from, to);
  for (const { from, to } of renames.campaigns) await renameCampaign(tx, from, to);
  return renames;
}

async function findRenames(tx: Database, catalogue: Catalogue): Promise<Renames> {
  const renames: Renames = { goods: [], packages: [], activities: [], campaigns: [] };
  for (const kind of kinds) {
    const table = tables[kind];
    const rows = await tx.select({ uid: table.uid }).from(table);
    const stored = new Set(rows.map(({ uid }) => uid));
    for (const { uid: to, aliases } of catalogue[kind]) {
      const from = aliases.find((alias) => stored.has(alias));
      if (from !== undefined && !stored.has(to)) renames[kind].push({ from, to });
    }
  }
  return renames;
}

/**
 * Locks the rows that are copied, which would else lose what is sold and booked between copy and deletion. The order is that of requests: members, then what
 * orders and bookings refer by, then stock and places.
 */
async function lockRenamed(tx: Database, renames: Renames): Promise<void> {
  const isOf = (column: PgColumn, ...some: (typeof kinds)[number][]) =>
    inArray(
      column,
      some.flatMap((kind) => renames[kind].map(({ from }) => from)),
    );
  const lock = (table: PgTable, condition: SQL, ...order: Order) => lockRows(tx, "update", table, condition, ...order);
  const guests = tx.select({ id: bookings.memberId }).from(bookings).where(isOf(bookings.campaignUid, "campaigns"));
  await lockRows(tx, "no key update", members, inArray(members.id, guests), members.id);
  await lock(orderItems, isOf(orderItems.uid, "goods", "packages"), orderItems.orderSn);
  await lock(activityBookings, isOf(activityBookings.activityUid, "activities"), activityBookings.checkInCode);
  await lock(memberships, isOf(memberships.packageUid, "packages"), memberships.memberId);
  await lock(goods, isOf(goods.uid, "goods"), goods.uid);
  await lock(skus, isOf(skus.goodsUid, "goods"), skus.uid);
  await lock(packages, isOf(packages.uid, "packages"), packages.uid);
  await lock(activities, isOf(activities.uid, "activities"), activities.uid);
  await lock(stops, isOf(stops.campaignUid, "campaigns"), ...stopOrder);
}

type Order = (PgColumn | SQL)[];

async function lockRows(tx: Database, strength: "update" | "no key update", table: PgTable, condition: SQL, ...order: Order) {
  await tx
    .select({ locked: sql`1` })
    .from(table)
    .where(condition)
    .orderBy(...order)
    .for(strength);
}

/** In the order of requests that change several stops. */
const stopOrder = [stops.campaignUid, sql`${stops.stop} collate "C"`];

/** Locks shows and stops in the order of requests. */
export async function lockCapacity(tx: Database, uids: Record<"activities" | "campaigns", string[]>): Promise<void> {
  await lockRows(tx, "no key update", activities, inArray(activities.uid, uids.activities), activities.uid);
  await lockRows(tx, "no key update", stops, inArray(stops.campaignUid, uids.campaigns), ...stopOrder);
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
  await renameItems(tx, isNotNull(orderItems.skuUid), from, to);
  await tx.delete(goods).where(eq(goods.uid, from));
}

async function renameMovements(tx: Database, kind: "sku" | "package", from: string, to: string): Promise<void> {
  const old = and(eq(stockMovements.kind, kind), eq(stockMovements.uid, from));
  await tx.update(stockMovements).set({ uid: to }).where(old);
}

/** An item and a package may have the same uid. */
async function renameItems(tx: Database, isOfKind: SQL, from: string, to: string): Promise<void> {
  await tx
    .update(orderItems)
    .set({ uid: to })
    .where(and(eq(orderItems.uid, from), isOfKind));
}

async function renamePackage(tx: Database, from: string, to: string): Promise<void> {
  await copyRow(tx, packages, from, to);
  await renameMovements(tx, "package", from, to);
  await tx.update(memberships).set({ packageUid: to }).where(eq(memberships.packageUid, from));
  await renameItems(tx, isNull(orderItems.skuUid), from, to);
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
