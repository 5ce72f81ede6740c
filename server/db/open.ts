import { mkdirSync } from "node:fs";
import type { Config } from "../config.ts";
import type { Database } from "./database.ts";
import { lockFolder } from "./lock.ts";
import "./quick-loading.ts";

export interface OpenDatabase {
  db: Database;
  /** Half a sentence for the operator. */
  durability: string;
  close(): Promise<void>;
}

/** Runs in a migrated database before anything is served. */
export type Sow = (db: Database) => Promise<void>;

/** Nothing is closed: that would write into a database that another process has. */
function endAtOnce(reason: string): never {
  console.error(`${reason} It ends, so that the database stays whole.`);
  process.exit(1);
}

/** Opens the database, migrated and seeded. Throws LockedError when another process has the folder of the embedded one. */
export async function openDatabase(
  config: Pick<Config, "DATA_DIR" | "DATABASE_URL" | "SEED">,
  now: () => Date,
): Promise<OpenDatabase> {
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const loadSow = async (): Promise<Sow> => {
    const { sowConcert, sowDemo } = await import("./seed/sow.ts");
    return async (db) => {
      await sowConcert(db);
      if (config.SEED === "demo") await sowDemo(db, now());
    };
  };
  // Each engine is loaded on demand: a host on PostgreSQL does not carry the embedded one in its memory.
  if (config.DATABASE_URL)
    return (await import("./postgres.ts")).openPostgres(config.DATABASE_URL, async (db) => (await loadSow())(db));
  // Locked before anything is loaded, so that a second host is refused at once.
  const unlock = await lockFolder(config.DATA_DIR, endAtOnce);
  try {
    const opened = await (await import("./embedded.ts")).openEmbedded(config.DATA_DIR, loadSow);
    return { ...opened, close: () => opened.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}
