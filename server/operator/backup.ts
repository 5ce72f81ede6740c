import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import type { Database } from "../db/database.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { type BackupRow, writeBackup } from "./backup-file.ts";
import { type Command, parseArguments } from "./command.ts";
import { withDedicatedConnection } from "./dedicated-connection.ts";
import { chunkByBytes, listMigrations, listTables, maxBatchRows, queryTextRows, selectContent } from "./tables.ts";

/** Creates the command that writes a consistent snapshot of the database into a file that both engines can restore. */
export function backupCommand(context: Context): Command {
  return async (args) => {
    const { rest } = parseArguments(args, []);
    const [file, ...more] = rest;
    if (!file || more.length > 0) throw new OperatorError("npm run backup -- <file>");
    const write = async (tx: Database) => {
      // Makes the format of times independent of the server's time zone.
      await tx.execute(sql`set local timezone = 'UTC'`);
      // Makes two cursors on one table return rows in the same order.
      await tx.execute(sql`set local synchronize_seqscans = off`);
      const header = { format: 1, at: context.now().toISOString(), migrations: await listMigrations(tx) } as const;
      return writeBackup(file, header, readTables(tx));
    };
    const snapshot = "isolation level repeatable read, read only";
    const rows = await withDedicatedConnection(context, (db) => db.runTransaction(write, snapshot));
    return `${rows} rows are in ${file}.`;
  };
}

/** Reads all rows. A second cursor returns their sizes first, so that a batch exceeds `maxBatchBytes` only by a single row. */
async function* readTables(tx: Database): AsyncGenerator<BackupRow> {
  for (const table of await listTables(tx)) {
    const rows = sql`select row_to_json(t)::text as json from (${selectContent(table)}) t`;
    await tx.execute(sql`declare every_row no scroll cursor for ${rows}`);
    await tx.execute(sql`declare every_size no scroll cursor for select octet_length(json)::text as bytes from (${rows}) r`);
    for (;;) {
      const sizes = await queryTextRows(tx, sql.raw(`fetch ${maxBatchRows} from every_size`));
      for (const { length } of chunkByBytes(sizes, ({ bytes }) => Number(bytes))) {
        for (const { json = "" } of await queryTextRows(tx, sql.raw(`fetch ${length} from every_row`))) yield { table, json };
      }
      if (sizes.length < maxBatchRows) break;
    }
    await tx.execute(sql`close every_row`);
    await tx.execute(sql`close every_size`);
  }
}
