import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Database } from "./database.ts";
import { migrationsFolder } from "./migrations.ts";

/** How a database stands to the migrations of this version: `older` lacks some of them, `newer` has others. */
export type MigrationState = "empty" | "older" | "current" | "newer";

export async function migrationState(db: Database): Promise<MigrationState> {
  const applied = await appliedMigrations(db);
  const own = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);
  if (applied.length === 0) return (await hasTables(db)) ? "newer" : "empty";
  if (applied.some((hash, index) => own[index] !== hash)) return "newer";
  return applied.length < own.length ? "older" : "current";
}

async function appliedMigrations(db: Database): Promise<string[]> {
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
