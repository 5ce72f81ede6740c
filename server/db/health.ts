import { sql } from "drizzle-orm";
import * as v from "valibot";
import { type Database, inTransaction } from "./database.ts";

/** Describes what a database's settings guarantee for committed data. PGlite reports its `fsync` as off. */
export async function getDurability(db: Database): Promise<string> {
  const [settings] = await db
    .select({ fsync: sql<string>`fsync`, commit: sql<string>`commit` })
    .from(sql`(select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit) as settings`);
  return describeDurability(settings?.fsync ?? "off", settings?.commit ?? "off");
}

/** Describes PostgreSQL's `fsync` and `synchronous_commit` as a guarantee. */
export function describeDurability(fsync: string, commit: string): string {
  if (fsync !== "on") return "survives a crash of the program, not a power cut (fsync is off)";
  if (commit === "off") return "a crash may lose writes confirmed just before it (fsync is on, synchronous_commit off)";
  return `survives a crash of the machine (fsync is on, synchronous_commit ${commit})`;
}

const resultSchema = v.object({ rows: v.tuple([v.object({ readonly: v.string() })]) });

/**
 * Writes to the database's disk without a trace: a message to the write-ahead log, and a sort that exceeds its memory, whose temporary file requires free
 * space as a new row does. Throws when either fails, or when the database is read-only.
 */
export async function probeWrite(db: Database): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`select set_config('work_mem', '64kB', true)`);
    const { rows } = v.parse(
      resultSchema,
      await tx.execute(
        sql`select current_setting('transaction_read_only') as readonly, pg_logical_emit_message(true, 'entrance', 'readyz')::text,
          (select sum(length(line))::int from (select n, repeat('x', 500) as line from generate_series(1, 400) as n order by n desc offset 0) as lines)`,
      ),
    );
    if (rows[0].readonly !== "off") throw new Error("it is read-only");
  });
}
