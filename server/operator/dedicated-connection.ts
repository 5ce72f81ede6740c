import type { Context } from "../context.ts";
import type { Database } from "../db/database.ts";

/** Time to wait for a lock, in ms: longer than any request holds one. */
const lockTimeout = 60_000;

/**
 * Runs `work` on its own PostgreSQL connection without the timeouts of requests, since reading or writing a whole database has no time limit. The embedded
 * database has a single connection without timeouts.
 */
export async function withDedicatedConnection<Result>(
  { config, db }: Context,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!config.DATABASE_URL) return work(db);
  const [{ Client }, { createPostgresDatabase }] = await Promise.all([import("pg"), import("../db/postgres-database.ts")]);
  const client = new Client({
    connectionString: config.DATABASE_URL,
    connectionTimeoutMillis: 2_500,
    keepAlive: true,
    application_name: "entrance operator",
  });
  // A broken connection fails the running statement; without a listener, the event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    // A PostgreSQL server or role may configure timeouts.
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${lockTimeout}`,
    );
    return await work(createPostgresDatabase(client));
  } finally {
    await client.end();
  }
}
