import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { Client, Pool } from "pg";
import { describe, inject, type TestOptions } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { openEmbeddedClient } from "../../server/db/embedded-client.ts";
import { createEmbeddedDatabase } from "../../server/db/embedded-database.ts";
import { createPostgresDatabase } from "../../server/db/postgres-database.ts";
import { seedConcert, seedDemo } from "../../server/db/seed/seed.ts";
import { template } from "./postgres-setup.ts";
import { copyRows, type RowCopies } from "./rows.ts";

export type Engine = "PGlite" | "PostgreSQL";

/** Both engines, or PGlite alone without PostgreSQL, which the global setup reports. */
export const engines: readonly Engine[] = inject("postgres") ? ["PGlite", "PostgreSQL"] : ["PGlite"];
export const hasPostgres = engines.includes("PostgreSQL");

/** Defines the same tests for each engine; `%s` in the name is the engine. Those on PostgreSQL are tagged `full`. */
export function describeOnEngines(name: string, define: (engine: Engine) => void, options: TestOptions = {}): void {
  for (const engine of engines)
    describe(name.replace("%s", engine), engine === "PostgreSQL" ? { ...options, tags: ["full"] } : options, () =>
      define(engine),
    );
}

const open = new Map<Engine, Promise<{ db: Database; seed: RowCopies }>>();

/** Returns the worker's own database on an engine, reset to the seed. */
export async function freshDatabase(engine: Engine): Promise<Database> {
  const opening = open.get(engine) ?? openSeeded(engine);
  open.set(engine, opening);
  const { db, seed } = await opening;
  await seed.restore();
  return db;
}

/** Returns the same database with the seed of another time. */
export async function databaseSeededAt(engine: Engine, at: Date): Promise<Database> {
  const db = await freshDatabase(engine);
  await db.execute(sql`do $$ begin execute (
    select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity cascade' from pg_tables where schemaname = 'public'
  ); end $$`);
  await seedConcert(db);
  await seedDemo(db, at);
  return db;
}

/** Copying rows back takes a tenth of seeding again. */
async function openSeeded(engine: Engine): Promise<{ db: Database; seed: RowCopies }> {
  const db = await (engine === "PGlite" ? restorePglite() : copyPostgres());
  return { db, seed: await copyRows(db, "seeded") };
}

async function restorePglite(): Promise<Database> {
  return createEmbeddedDatabase(await openEmbeddedClient({ loadDataDir: new Blob([readFileSync(inject("snapshot"))]) }));
}

async function copyPostgres(): Promise<Database> {
  return createPostgresDatabase(new Pool({ connectionString: await newPostgres(), max: 10 }));
}

/** Creates a PostgreSQL database, seeded or empty, and returns its URL. */
export async function newPostgres(from: "seeded" | "empty" = "seeded"): Promise<string> {
  const server = inject("postgres");
  if (!server) throw new Error("there is no PostgreSQL");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const client = new Client(`${server}postgres`);
  await client.connect();
  const template1 = from === "seeded" ? template : "template1";
  await client.query(`create database ${name} template ${template1}`).finally(() => client.end());
  return server + name;
}
