import { registerHooks } from "node:module";
import type { Config } from "#server/config/config.ts";
import { openDataFolder } from "./data-folder.ts";
import type { DatabaseSetup, OpenDatabase } from "./database.ts";
import { lockFolder } from "./lock.ts";

const drizzleFile = /\/node_modules\/drizzle-orm\/.*\.js$/;

/**
 * Resolves relative imports inside drizzle-orm as modules without reading its package.json. Node parses that file (180 KB) for each of Drizzle's hundreds of
 * files: importing the database takes 0.9 s of CPU time and 330 MB, with this hook 0.14 s and 93 MB.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "" } = context;
    if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !drizzleFile.test(parentURL)) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});

type Settings = Pick<Config, "DATA_DIR" | "DATABASE_URL"> & Partial<Pick<Config, "DATABASE_CONNECTIONS">>;

/** Opens the database for a server, migrated, with the rows that every database requires. Throws LockedError when another process uses the embedded one. */
export async function openDatabase(config: Settings & Pick<Config, "DEMO">, now: () => Date): Promise<OpenDatabase> {
  return openWithSetup(config, async () => {
    const [{ insertConcert, insertDemoMembers }, { isMigrated }] = await Promise.all([
      import("./first-rows.ts"),
      import("./migrations.ts"),
    ]);
    return async (db, migrate) => {
      // What is current needs neither a right to create tables nor a server that accepts writes.
      if (!(await isMigrated(db))) await migrate();
      await insertConcert(db);
      if (config.DEMO) await insertDemoMembers(db, now());
    };
  });
}

/** Opens the database and runs the setup that `loadSetup` imports; closes the database when that throws. Throws LockedError like `openDatabase`, and OperatorError. */
export async function openWithSetup(config: Settings, loadSetup: () => Promise<DatabaseSetup>): Promise<OpenDatabase> {
  openDataFolder(config.DATA_DIR);
  // Each engine is imported on demand, so that a server on PostgreSQL does not load PGlite.
  if (config.DATABASE_URL) {
    const { openPostgres } = await import("./postgres.ts");
    const options = { url: config.DATABASE_URL, maxConnections: config.DATABASE_CONNECTIONS };
    return openPostgres(options, async (db, migrate) => (await loadSetup())(db, migrate));
  }
  // Locked before anything is loaded, so that a second server fails at once.
  const unlock = lockFolder(config.DATA_DIR);
  try {
    const database = await (await import("./embedded.ts")).openEmbedded(config.DATA_DIR, loadSetup);
    // Of a database that was just created.
    openDataFolder(config.DATA_DIR);
    return { ...database, close: () => database.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}
