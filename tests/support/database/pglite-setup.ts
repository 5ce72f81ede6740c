import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "drizzle-orm/pglite/migrator";
import type { TestProject } from "vitest/node";
import { openEmbeddedClient } from "../../../server/db/embedded.ts";
import { createEmbeddedDatabase } from "../../../server/db/embedded-database.ts";
import { migrationsFolder } from "../../../server/db/migrations.ts";
import { insertFixture } from "./fixture.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** File with a migrated and seeded PGlite, to be restored. */
    snapshot: string;
    /** The same as a DATA_DIR that no server has open, to be copied. */
    seededFolder: string;
  }
}

/** Creates a database for the run, as a folder and as a snapshot: copying either is faster than creating one. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "entrance-pglite-"));
  const seededFolder = join(folder, "data");
  const snapshot = join(folder, "snapshot.tar");
  mkdirSync(seededFolder);
  const client = await openEmbeddedClient({ dataDir: join(seededFolder, "database") });
  const db = createEmbeddedDatabase(client);
  await migrate(db, { migrationsFolder });
  await insertFixture(db, new Date());
  writeFileSync(snapshot, Buffer.from(await (await client.dumpDataDir("none")).arrayBuffer()));
  await client.close();
  project.provide("snapshot", snapshot);
  project.provide("seededFolder", seededFolder);
  return () => rmSync(folder, { recursive: true, force: true });
}
