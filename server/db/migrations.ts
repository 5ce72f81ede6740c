import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Database } from "./database.ts";

/** How a database compares with this version's migrations: `older` lacks some, `newer` has others. */
export type MigrationState = "empty" | "older" | "current" | "newer";

/** Compares a database's migrations with this version's. */
export async function getMigrationState(db: Database): Promise<MigrationState> {
  const applied = await listAppliedMigrations(db);
  const own = listOwnMigrations();
  if (applied.length === 0) return (await hasTables(db)) ? "newer" : "empty";
  if (applied.some((hash, index) => own[index] !== hash)) return "newer";
  return applied.length < own.length ? "older" : "current";
}

/** Returns whether a database has all migrations of this version; it may have later ones. */
export async function isMigrated(db: Database): Promise<boolean> {
  const applied = await listAppliedMigrations(db);
  return listOwnMigrations().every((hash, index) => applied[index] === hash);
}

const listOwnMigrations = () => readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);

/** Lists the hashes of a database's migrations, in order. */
export async function listAppliedMigrations(db: Database): Promise<string[]> {
  const [table] = await db
    .select({ name: sql<string | null>`name` })
    .from(sql`(select to_regclass('drizzle.__drizzle_migrations')::text as name) as t`);
  if (!table?.name) return [];
  const rows = await db
    .select({ hash: sql<string>`hash` })
    .from(sql`(select hash, created_at, id from drizzle.__drizzle_migrations order by created_at, id) as m`);
  return rows.map(({ hash }) => hash);
}

async function hasTables(db: Database): Promise<boolean> {
  const rows = await db
    .select({ name: sql<string>`name` })
    .from(sql`(select tablename as name from pg_tables where schemaname = 'public' limit 1) as t`);
  return rows.length > 0;
}

/** Written by `drizzle-kit generate`; both engines run the same files. */
export const migrationsFolder = join(import.meta.dirname, "migrations");

/** Returns the number of migrations of this version. */
export const countMigrations = () => listOwnMigrations().length;
