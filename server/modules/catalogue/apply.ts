import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Catalogue, CatalogueActivity, CatalogueCampaign, CatalogueGoods } from "../../../src/content/catalogue.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { activities, campaigns, stops } from "../../db/schema/booking.ts";
import { goods, packages, shops, skus, stockMovements } from "../../db/schema/catalogue.ts";
import { orderItems } from "../../db/schema/order.ts";
import { OperatorError } from "../../lib/errors.ts";
import { adviseOnStock, type Changes, compareShops, findChanges } from "./differences.ts";
import { renameAliases } from "./rename.ts";
import { type Figures, readCatalogue, readPastStocks } from "./stored.ts";

const noFigures: Figures = { stock: {}, sold: {}, booked: {} };
/** Key of the advisory lock that orders two applications. */
const lockKey = 7_016_001;

/** Thrown to roll a plan back. */
class Planned extends Error {}

/** Returns what `applyCatalogue` would change, one sentence each, and advice. Changes nothing. Throws OperatorError as it does. */
export async function planCatalogue(db: Database, catalogue: Catalogue): Promise<{ sentences: string[]; advice: string[] }> {
  let sentences: string[] = [];
  try {
    await inTransaction(db, async (tx) => {
      sentences = await change(tx, catalogue, noFigures);
      throw new Planned();
    });
  } catch (error) {
    if (!(error instanceof Planned)) throw error;
  }
  return { sentences, advice: adviseOnStock(catalogue, await readCatalogue(db), await readPastStocks(db)) };
}

/**
 * Brings a catalogue into the database in one transaction; returns what has changed, one sentence each. Stock, sold and booked are those of `figures`, or of
 * the catalogue, in new rows alone. What is gone goes off sale. Throws OperatorError when the database holds another shop's catalogue, or when a
 * show or stop would have fewer places than are booked.
 */
export async function applyCatalogue(db: Database, catalogue: Catalogue, figures: Figures = noFigures): Promise<string[]> {
  return inTransaction(db, (tx) => change(tx, catalogue, figures));
}

