import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/** Describes what a database's settings guarantee for committed data. PGlite reports its `fsync` as off. */
export async function getDurability(db: Database): Promise<string> {
  const [settings] = await db
    .select({ fsync: sql<string>`fsync`, commit: sql<string>`commit` })
    .from(sql`(select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit) as settings`);
  return describeDurability(settings?.fsync ?? "off", settings?.commit ?? "off");
}

/** Describes PostgreSQL's `fsync` and `synchronous_commit` as a guarantee. */
export function describeDurability(fsync: string, commit: string): string {
  if (fsync !== "on") return "survives a crash of the process, not of the machine (fsync is off)";
  if (commit === "off") return "a crash may lose writes confirmed just before it (fsync is on, synchronous_commit off)";
  return `survives a crash of the machine (fsync is on, synchronous_commit ${commit})`;
}
