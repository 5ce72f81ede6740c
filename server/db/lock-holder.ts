import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./database.ts";

interface Holder {
  pid: number;
  role: string | null;
  application: string | null;
  address: string | null;
}

const fields = {
  pid: sql<number>`pid`,
  role: sql<string | null>`usename`,
  application: sql<string | null>`application_name`,
  address: sql<string | null>`host(client_addr)`,
};

/**
 * Describes the connection whose transaction has had a lock for longest, of those that `condition` selects from `pg_locks`. PostgreSQL shows program and address
 * to the same role and to monitors alone.
 */
export async function describeHolder(db: Database, condition: SQL): Promise<string> {
  const [holder] = await db
    .select(fields)
    .from(sql`pg_locks join pg_stat_activity using (pid)`)
    .where(
      sql`granted and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database()) and ${condition}`,
    )
    .orderBy(sql`xact_start`)
    .limit(1);
  return holder ? formatHolder(holder) : "a connection that PostgreSQL does not name";
}

function formatHolder({ pid, role, application, address }: Holder): string {
  const details = [application && `"${application}"`, role && `of the role ${role}`, address && `from ${address}`];
  return ["process", pid, "of PostgreSQL,", ...details.filter(Boolean)].join(" ").replace(/,$/, "");
}