async function change(tx: Database, catalogue: Catalogue, figures: Figures): Promise<string[]> {
  // On PGlite, which has one connection, transactions follow each other anyway.
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`);
  const before = await readCatalogue(tx);
  await requireSameShop(before, catalogue);
  const renamed = await renameAliases(tx, catalogue);
  const stored = renamed.length > 0 ? await readCatalogue(tx) : before;
  const changes = {
    goods: findChanges("goods", catalogue, stored),
    packages: findChanges("packages", catalogue, stored),
    activities: findChanges("activities", catalogue, stored),
    campaigns: findChanges("campaigns", catalogue, stored),
  };
  const shopSentences = compareShops(stored.shop, catalogue.shop);
  if (shopSentences.length > 0) await saveShop(tx, catalogue.shop);
  await saveGoods(tx, changes.goods, figures);
  await savePackages(tx, changes.packages, figures);
  await saveActivities(tx, changes.activities, figures);
  for (const { entry } of changes.campaigns.saved) await saveCampaign(tx, entry, figures);
  await takeOffSale(tx, goods, goods.uid, changes.goods.gone);
  await takeOffSale(tx, packages, packages.uid, changes.packages.gone);
  await takeOffSale(tx, activities, activities.uid, changes.activities.gone);
  await takeOffSale(tx, campaigns, campaigns.uid, changes.campaigns.gone);
  await recordFirstStock(tx);
  return [...shopSentences, ...renamed, ...Object.values(changes).flatMap(({ sentences }) => sentences)];
}

/** A database from before shops had names holds this shop's catalogue when one of its uids is in it. */
async function requireSameShop(stored: Awaited<ReturnType<typeof readCatalogue>>, catalogue: Catalogue): Promise<void> {
  if (stored.shop?.uid === catalogue.shop.uid) return;
  if (stored.shop)
    throw new OperatorError(
      `This database holds the catalogue of the shop "${stored.shop.uid}", and the files are those of "${catalogue.shop.uid}": nothing was changed. Each shop has its own database (DATA_DIR or DATABASE_URL).`,
    );
  const toUids = ({ goods, packages, activities, campaigns }: Omit<Catalogue, "shop">) =>
    [...goods, ...packages, ...activities, ...campaigns].flatMap(({ uid, aliases }) => [uid, ...aliases]);
  const own = new Set(toUids(catalogue));
  const found = toUids(stored);
  if (found.length > 0 && !found.some((uid) => own.has(uid)))
    throw new OperatorError(
      `This database holds the catalogue of another shop (${found.slice(0, 3).join(", ")}), and nothing of "${catalogue.shop.uid}": nothing was changed. Each shop has its own database (DATA_DIR or DATABASE_URL).`,
    );
}

async function saveShop(tx: Database, { uid, title, postage }: Catalogue["shop"]): Promise<void> {
  const values = { uid, title, postageFen: postage.fen, freePostageFrom: postage.free_from_fen };
  await tx.insert(shops).values(values).onConflictDoUpdate({ target: shops.id, set: values });
}

/** Inserts the movements that no row of `stock_movements` tells of: the first stock of new SKUs and packages, and packages whose stock is limited from now on, or no longer. */
async function recordFirstStock(tx: Database): Promise<void> {
  await tx.execute(sql`insert into ${stockMovements} (kind, uid, quantity, cause)
    select kind, uid, stock - moved, 'first' from (
      select 'sku' as kind, uid, stock, 0 as moved, exists (select from ${stockMovements} m where m.kind = 'sku' and m.uid = ${skus}.uid) as recorded from ${skus}
      union all
      select 'package', uid, coalesce(stock, 0), coalesce((select sum(quantity) from ${stockMovements} m where m.kind = 'package' and m.uid = ${packages}.uid), 0)::int, false from ${packages}
    ) as stocks where not recorded and (kind = 'sku' or stock <> moved)`);
}

type OnSaleTable = PgTable & { onSale: PgColumn };

async function takeOffSale(tx: Database, table: OnSaleTable, uid: PgColumn, uids: string[]): Promise<void> {
  if (uids.length > 0) await tx.update(table).set({ onSale: false }).where(inArray(uid, uids));
}

async function saveGoods(tx: Database, { saved }: Changes<"goods">, { stock, sold }: Figures): Promise<void> {
  for (const { entry, position } of saved) {
    const values = {
      title: entry.title,
      summary: entry.summary,
      detail: entry.detail,
      category: entry.category,
      images: entry.images,
      specs: entry.specs,
      listPriceFen: entry.list_price_fen,
      limitPerMember: entry.limit_per_member,
      onSale: entry.on_sale,
      position,
    };
    await tx
      .insert(goods)
      .values({ uid: entry.uid, ...values, sold: sold[entry.uid] ?? 0 })
      .onConflictDoUpdate({ target: goods.uid, set: values });
    await saveSkus(tx, entry, stock);
    await showInOrders(tx, entry);
  }
}

/** Orders show what is sold today: a picture's address changes with its content. */
async function showInOrders(tx: Database, { uid, images }: Pick<CatalogueGoods, "uid" | "images">): Promise<void> {
  const [zh, en] = [images["zh-CN"][0], images["en-US"][0]];
  if (!zh || !en) return;
  const image = { "zh-CN": zh, "en-US": en };
  await tx
    .update(orderItems)
    .set({ image })
    .where(and(eq(orderItems.uid, uid), sql`${orderItems.image} <> ${JSON.stringify(image)}::jsonb`));
}

async function saveSkus(tx: Database, item: CatalogueGoods, stock: Figures["stock"]): Promise<void> {
  // Off sale first, so that two SKUs may exchange their values.
  await tx.update(skus).set({ onSale: false }).where(eq(skus.goodsUid, item.uid));
  const uids = item.skus.map(({ uid }) => uid);
  const foreign = await tx
    .select({ uid: skus.uid, goodsUid: skus.goodsUid })
    .from(skus)
    .where(and(inArray(skus.uid, uids), sql`${skus.goodsUid} <> ${item.uid}`));
  for (const { uid, goodsUid } of foreign)
    throw new OperatorError(`goods/${item.uid}: the SKU ${uid} belongs to goods/${goodsUid}: nothing was changed.`);
  for (const [index, sku] of item.skus.entries()) {
    const values = { values: sku.values, payFen: sku.pay_fen, position: index, onSale: true };
    await tx
      .insert(skus)
      .values({ uid: sku.uid, goodsUid: item.uid, ...values, stock: stock[sku.uid] ?? sku.stock })
      .onConflictDoUpdate({ target: skus.uid, set: values });
  }
}

async function savePackages(tx: Database, { saved }: Changes<"packages">, { stock }: Figures): Promise<void> {
  for (const { entry, position } of saved) {
    const values = {
      level: entry.level,
      days: entry.days,
      title: entry.title,
      summary: entry.summary,
      rights: entry.rights,
      images: entry.images,
      freePostage: entry.free_postage,
      priceFen: entry.price_fen,
      payFen: entry.pay_fen,
      badge: entry.badge,
      limit: entry.limit,
      onSale: entry.on_sale,
      position,
    };
    const first = entry.stock === null ? null : (stock[entry.uid] ?? entry.stock);
    // Limited or not is a fact of the file; how many are left is the database's.
    const limited = sql`case when ${first}::int is null then null else coalesce(${packages.stock}, ${first}::int) end`;
    await tx
      .insert(packages)
      .values({ uid: entry.uid, ...values, stock: first })
      .onConflictDoUpdate({ target: packages.uid, set: { ...values, stock: limited } });
    await showInOrders(tx, entry);
  }
}

async function saveActivities(tx: Database, { saved }: Changes<"activities">, figures: Figures): Promise<void> {
  for (const { entry } of saved) {
    const values = {
      title: entry.title,
      venue: entry.venue,
      city: entry.city,
      startsAt: new Date(entry.starts_at),
      endsAt: new Date(entry.ends_at),
      opensAt: new Date(entry.opens_at),
      closesAt: new Date(entry.closes_at),
      early: entry.early,
      capacity: await requirePlaces(tx, entry),
      onSale: entry.on_sale,
    };
    await tx
      .insert(activities)
      .values({ uid: entry.uid, ...values, booked: figures.booked[entry.uid] ?? 0 })
      .onConflictDoUpdate({ target: activities.uid, set: values });
  }
}

/** Returns the places of an activity. Locks its row, so that nobody books meanwhile. Throws OperatorError when more are booked. */
async function requirePlaces(tx: Database, { uid, places: capacity }: CatalogueActivity): Promise<number> {
  const [row] = await tx.select({ booked: activities.booked }).from(activities).where(eq(activities.uid, uid)).for("update");
  if (row && row.booked > capacity)
    throw new OperatorError(`event/${uid}: places is ${capacity}, but ${row.booked} are booked: nothing was changed.`);
  return capacity;
}

async function saveCampaign(tx: Database, entry: CatalogueCampaign, figures: Figures): Promise<void> {
  const { uid, title, on_sale: onSale } = entry;
  const values = { title, opensAt: new Date(entry.opens_at), closesAt: new Date(entry.closes_at), onSale };
  await tx
    .insert(campaigns)
    .values({ uid, ...values })
    .onConflictDoUpdate({ target: campaigns.uid, set: values });
  const names = entry.stops.map(({ stop }) => stop);
  await tx
    .update(stops)
    .set({ onSale: false })
    .where(and(eq(stops.campaignUid, uid), notInArray(stops.stop, names)));
  for (const { stop, city, venue, starts_at, places: capacity } of entry.stops) {
    const byStop = and(eq(stops.campaignUid, uid), eq(stops.stop, stop));
    const [row] = await tx.select({ taken: stops.taken }).from(stops).where(byStop).for("update");
    if (row && row.taken > capacity)
      throw new OperatorError(
        `campaign/${uid}: places of the stop ${stop} is ${capacity}, but ${row.taken} are booked: nothing was changed.`,
      );
    const stopValues = { city, venue, startsAt: new Date(starts_at), capacity, onSale: true };
    await tx
      .insert(stops)
      .values({ campaignUid: uid, stop, ...stopValues, taken: figures.booked[`${uid}/${stop}`] ?? 0 })
      .onConflictDoUpdate({ target: [stops.campaignUid, stops.stop], set: stopValues });
  }
}
