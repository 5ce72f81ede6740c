import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Database } from "../db/database.ts";

const answer = v.object({ rows: v.array(v.record(v.string(), v.string())) });

/** The rows of a statement whose columns are all texts: both engines answer alike. */
export async function textRows(db: Database, statement: SQL): Promise<Record<string, string>[]> {
  return v.parse(answer, await db.execute(statement)).rows;
}

/** Left out of backups: keys are a database's own, and a backup holds none. */
export const ownTable = "settings";

/** What a backup holds of a table: all of it, but for the pay codes that the provider drew, which are large and are drawn again. */
export function contentOf(table: string): SQL {
  const whole = sql`select * from ${sql.identifier(table)}`;
  return table === "pay_codes" ? sql`${whole} where image is null` : whole;
}

/** How much goes between a command and the database at once: rows, and bytes of their text. */
export const rowsAtOnce = 500;
export const bytesAtOnce = 4 * 1024 * 1024;

/** Cuts a list into the longest groups that stay within `bytesAtOnce`; what is larger is a group by itself. */
export function* withinBytes<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number): Generator<Item[]> {
  let [group, bytes]: [Item[], number] = [[], 0];
  for (const item of items) {
    const size = sizeOf(item);
    if (group.length > 0 && bytes + size > bytesAtOnce) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(item);
    bytes += size;
  }
  if (group.length > 0) yield group;
}

/** Every other table, such that those that are referred to come before those that refer to them. */
export async function listTables(db: Database): Promise<string[]> {
  const tables = await textRows(
    db,
    sql`select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> ${ownTable} order by tablename`,
  );
  const references = await textRows(
    db,
    sql`select child.relname::text as child, parent.relname::text as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
      where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  );
  let left = tables.map(({ name = "" }) => name);
  const sorted: string[] = [];
  while (left.length > 0) {
    const waits = (name: string) => references.some(({ child, parent = "" }) => child === name && left.includes(parent));
    const free = left.filter((name) => !waits(name));
    if (free.length === 0) throw new Error("tables that refer to each other in a circle");
    sorted.push(...free);
    left = left.filter((name) => !free.includes(name));
  }
  return sorted;
}

/** The migrations that a database has, by their hashes, in their order. */
export async function listMigrations(db: Database): Promise<string[]> {
  const rows = await textRows(db, sql`select hash from drizzle.__drizzle_migrations order by created_at, id`);
  return rows.map(({ hash = "" }) => hash);
}
