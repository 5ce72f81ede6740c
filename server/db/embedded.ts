import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { migrationsFolder } from "./migrations.ts";
import type { OpenDatabase, Prepare } from "./open.ts";

/** The caller holds the folder's lock: two processes on one folder corrupt it silently. */
export async function openEmbedded(folder: string, load: () => Promise<Prepare>): Promise<OpenDatabase> {
  // The engine is compiled in threads of its own: all else is loaded meanwhile.
  const [client, { drizzle }, { migrate }, { getDurability }, prepare] = await Promise.all([
    PGlite.create(join(folder, "database")),
    import("drizzle-orm/pglite"),
    import("drizzle-orm/pglite/migrator"),
    import("./durability.ts"),
    load(),
  ]);
  const db = drizzle({ client });
  await prepare(db, () => migrate(db, { migrationsFolder })).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  return {
    db,
    durability: `embedded, in ${folder}; ${await getDurability(db)}`,
    close: () => client.close(),
  };
}
