import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";

const resultSchema = v.object({ rows: v.array(v.record(v.string(), v.string())) });

/** Returns the rows of a statement whose columns are all of type text: both engines return the same. */
export async function queryTextRows(db: Database, statement: SQL): Promise<Record<string, string>[]> {
  return v.parse(resultSchema, await db.execute(statement)).rows;
}

/** Excluded from backups, and unchanged by a restore: they contain the secret key, and keys that it encrypts. */
export const secretTables = ["settings", "signing_keys"];

/** Returns a table's name for SQL, with its schema: PostgreSQL would look for it among its own tables first. */
export const toTable = (name: string): SQL => sql`${sql.identifier("public")}.${sql.identifier(name)}`;

/** Selects what a backup contains of a table: all rows, except pay codes with an image, which are large and can be requested again. */
export function selectContent(table: string): SQL {
  const allRows = sql`select * from ${toTable(table)}`;
  return table === "pay_codes" ? sql`${allRows} where image is null` : allRows;
}

/** Limits of one batch between a command and the database, in rows and in bytes of their text. */
export const maxBatchRows = 500;
export const maxBatchBytes = 4 * 1024 * 1024;

/** Splits items into the longest chunks within `maxBatchBytes`; a larger item is a chunk of its own. */
export function* chunkByBytes<Item>(items: Iterable<Item>, getSize: (item: Item) => number): Generator<Item[]> {
  let [chunk, bytes]: [Item[], number] = [[], 0];
  for (const item of items) {
    const size = getSize(item);
    if (chunk.length > 0 && bytes + size > maxBatchBytes) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(item);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

/** Lists all tables but `secretTables`, each after the tables that it references. */
export async function listTables(db: Database): Promise<string[]> {
  const tables = await queryTextRows(
    db,
    sql`select tablename::text as name from pg_tables where schemaname = 'public' and tablename not in ${secretTables} order by tablename`,
  );
  const references = await queryTextRows(
    db,
    sql`select child.relname::text as child, parent.relname::text as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
      where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  );
  let remaining = tables.map(({ name = "" }) => name);
  const sorted: string[] = [];
  while (remaining.length > 0) {
    const isBlocked = (name: string) =>
      references.some(({ child, parent = "" }) => child === name && remaining.includes(parent));
    const free = remaining.filter((name) => !isBlocked(name));
    if (free.length === 0) throw new Error("tables reference each other in a circle");
    sorted.push(...free);
    remaining = remaining.filter((name) => !free.includes(name));
  }
  return sorted;
}

/** Time to wait for a lock, in ms: longer than any request holds one. */
const lockTimeout = 60_000;

/**
 * Runs `work` on its own PostgreSQL connection without the timeouts of requests, since reading or writing a whole database has no time limit. The embedded
 * database has a single connection without timeouts.
 */
export async function withDedicatedConnection<Result>(
  { config, db }: Context,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!config.DATABASE_URL) return work(db);
  const [{ withConnection }, { createPostgresDatabase }] = await Promise.all([
    import("#server/db/connection.ts"),
    import("#server/db/postgres.ts"),
  ]);
  return withConnection(config.DATABASE_URL, { lockTimeout }, (client) => work(createPostgresDatabase(client)));
}
