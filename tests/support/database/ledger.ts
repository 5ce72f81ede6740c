import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Database } from "../../../server/db/database.ts";

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
