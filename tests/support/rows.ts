import { sql } from "drizzle-orm";
import type { Database } from "../../server/db/database.ts";

/** Returns a hash of all rows except login codes, whose tries change. */
export async function hashRows(db: Database): Promise<string> {
  const tables = await db
    .select({ name: sql<string>`quote_ident(tablename)` })
    .from(sql`pg_tables`)
    .where(sql`schemaname = 'public' and tablename <> 'login_codes'`);
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
