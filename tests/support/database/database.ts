import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { Client, Pool } from "pg";
import { describe, inject, type TestOptions } from "vitest";
import type { Database } from "#server/db/database.ts";
import { openEmbeddedClient } from "#server/db/embedded.ts";
import { createEmbeddedDatabase } from "#server/db/embedded-database.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { insertFixture, template } from "./setup.ts";

/** Returns a hash of all rows except login codes, whose tries change. */
export async function hashRows(db: Database): Promise<string> {
  const tables = await db
    .select({ name: sql<string>`quote_ident(tablename)` })
    .from(sql`pg_tables`)
    .where(sql`schemaname = 'public' and tablename not in ('login_codes', 'earlier_codes')`);
  const each = tables.map(({ name }) => `select '${name}' || t::text as row from ${name} t`);
  const [rows] = await db
    .select({ md5: sql<string>`md5(string_agg("row", '' order by "row"))` })
    .from(sql`(${sql.raw(each.join(" union all "))}) as rows`);
  return rows?.md5 ?? "";
}

export interface RowCopies {
  /** Puts the copies back. */
  restore(): Promise<void>;
  drop(): Promise<void>;
}

/** Copies all rows into a schema. */
export async function copyRows(db: Database, schema: string): Promise<RowCopies> {
  const forEachTable = (statement: string) =>
    db.execute(
      sql.raw(`do $$ declare name text; begin
        set local session_replication_role = replica;
        for name in select tablename from pg_tables where schemaname = 'public' loop ${statement} end loop;
      end $$`),
    );
  const drop = async () => void (await db.execute(sql.raw(`drop schema if exists ${schema} cascade`)));
  await drop();
  await db.execute(sql.raw(`create schema ${schema}`));
  await forEachTable(`execute format('create table ${schema}.%I as table public.%I', name, name);`);
  const insert = `execute format('insert into public.%I overriding system value table ${schema}.%I', name, name);`;
  return {
    restore: async () => void (await forEachTable(`execute format('delete from public.%I', name); ${insert}`)),
    drop,
  };
}

export type Engine = "PGlite" | "PostgreSQL";

/** Both engines, or PGlite alone without PostgreSQL, which the global setup reports. */
export const engines: readonly Engine[] = inject("postgres") ? ["PGlite", "PostgreSQL"] : ["PGlite"];
export const hasPostgres = engines.includes("PostgreSQL");

/** Defines the same tests for each engine; `%s` in the name is the engine. Those on PostgreSQL have a tag of their own. */
export function describeOnEngines(
  name: string,
  define: (engine: Engine) => void,
  { onPostgres = "full", ...options }: TestOptions & { onPostgres?: "full" | "long" } = {},
): void {
  for (const engine of engines)
    describe(name.replace("%s", engine), engine === "PostgreSQL" ? { ...options, tags: [onPostgres] } : options, () =>
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
  await insertFixture(db, at);
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
