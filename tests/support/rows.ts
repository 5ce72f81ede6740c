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

/** Copies all rows; `restore` puts the copies back. */
export async function copyRows(db: Database): Promise<{ restore(): Promise<void>; drop(): Promise<void> }> {
  const forEachTable = (statement: string) =>
    db.execute(
      sql.raw(`do $$ declare name text; begin
        set local session_replication_role = replica;
        for name in select tablename from pg_tables where schemaname = 'public' loop ${statement} end loop;
      end $$`),
    );
  const drop = async () => void (await db.execute(sql`drop schema if exists copied cascade`));
  await drop();
  await db.execute(sql`create schema copied`);
  await forEachTable("execute format('create table copied.%I as table public.%I', name, name);");
  const insert = "execute format('insert into public.%I overriding system value table copied.%I', name, name);";
  return {
    restore: async () => void (await forEachTable(`execute format('delete from public.%I', name); ${insert}`)),
    drop,
  };
}
