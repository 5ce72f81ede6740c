import { PGlite, type PGliteOptions, type Transaction } from "@electric-sql/pglite";
import { getDatabaseFolder } from "./data-folder.ts";
import type { DatabaseSetup, OpenDatabase } from "./database.ts";
import type { EmbeddedClient } from "./embedded-database.ts";
import { migrationsFolder } from "./migrations.ts";

class TransactionClient extends PGlite implements EmbeddedClient {
  currentTransaction: Transaction | undefined;

  override transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return super.transaction((transaction) => {
      this.currentTransaction = transaction;
      return work(transaction);
    });
  }
}

export async function openEmbeddedClient(options: PGliteOptions): Promise<EmbeddedClient> {
  const client = new TransactionClient(options);
  await client.waitReady;
  return client;
}

/** Opens PGlite. The caller must hold the folder's lock: two processes in one folder corrupt it silently. */
export async function openEmbedded(folder: string, loadSetup: () => Promise<DatabaseSetup>): Promise<OpenDatabase> {
  // PGlite compiles in its own threads, so the other modules load in parallel.
  const [client, { createEmbeddedDatabase }, { migrate }, { getDurability }, setUp] = await Promise.all([
    openEmbeddedClient({ dataDir: getDatabaseFolder(folder) }),
    import("./embedded-database.ts"),
    import("drizzle-orm/pglite/migrator"),
    import("./health.ts"),
    loadSetup(),
  ]);
  const db = createEmbeddedDatabase(client);
  await setUp(db, () => migrate(db, { migrationsFolder })).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  return {
    db,
    durability: `embedded, in ${folder}; ${await getDurability(db)}; before real orders read docs/content.md, Sell`,
    close: () => client.close(),
  };
}
