import { isNotNull, isNull } from "drizzle-orm";
import { longestWait, takeAdvisoryLock } from "#server/db/advisory-lock.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { activities, campaigns } from "#server/db/schema/booking.ts";
import { goods, packages, shops } from "#server/db/schema/catalogue.ts";
import { orderItems } from "#server/db/schema/order.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { describeAffected } from "./affected.ts";
import { adviseOnStock, compareShops, findChanges, requireSameShop } from "./differences.ts";
import { lockCapacity, renameAliases } from "./rename.ts";
import { inBatches, saveActivities, saveCampaign, saveGoods, savePackages, showInOrders, takeOffSale } from "./save.ts";
import { type Figures, readCatalogue, readPastStocks } from "./stored.ts";

const noFigures: Figures = { stock: {}, sold: {}, booked: {} };

/** Waits for the end of another application. Throws OperatorError after `maxWait` ms. */
export const lockCatalogue = (tx: Database, maxWait = longestWait) =>
  takeAdvisoryLock(tx, { key: 7_016_001, maxWait, owner: "another command, which applies a catalogue" });

/** Thrown to roll a plan back. */
class Planned extends Error {}

/** Returns what `applyCatalogue` would change, one sentence each, and advice. Changes nothing. Throws OperatorError as it does. */
export async function planCatalogue(db: Database, catalogue: Catalogue): Promise<{ sentences: string[]; advice: string[] }> {
  let sentences: string[] = [];
  try {
    await inTransaction(db, async (tx) => {
      sentences = await change(tx, catalogue, noFigures, true);
      throw new Planned();
    });
  } catch (error) {
    if (!(error instanceof Planned)) throw error;
  }
  return { sentences, advice: adviseOnStock(catalogue, await readCatalogue(db), await readPastStocks(db)) };
}

/**
 * Brings a catalogue into the database in one transaction; returns what has changed, one sentence each. Stock, sold and booked are those of `figures`, or of
 * the catalogue, in new rows alone. What is gone goes off sale. Throws OperatorError when the database holds another shop's catalogue, when a show or stop
 * would have fewer places than are booked, or when another application takes too long.
 */
export async function applyCatalogue(db: Database, catalogue: Catalogue, figures: Figures = noFigures): Promise<string[]> {
  return inTransaction(db, (tx) => change(tx, catalogue, figures));
}

async function change(tx: Database, catalogue: Catalogue, figures: Figures, isPlanned = false): Promise<string[]> {
  await lockCatalogue(tx);
  const before = await readCatalogue(tx);
  requireSameShop(before, catalogue);
  const renames = await renameAliases(tx, catalogue);
  const renamed = Object.values(renames).flatMap((some) => some.map(({ from, to }) => `${from} is now ${to}`));
  const stored = renamed.length > 0 ? await readCatalogue(tx) : before;
  const changes = {
    goods: findChanges("goods", catalogue, stored),
    packages: findChanges("packages", catalogue, stored),
    activities: findChanges("activities", catalogue, stored),
    campaigns: findChanges("campaigns", catalogue, stored),
  };
  const shopSentences = compareShops(stored.shop, catalogue.shop);
  if (shopSentences.length > 0) await saveShop(tx, catalogue.shop);
  // Before stock, as requests lock the items of an order first.
  await showInOrders(tx, changes.goods.saved, isNotNull(orderItems.skuUid));
  await showInOrders(tx, changes.packages.saved, isNull(orderItems.skuUid));
  await inBatches(changes.goods.saved, (saved) => saveGoods(tx, saved, figures));
  await inBatches(changes.packages.saved, (saved) => savePackages(tx, saved, figures));
  const toUids = ({ saved }: { saved: { entry: { uid: string } }[] }) => saved.map(({ entry }) => entry.uid);
  await lockCapacity(tx, { activities: toUids(changes.activities), campaigns: toUids(changes.campaigns) });
  await inBatches(changes.activities.saved, (saved) => saveActivities(tx, saved, figures));
  for (const { entry } of changes.campaigns.saved) await saveCampaign(tx, entry, figures);
  await takeOffSale(tx, goods, goods.uid, changes.goods.gone);
  await takeOffSale(tx, packages, packages.uid, changes.packages.gone);
  await takeOffSale(tx, activities, activities.uid, changes.activities.gone);
  await takeOffSale(tx, campaigns, campaigns.uid, changes.campaigns.gone);
  return [
    ...shopSentences,
    ...renamed,
    ...Object.values(changes).flatMap(({ sentences }) => sentences),
    // What is planned has its old uids until it is applied.
    ...(await describeAffected(tx, catalogue, stored, isPlanned ? renames : { activities: [], campaigns: [] })),
  ];
}

async function saveShop(tx: Database, { uid, title, postage }: Catalogue["shop"]): Promise<void> {
  const values = { uid, title, postageFen: postage.fen, freePostageFrom: postage.free_from_fen };
  await tx.insert(shops).values(values).onConflictDoUpdate({ target: shops.id, set: values });
}
