import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import type { World } from "../lib/world.ts";
import { type Row, writeBackup } from "./backup-file.ts";
import { type Command, OperatorError, readArguments } from "./command.ts";
import { migrationsOf, tablesOf, textRows } from "./tables.ts";

const atOnce = 500;

/** Writes all that the database holds, as it is at one moment, into a file that either engine takes. */
export function backupCommand({ db, now }: World): Command {
  return async (args) => {
    const { rest } = readArguments(args, []);
    const [file, ...more] = rest;
    if (!file || more.length > 0) throw new OperatorError("npm run backup -- <file>");
    const rows = await db.transaction(
      async (tx) => {
        // Times are written alike, wherever the server is.
        await tx.execute(sql`set local timezone = 'UTC'`);
        const about = { format: 1, at: now().toISOString(), migrations: await migrationsOf(tx) } as const;
        return writeBackup(file, about, everyRow(tx));
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    );
    return `${rows} rows are in ${file}.`;
  };
}

async function* everyRow(tx: Database): AsyncGenerator<Row> {
  for (const table of await tablesOf(tx)) {
    await tx.execute(
      sql`declare every_row no scroll cursor for select row_to_json(t)::text as json from ${sql.identifier(table)} t`,
    );
    for (;;) {
      const rows = await textRows(tx, sql.raw(`fetch ${atOnce} from every_row`));
      for (const { json = "" } of rows) yield { table, json };
      if (rows.length < atOnce) break;
    }
    await tx.execute(sql`close every_row`);
  }
}
