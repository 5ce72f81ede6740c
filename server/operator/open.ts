import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { type MigrationState, migrationState } from "../db/migration-state.ts";
import { type OpenDatabase, openPrepared } from "../db/open.ts";
import { OperatorError } from "../lib/operator-error.ts";

const sentences: Record<Exclude<MigrationState, "current">, string> = {
  empty: "There is nothing in this database: start the host once, which sets it up.",
  older:
    "The database is of an older version than this command, which migrates nothing: use the version that the hosts run, or start a host of this one, which does.",
  newer: "The database has migrations that this version does not know: use the version that the hosts run.",
};

/**
 * Opens the database for a command, as it is: hosts alone migrate and sow. A restore sets the tables up where there are none. Throws OperatorError where the
 * database is not of this version, LockedError while a host has the embedded one.
 */
export async function openAsItIs(config: Config, command: string): Promise<OpenDatabase> {
  const sets = command === "restore";
  if (!config.DATABASE_URL && !sets && !existsSync(join(config.DATA_DIR, "database"))) {
    throw new OperatorError(
      `There is no database in ${config.DATA_DIR}: start the host once, which sets one up, or set DATA_DIR.`,
    );
  }
  return openPrepared(config, async () => async (db: Database, migrate: () => Promise<void>) => {
    const state = await migrationState(db);
    if (state === "empty" && sets) return migrate();
    if (state !== "current") throw new OperatorError(sentences[state]);
  });
}
