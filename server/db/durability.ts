import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/** What a database's own settings promise for that which was answered, in words. The embedded one never fsyncs, and says so itself. */
export async function getDurability(db: Database): Promise<string> {
  const [settings] = await db
    .select({ fsync: sql<string>`fsync`, commit: sql<string>`commit` })
    .from(sql`(select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit) as settings`);
  return describeDurability(settings?.fsync ?? "off", settings?.commit ?? "off");
}

/** PostgreSQL's `fsync` and `synchronous_commit`, as a promise. */
export function describeDurability(fsync: string, commit: string): string {
  if (fsync !== "on") return "survives a crash of the process, not of the machine (fsync is off)";
  if (commit === "off") return "a crash may lose what was answered just before it (fsync is on, synchronous_commit off)";
  return `survives a crash of the machine (fsync is on, synchronous_commit ${commit})`;
}
