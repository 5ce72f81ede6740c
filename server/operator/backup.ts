import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import type { Database } from "../db/database.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { type Row, writeBackup } from "./backup-file.ts";
import { type Command, readArguments } from "./command.ts";
import { onOwnConnection } from "./own-connection.ts";
import { contentOf, listMigrations, listTables, rowsAtOnce, textRows, withinBytes } from "./tables.ts";

/** Writes what the database holds, as it is at one moment, into a file that either engine takes; pay codes that the provider drew stay out. */
export function backupCommand(context: Context): Command {
  return async (args) => {
    const { rest } = readArguments(args, []);
    const [file, ...more] = rest;
    if (!file || more.length > 0) throw new OperatorError("npm run backup -- <file>");
    const write = async (tx: Database) => {
      // Times are written alike, wherever the server is.
      await tx.execute(sql`set local timezone = 'UTC'`);
      // Two cursors on one table go through its rows in the same order.
      await tx.execute(sql`set local synchronize_seqscans = off`);
      const about = { format: 1, at: context.now().toISOString(), migrations: await listMigrations(tx) } as const;
      return writeBackup(file, about, everyRow(tx));
    };
    const asOfOneMoment = { isolationLevel: "repeatable read", accessMode: "read only" } as const;
    const rows = await onOwnConnection(context, (db) => db.transaction(write, asOfOneMoment));
    return `${rows} rows are in ${file}.`;
  };
}

async function* everyRow(tx: Database): AsyncGenerator<Row> {
  for (const table of await listTables(tx)) {
    const rows = sql`select row_to_json(t)::text as json from (${contentOf(table)}) t`;
    await tx.execute(sql`declare every_row no scroll cursor for ${rows}`);
    await tx.execute(sql`declare every_size no scroll cursor for select octet_length(json)::text as bytes from (${rows}) r`);
    for (;;) {
      const sizes = await textRows(tx, sql.raw(`fetch ${rowsAtOnce} from every_size`));
      for (const { length } of withinBytes(sizes, ({ bytes }) => Number(bytes))) {
        for (const { json = "" } of await textRows(tx, sql.raw(`fetch ${length} from every_row`))) yield { table, json };
      }
      if (sizes.length < rowsAtOnce) break;
    }
    await tx.execute(sql`close every_row`);
    await tx.execute(sql`close every_size`);
  }
}
