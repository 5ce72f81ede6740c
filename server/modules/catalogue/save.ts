import { and, eq, getTableColumns, inArray, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "#server/db/database.ts";
import { activities, campaigns, stops } from "#server/db/schema/booking.ts";
import { goods, packages, skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { orderItems } from "#server/db/schema/order.ts";
import { OperatorError } from "#server/lib/errors.ts";
import type { CatalogueCampaign, CatalogueGoods } from "#src/content/catalogue.ts";
import type { Changes, Kind } from "./differences.ts";
import type { Figures } from "./stored.ts";

// Writes changed entries of a catalogue, many in one statement: thousands of statements would hold the locks of buyers for seconds. A row is an entry, with the
// columns that have another name or value there; Drizzle leaves out what is no column.

type OnSaleTable = PgTable & { onSale: PgColumn };

export async function takeOffSale(tx: Database, table: OnSaleTable, uid: PgColumn, uids: string[]): Promise<void> {
  if (uids.length > 0) await tx.update(table).set({ onSale: false }).where(inArray(uid, uids));
}

/** Rows of one statement, which has 65,535 values at most. */
const batchSize = 500;

export async function inBatches<Item>(items: Item[], save: (batch: Item[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += batchSize) await save(items.slice(from, from + batchSize));
}

/** Returns the assignments of an upsert of several rows: the columns of `values` as they would be inserted. */
function toExcluded(table: PgTable, values: object = {}): Record<string, SQL> {
  const columns = getTableColumns(table);
  return Object.fromEntries(
    Object.keys(values).flatMap((key) => {
      const column = columns[key];
      // A key in an assignment would lock out all that refers to the row.
      return column && !column.primary ? [[key, sql`excluded.${sql.identifier(column.name)}`]] : [];
    }),
  );
}

type Saved<K extends Kind> = Changes<K>["saved"];

/** Orders show what is sold today: a picture's address changes with its content. `isOfKind`: an item and a package may have the same uid. */
export async function showInOrders(tx: Database, saved: Saved<"goods" | "packages">, isOfKind: SQL): Promise<void> {
  const images = Object.fromEntries(
    saved.flatMap(({ entry: { uid, images } }) => {
      const [zh, en] = [images["zh-CN"][0], images["en-US"][0]];
      return zh && en ? [[uid, { "zh-CN": zh, "en-US": en }]] : [];
    }),
  );
  if (Object.keys(images).length === 0) return;
  await tx.execute(sql`update ${orderItems} set image = shown.image
    from jsonb_each(${JSON.stringify(images)}::jsonb) as shown (uid, image)
    where ${orderItems.uid} = shown.uid and ${orderItems.image} <> shown.image and ${isOfKind}`);
}

export async function saveGoods(tx: Database, saved: Saved<"goods">, { stock, sold }: Figures): Promise<void> {
  const rows = saved.map(({ entry, position }) => ({
    ...entry,
    listPriceFen: entry.list_price_fen,
    limitPerMember: entry.limit_per_member,
    onSale: entry.on_sale,
    shipsAt: entry.ships_at === null ? null : new Date(entry.ships_at),
    position,
  }));
  await tx
    .insert(goods)
    .values(rows.map((row) => ({ ...row, sold: sold[row.uid] ?? 0 })))
    .onConflictDoUpdate({ target: goods.uid, set: toExcluded(goods, rows[0]) });
  await saveSkus(
    tx,
    saved.map(({ entry }) => entry),
    stock,
  );
}

/** Writes the SKUs that differ: buyers wait for a row that is written. */
async function saveSkus(tx: Database, items: CatalogueGoods[], stock: Figures["stock"]): Promise<void> {
  const rows = items.flatMap((item) =>
    item.skus.map(({ uid, values, pay_fen: payFen }, position) => {
      return { uid, goodsUid: item.uid, values, payFen, position, onSale: true };
    }),
  );
  const uids = new Set(rows.map(({ uid }) => uid));
  const ofItems = inArray(
    skus.goodsUid,
    items.map(({ uid }) => uid),
  );
  const stored = await tx
    .select()
    .from(skus)
    .where(or(ofItems, inArray(skus.uid, [...uids])));
  const byUid = new Map(stored.map((sku) => [sku.uid, sku]));
  for (const { uid, goodsUid } of rows) {
    const owner = byUid.get(uid)?.goodsUid ?? goodsUid;
    if (owner !== goodsUid)
      throw new OperatorError(`goods/${goodsUid}: the SKU ${uid} belongs to goods/${owner}: nothing was changed.`);
  }
  const toText = ({ values, payFen, position, onSale }: Omit<(typeof rows)[number], "uid" | "goodsUid">) =>
    JSON.stringify([values["zh-CN"], values["en-US"], payFen, position, onSale]);
  const changed = rows.filter((row) => {
    const old = byUid.get(row.uid);
    return !old || toText(old) !== toText(row);
  });
  const gone = stored.filter(({ uid, onSale }) => onSale && !uids.has(uid));
  // Off sale first, so that two SKUs may exchange their values.
  const offSale = [...gone, ...changed].map(({ uid }) => uid);
  await takeOffSale(tx, skus, skus.uid, offSale);
  const first = new Map(items.flatMap((item) => item.skus.map((sku) => [sku.uid, stock[`sku/${sku.uid}`] ?? sku.stock])));
  await inBatches(changed, async (batch) => {
    await tx
      .insert(skus)
      .values(batch.map((row) => ({ ...row, stock: first.get(row.uid) ?? 0 })))
      .onConflictDoUpdate({ target: skus.uid, set: toExcluded(skus, batch[0]) });
    const added = batch.filter(({ uid }) => !byUid.has(uid));
    await recordStock(tx, "sku", new Map(added.map(({ uid }) => [uid, first.get(uid) ?? 0])));
  });
}

/** Inserts the movements of stocks that the catalogue sets: those of new rows, and of packages that are limited from now on, or no longer. */
async function recordStock(tx: Database, kind: "sku" | "package", quantities: Map<string, number>): Promise<void> {
  const rows = [...quantities].map(([uid, quantity]) => ({ kind, uid, quantity, cause: "first" as const }));
  if (rows.length > 0) await tx.insert(stockMovements).values(rows);
}

export async function savePackages(tx: Database, saved: Saved<"packages">, { stock }: Figures): Promise<void> {
  const uids = saved.map(({ entry }) => entry.uid);
  // Locked, so that nobody buys between reading a stock and writing it.
  const stored = await tx
    .select({ uid: packages.uid, stock: packages.stock })
    .from(packages)
    .where(inArray(packages.uid, uids))
    .orderBy(packages.uid)
    .for("no key update");
  const left = new Map(stored.map((row) => [row.uid, row.stock]));
  const rows = saved.map(({ entry, position }) => ({
    ...entry,
    freePostage: entry.free_postage,
    priceFen: entry.price_fen,
    payFen: entry.pay_fen,
    onSale: entry.on_sale,
    position,
    // Limited or not is a fact of the file; how many are left is the database's.
    stock: entry.stock === null ? null : (left.get(entry.uid) ?? stock[`package/${entry.uid}`] ?? entry.stock),
  }));
  await tx
    .insert(packages)
    .values(rows)
    .onConflictDoUpdate({ target: packages.uid, set: toExcluded(packages, rows[0]) });
  const moved = rows.flatMap(({ uid, stock }) => {
    const before = left.get(uid) ?? null;
    return (before === null) === (stock === null) ? [] : [[uid, (stock ?? 0) - (before ?? 0)] as const];
  });
  await recordStock(tx, "package", new Map(moved));
}

export async function saveActivities(tx: Database, saved: Saved<"activities">, figures: Figures): Promise<void> {
  const rows = saved.map(({ entry }) => ({
    ...entry,
    startsAt: new Date(entry.starts_at),
    endsAt: new Date(entry.ends_at),
    opensAt: new Date(entry.opens_at),
    closesAt: new Date(entry.closes_at),
    capacity: entry.places,
    onSale: entry.on_sale,
  }));
  const uids = rows.map(({ uid }) => uid);
  const stored = await tx
    .select({ uid: activities.uid, booked: activities.booked })
    .from(activities)
    .where(inArray(activities.uid, uids));
  const booked = new Map(stored.map((row) => [row.uid, row.booked]));
  for (const { uid, capacity } of rows) requirePlaces(`event/${uid}: places`, capacity, booked.get(uid));
  await tx
    .insert(activities)
    .values(rows.map((row) => ({ ...row, booked: figures.booked[row.uid] ?? 0 })))
    .onConflictDoUpdate({ target: activities.uid, set: toExcluded(activities, rows[0]) });
}

/** Throws OperatorError when more places are booked than there would be. */
function requirePlaces(name: string, capacity: number, booked = 0): void {
  if (booked > capacity) throw new OperatorError(`${name} is ${capacity}, but ${booked} are booked: nothing was changed.`);
}

export async function saveCampaign(tx: Database, entry: CatalogueCampaign, figures: Figures): Promise<void> {
  const { uid, title, on_sale: onSale } = entry;
  const values = { title, opensAt: new Date(entry.opens_at), closesAt: new Date(entry.closes_at), onSale };
  await tx
    .insert(campaigns)
    .values({ uid, ...values })
    .onConflictDoUpdate({ target: campaigns.uid, set: values });
  const stored = await tx.select().from(stops).where(eq(stops.campaignUid, uid));
  const taken = new Map(stored.map((row) => [row.stop, row.taken]));
  const rows = entry.stops.map(({ stop, city, venue, starts_at, status, moved_from, places: capacity }) => {
    requirePlaces(`campaign/${uid}: places of the stop ${stop}`, capacity, taken.get(stop));
    const movedFrom = moved_from === null ? null : new Date(moved_from);
    return { campaignUid: uid, stop, city, venue, startsAt: new Date(starts_at), status, movedFrom, capacity, onSale: true };
  });
  const names = rows.map(({ stop }) => stop);
  await tx
    .update(stops)
    .set({ onSale: false })
    .where(and(eq(stops.campaignUid, uid), notInArray(stops.stop, names)));
  const { campaignUid: _, stop: __, ...columns } = rows[0] ?? {};
  await tx
    .insert(stops)
    .values(rows.map((row) => ({ ...row, taken: figures.booked[`${uid}/${row.stop}`] ?? 0 })))
    .onConflictDoUpdate({ target: [stops.campaignUid, stops.stop], set: toExcluded(stops, columns) });
}
