import { mkdirSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { Database } from "./database.ts";
import { lockFolder } from "./lock.ts";
import "./esm-hook.ts";

export interface OpenDatabase {
  db: Database;
  /** Half a sentence for the operator. */
  durability: string;
  close(): Promise<void>;
}

/** Makes an opened database fit for use before anything else is done with it. `migrate` brings its tables to this version. */
export type Prepare = (db: Database, migrate: () => Promise<void>) => Promise<void>;

/** Nothing is closed: that would write into a database that another process has. */
function endAtOnce(reason: string): never {
  console.error(`${reason} It ends, so that the database stays whole.`);
  process.exit(1);
}

type Settings = Pick<Config, "DATA_DIR" | "DATABASE_URL">;

/** Opens the database for a host: migrated and seeded. Throws LockedError when another process has the folder of the embedded one. */
export async function openDatabase(config: Settings & Pick<Config, "SEED">, now: () => Date): Promise<OpenDatabase> {
  return openPrepared(config, async () => {
    const { seedConcert, seedDemo } = await import("./seed/seed.ts");
    return async (db, migrate) => {
      await migrate();
      await seedConcert(db);
      if (config.SEED === "demo") await seedDemo(db, now());
    };
  });
}

/** Opens the database, once what `load` brings has been done to it; what it throws closes the database again. Throws LockedError as above. */
export async function openPrepared(config: Settings, load: () => Promise<Prepare>): Promise<OpenDatabase> {
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  // Each engine is loaded on demand: a host on PostgreSQL does not carry the embedded one in its memory.
  if (config.DATABASE_URL) {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(config.DATABASE_URL, async (db, migrate) => (await load())(db, migrate));
  }
  // Locked before anything is loaded, so that a second host is refused at once.
  const unlock = await lockFolder(config.DATA_DIR, endAtOnce);
  try {
    const opened = await (await import("./embedded.ts")).openEmbedded(config.DATA_DIR, load);
    return { ...opened, close: () => opened.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}
