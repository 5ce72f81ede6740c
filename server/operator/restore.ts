import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { Context } from "../context.ts";
import { type Database, inTransaction, sqlState } from "../db/database.ts";
import { migrationsFolder } from "../db/migrations.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { readHead, rowsOf } from "./backup-file.ts";
import { type Command, readArguments } from "./command.ts";
import { onOwnConnection } from "./own-connection.ts";
import { bytesAtOnce, listMigrations, listTables, ownTable, rowsAtOnce, textRows } from "./tables.ts";

const usage = `npm run restore -- <file>
npm run restore -- <file> --replace everything`;

/** Puts a backup into a database with nothing in it, or, where that is said, in place of everything that is. All of it, or nothing. */
export function restoreCommand(context: Context): Command {
  return async (args) => {
    const { rest, options } = readArguments(args, ["replace"]);
    const [file, ...more] = rest;
    const replace = options.get("replace");
    if (!file || more.length > 0 || (replace && replace !== "everything")) throw new OperatorError(usage);
    const { migrations, at } = await readHead(file);
    const known = readMigrationFiles({ migrationsFolder });
    mustBeKnown(file, migrations, known);
    let rows = 0;
    // Read to its end before anything is touched: a fault is usually the last thing in it.
    for await (const _ of rowsOf(file)) rows += 1;
    const write = (tx: Database) => put(tx, file, known, migrations.length, replace !== undefined);
    await onOwnConnection(context, (db) => inTransaction(db, write)).catch((error: unknown) => {
      if (!/^(22|23|42)/.test(sqlState(error))) throw error;
      throw new OperatorError(`${file} does not fit into this database (${sqlState(error)}): nothing was restored.`);
    });
    return `${rows} rows are restored, as they were at ${at}.`;
  };
}

function mustBeKnown(file: string, migrations: string[], known: MigrationMeta[]): void {
  const differs = migrations.findIndex((hash, n) => known[n]?.hash !== hash);
  if (differs === known.length) {
    throw new OperatorError(`${file} was made by a newer version of this host: restore it with that one. Nothing was changed.`);
  }
  if (differs !== -1 || migrations.length === 0) {
    throw new OperatorError(`${file} is of a database with another history than this one's: nothing was changed.`);
  }
}

async function put(tx: Database, file: string, known: MigrationMeta[], had: number, replace: boolean): Promise<void> {
  const now = await listMigrations(tx);
  if (now.length !== known.length) throw new OperatorError("This database is of another version than this host.");
  const tables = await listTables(tx);
  await tx.execute(sql`lock table ${names(tables)} in access exclusive mode`);
  if (!replace) await mustBeEmpty(tx, tables);
  const own = sql.identifier(ownTable);
  if (had === known.length) await tx.execute(sql`truncate ${names(tables)}`);
  else {
    // An older one goes into tables as they were then, and takes the same way from there as a database would.
    await tx.execute(sql`create temporary table kept on commit drop as select * from ${own}`);
    await tx.execute(sql`drop table ${names([...tables, ownTable])} cascade`);
    await run(tx, known.slice(0, had));
  }
  let batch: string[] = [];
  let [into, bytes] = ["", 0];
  for await (const { table, json } of rowsOf(file)) {
    const size = Buffer.byteLength(json);
    if (table !== into || batch.length === rowsAtOnce || bytes + size > bytesAtOnce) {
      await insert(tx, into, batch);
      [batch, into, bytes] = [[], table, 0];
    }
    batch.push(json);
    bytes += size;
  }
  await insert(tx, into, batch);
  if (had < known.length) {
    await run(tx, known.slice(had));
    await tx.execute(sql`insert into ${own} select * from kept`);
  }
  await continueSequences(tx);
}

/** The concert that every database is sown with does not count. */
async function mustBeEmpty(tx: Database, tables: string[]): Promise<void> {
  for (const table of tables.filter((name) => name !== "concerts")) {
    const [row] = await textRows(tx, sql`select 'yes' as full where exists (select from ${sql.identifier(table)})`);
    if (row) {
      throw new OperatorError(
        "The database is not empty (with SEED=demo it never is): nothing was changed. With --replace everything, all that is in it makes way.",
      );
    }
  }
}

async function run(tx: Database, migrations: MigrationMeta[]): Promise<void> {
  for (const statement of migrations.flatMap((one) => one.sql)) await tx.execute(sql.raw(statement));
}

async function insert(tx: Database, table: string, rows: string[]): Promise<void> {
  if (rows.length === 0) return;
  const into = sql.identifier(table);
  const given = `[${rows.join(",")}]`;
  await tx.execute(
    sql`insert into ${into} overriding system value select * from json_populate_recordset(null::${into}, ${given}::json)`,
  );
}

async function continueSequences(tx: Database): Promise<void> {
  const columns = await textRows(
    tx,
    sql`select table_name::text as "table", column_name::text as "column" from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES'`,
  );
  for (const { table = "", column = "" } of columns) {
    const [from, id] = [sql.identifier(table), sql.identifier(column)];
    await tx.execute(
      sql`select setval(pg_get_serial_sequence(${table}, ${column}), (select coalesce(max(${id}), 0) + 1 from ${from}), false)`,
    );
  }
}

const names = (tables: string[]) =>
  sql.join(
    tables.map((name) => sql.identifier(name)),
    sql`, `,
  );
