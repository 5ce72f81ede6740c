import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { Context } from "#server/context.ts";
import { type Database, getSqlState, inTransaction } from "#server/db/database.ts";
import { listAppliedMigrations, migrationsFolder } from "#server/db/migrations.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { readHeader, readRows } from "./backup.ts";
import { type Command, parseArguments } from "./command.ts";
import {
  listTables,
  maxBatchBytes,
  maxBatchRows,
  queryTextRows,
  secretTables,
  toTable,
  withDedicatedConnection,
} from "./tables.ts";

const usage = `npm run restore -- <file>
npm run restore -- <file> --replace everything`;

/** Creates the command that restores a backup, atomically, into an empty database, or with `--replace everything` in place of all rows. */
export function restoreCommand(context: Context): Command {
  return async (args) => {
    const { rest, options } = parseArguments(args, ["replace"]);
    const [file, ...more] = rest;
    const replace = options.get("replace");
    if (!file || more.length > 0 || (replace && replace !== "everything")) throw new OperatorError(usage);
    const { migrations, at } = await readHeader(file);
    const ownMigrations = readMigrationFiles({ migrationsFolder });
    checkMigrations(file, migrations, ownMigrations);
    let rows = 0;
    // Reads the whole file before any change: most damage shows at its end.
    for await (const _ of readRows(file)) rows += 1;
    const write = (tx: Database) => restore(tx, file, ownMigrations, migrations.length, replace !== undefined);
    await withDedicatedConnection(context, (db) => inTransaction(db, write)).catch((error: unknown) => {
      if (!/^(22|23|42|54)/.test(getSqlState(error))) throw error;
      throw new OperatorError(`${file} does not fit into this database (${getSqlState(error)}): nothing was restored.`);
    });
    return `${rows} rows are restored as of ${at}.`;
  };
}

/** Throws OperatorError unless the backup's migrations are this version's, or the first ones of them. */
function checkMigrations(file: string, migrations: string[], ownMigrations: MigrationMeta[]): void {
  const difference = migrations.findIndex((hash, index) => ownMigrations[index]?.hash !== hash);
  if (difference === ownMigrations.length) {
    throw new OperatorError(
      `${file} was written by a newer version of this server: restore it with that version. Nothing was changed.`,
    );
  }
  if (difference !== -1 || migrations.length === 0) {
    throw new OperatorError(`${file} belongs to a database with other migrations: nothing was changed.`);
  }
}

/** Restores the rows. `fileMigrations` is the number of migrations that the backup's database had. */
async function restore(
  tx: Database,
  file: string,
  ownMigrations: MigrationMeta[],
  fileMigrations: number,
  replace: boolean,
): Promise<void> {
  const applied = await listAppliedMigrations(tx);
  if (applied.length !== ownMigrations.length) throw new OperatorError("This database is of another version than this server.");
  const tables = await listTables(tx);
  await tx.execute(sql`lock table ${toTableList(tables)} in access exclusive mode`);
  if (!replace) await checkEmpty(tx, tables);
  if (fileMigrations === ownMigrations.length) await tx.execute(sql`truncate ${toTableList(tables)}`);
  else {
    // An older backup is inserted into the tables of its version, which are then migrated.
    for (const table of secretTables)
      await tx.execute(sql`create temporary table ${toSaved(table)} on commit drop as select * from ${toTable(table)}`);
    await tx.execute(sql`drop table ${toTableList([...tables, ...secretTables])} cascade`);
    await runMigrations(tx, ownMigrations.slice(0, fileMigrations));
  }
  // Those of the backup's version, which this one's migrations may rename.
  const own = new Set(await listTables(tx));
  let batch: string[] = [];
  let [target, bytes] = ["", 0];
  for await (const { table, json } of readRows(file)) {
    if (!own.has(table))
      throw new OperatorError(`${file} has rows of ${table}, which is no table of a shop: nothing was restored.`);
    const size = Buffer.byteLength(json);
    if (table !== target || batch.length === maxBatchRows || bytes + size > maxBatchBytes) {
      await insert(tx, target, batch);
      [batch, target, bytes] = [[], table, 0];
    }
    batch.push(json);
    bytes += size;
  }
  await insert(tx, target, batch);
  if (fileMigrations < ownMigrations.length) {
    await runMigrations(tx, ownMigrations.slice(fileMigrations));
    for (const table of secretTables) await tx.execute(sql`insert into ${toTable(table)} select * from ${toSaved(table)}`);
  }
  await continueSequences(tx);
}

/** What every server writes by itself: the seed, and what WeChat answers once a day. */
const ownTables = new Set(["concerts", "carriers", "daily_answers"]);

/** Throws OperatorError when a table has rows that a server does not write by itself. */
async function checkEmpty(tx: Database, tables: string[]): Promise<void> {
  for (const table of tables.filter((name) => !ownTables.has(name))) {
    const [row] = await queryTextRows(tx, sql`select 'yes' as full where exists (select from ${toTable(table)})`);
    if (row) {
      throw new OperatorError(
        "The database is not empty (one that a server has set up with a catalogue or with DEMO=true never is): nothing was changed. --replace everything deletes all its rows first.",
      );
    }
  }
}

async function runMigrations(tx: Database, migrations: MigrationMeta[]): Promise<void> {
  for (const statement of migrations.flatMap((migration) => migration.sql)) await tx.execute(sql.raw(statement));
}

async function insert(tx: Database, table: string, rows: string[]): Promise<void> {
  if (rows.length === 0) return;
  const into = toTable(table);
  const json = `[${rows.join(",")}]`;
  await tx.execute(
    sql`insert into ${into} overriding system value select * from json_populate_recordset(null::${into}, ${json}::json)`,
  );
}

/** Sets each identity sequence behind the highest restored id. */
async function continueSequences(tx: Database): Promise<void> {
  const columns = await queryTextRows(
    tx,
    sql`select table_name::text as "table", column_name::text as "column" from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES'`,
  );
  for (const { table = "", column = "" } of columns) {
    const [from, id] = [toTable(table), sql.identifier(column)];
    await tx.execute(
      sql`select setval(pg_get_serial_sequence(${`public."${table}"`}, ${column}), (select coalesce(max(${id}), 0) + 1 from ${from}), false)`,
    );
  }
}

const toSaved = (table: string) => sql.identifier(`saved_${table}`);
const toTableList = (tables: string[]) => sql.join(tables.map(toTable), sql`, `);
