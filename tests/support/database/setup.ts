import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "drizzle-orm/pglite/migrator";
import type { TestProject } from "vitest/node";
import type { Database } from "#server/db/database.ts";
import { openEmbeddedClient } from "#server/db/embedded.ts";
import { createEmbeddedDatabase } from "#server/db/embedded-database.ts";
import { insertConcert, insertDemoMembers } from "#server/db/first-rows.ts";
import { migrationsFolder } from "#server/db/migrations.ts";
import { openDatabase } from "#server/db/open.ts";
import { applyCatalogue } from "#server/modules/catalogue/apply.ts";
import { createCatalogue, figures } from "#tests/fixtures/catalogue.ts";
import { findPostgres, startPostgres } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** File with a migrated and seeded PGlite, to be restored. */
    snapshot: string;
    /** The same as a DATA_DIR that no server has open, to be copied. */
    seededFolder: string;
    /** URL prefix of this run's PostgreSQL, as `…/`; null without PostgreSQL. */
    postgres: string | null;
  }
}

export const template = "entrance_template";

/** Creates the databases of a run, if it tests stores or the server: PGlite, and for tests of the server PostgreSQL. */
export default async function setup(root: TestProject): Promise<(() => Promise<void>) | undefined> {
  const projects = root.vitest.projects.map(({ name }) => name);
  const isReference = projects.includes("server") || (projects.includes("conformance") && !root.getProvidedContext().server);
  if (!projects.includes("stores") && !isReference) return undefined;
  const removePglite = await createPglite(root);
  const stopPostgres = isReference ? await startProjectPostgres(root) : undefined;
  return async () => {
    await stopPostgres?.();
    removePglite();
  };
}

/** Creates a database as a folder and as a snapshot: copying either is faster than creating one. */
async function createPglite(project: TestProject): Promise<() => void> {
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

/** Starts one PostgreSQL for the run, with a migrated and seeded template database. */
async function startProjectPostgres(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Everything on PostgreSQL is tagged `full`.
  if (project.vitest.config.tagsFilter?.join().includes("!full")) {
    project.provide("postgres", null);
    return undefined;
  }
  const bin = findPostgres();
  if (!bin) {
    const message = "PostgreSQL was not found: tests on it are skipped (Debian: apt-get install postgresql)";
    if (process.env.CI || process.env.REQUIRE_POSTGRES) throw new Error(message);
    console.warn(message);
    project.provide("postgres", null);
    return undefined;
  }
  const postgres = await startPostgres(bin);
  await postgres.run(`create database ${template}`);
  await createShop(postgres.url(template));
  project.provide("postgres", postgres.url(""));
  return () => postgres.stop();
}

/** Fills a migrated database with the rows of every server, the demo's members and the catalogue of the tests. */
export async function insertFixture(db: Database, now: Date): Promise<void> {
  await insertConcert(db);
  await insertDemoMembers(db, now);
  await applyCatalogue(db, await createCatalogue(now), figures);
}

/** Migrates and fills an empty PostgreSQL database. */
export async function createShop(url: string): Promise<void> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "entrance-data-"));
  const { db, close } = await openDatabase({ DATA_DIR, DATABASE_URL: url, DEMO: false }, () => new Date());
  await insertFixture(db, new Date());
  await close();
  rmSync(DATA_DIR, { recursive: true });
}
