import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Database } from "#server/db/database.ts";
import { activities } from "#server/db/schema/booking.ts";
import { goods, packages } from "#server/db/schema/catalogue.ts";
import { readCatalogue } from "#server/modules/catalogue/stored.ts";
import type { CommandResult } from "#server/operator/command.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { newFolder } from "../processes/child-process.ts";

/** Books all seats of an activity for other members. */
export async function bookAllSeats(server: { db: Database }, uid: string): Promise<void> {
  await server.db
    .update(activities)
    .set({ booked: sql`${activities.capacity}` })
    .where(eq(activities.uid, uid));
}

// Changes that an operator makes to the catalogue while pages are open.

export async function sellOut(server: { db: Database }, skuUid: string): Promise<void> {
  await setStock(server.db, "skus", skuUid, 0);
}

export async function withdrawAllGoods(server: { db: Database }): Promise<void> {
  await server.db.update(goods).set({ onSale: false });
}

export async function changePackage(
  server: { db: Database },
  uid: string,
  change: Partial<Pick<typeof packages.$inferInsert, "onSale" | "payFen" | "stock">>,
): Promise<void> {
  await server.db.update(packages).set(change).where(eq(packages.uid, uid));
}

/** SQL of the stocks that are not the sum of their movements. */
export const ledgerQuery = `select kind, uid, stock, coalesce(sum(quantity), 0)::int as moved
  from (select 'sku' as kind, uid, stock from skus union all select 'package', uid, stock from packages where stock is not null) as stocks
  left join stock_movements using (kind, uid) group by kind, uid, stock having stock <> coalesce(sum(quantity), 0)`;

/** Fails unless first stock and movements make up each stock. */
export async function expectLedger(db: Database): Promise<void> {
  const wrong = await db
    .select({ uid: sql<string>`uid`, stock: sql<number>`stock`, moved: sql<number>`moved` })
    .from(sql`(${sql.raw(ledgerQuery)}) as wrong`);
  expect(wrong, "stocks that differ from the sum of their movements").toEqual([]);
}

/** Returns SQL that sets a stock as an operator's correction. */
export const setStockSql = (table: "skus" | "packages", uid: string, stock: number) => `
  with old as (select uid, stock from ${table} where uid = '${uid}'),
  changed as (update ${table} set stock = ${stock} where uid = '${uid}')
  insert into stock_movements (kind, uid, quantity, cause, why)
  select '${table === "skus" ? "sku" : "package"}', uid, ${stock} - coalesce(stock, 0), 'operator', 'test' from old`;

export async function setStock(db: Database, table: "skus" | "packages", uid: string, stock: number): Promise<void> {
  await db.execute(sql.raw(setStockSql(table, uid, stock)));
}

interface CatalogueServer {
  db: Database;
  runCommand(name: string, ...args: string[]): Promise<CommandResult>;
}

/** Writes a document of JSON into a new folder and returns its path. */
export function writeJson(content: object): string {
  const file = join(newFolder(), "catalogue.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Returns the catalogue of a server's database, and a function that plans or applies it with changes. */
export async function openCatalogue(server: CatalogueServer) {
  const { positions: _, shop, ...stored } = await readCatalogue(server.db);
  const catalogue: Catalogue = { ...stored, shop: shop ?? expect.fail("the database holds no catalogue") };
  const change = (verb: "plan" | "compare" | "apply", edit: (catalogue: Catalogue) => void) => {
    const edited = structuredClone(catalogue);
    edit(edited);
    return server.runCommand("catalogue", verb, writeJson(edited));
  };
  return { catalogue, change };
}

/** Finds an entry of a catalogue, to be changed. */
export const findEntry = <Entry extends { uid: string }>(entries: Entry[], uid: string): Entry =>
  entries.find((one) => one.uid === uid) ?? expect.fail(`no ${uid}`);
