import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import { Client, Pool } from "pg";
import { inject } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { seedConcert, seedDemo } from "../../server/db/seed/seed.ts";
import { template } from "./postgres-setup.ts";

export type Engine = "PGlite" | "PostgreSQL";

/** Both engines, or PGlite alone without PostgreSQL, which the global setup reports. */
export const engines: readonly Engine[] = inject("postgres") ? ["PGlite", "PostgreSQL"] : ["PGlite"];
export const hasPostgres = engines.includes("PostgreSQL");

const open = new Map<Engine, Promise<Database>>();

/** Returns the worker's own database on an engine, reset to the seed. */
export async function freshDatabase(engine: Engine): Promise<Database> {
  const opening = open.get(engine) ?? (engine === "PGlite" ? restorePglite() : copyPostgres());
  open.set(engine, opening);
  const db = await opening;
  await clearDatabase(db);
  await seedConcert(db);
  await seedDemo(db, new Date());
  return db;
}

async function restorePglite(): Promise<Database> {
  const client = await PGlite.create({ loadDataDir: new Blob([readFileSync(inject("snapshot"))]) });
  return drizzlePglite({ client });
}

async function copyPostgres(): Promise<Database> {
  return drizzlePg({ client: new Pool({ connectionString: await newPostgres(), max: 10 }) });
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

async function clearDatabase(db: Database): Promise<void> {
  await db.execute(sql`do $$ begin execute (
    select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity cascade' from pg_tables where schemaname = 'public'
  ); end $$`);
}
