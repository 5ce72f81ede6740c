import type { Context } from "../context.ts";
import type { Database } from "../db/database.ts";

/** How long a lock is waited for, in ms: longer than any request holds one. */
const patience = 60_000;

/**
 * Runs `work` on a connection of its own, without the time-outs of requests: to read or write a whole database takes as long as it takes. The embedded
 * database has one connection for all, and no time-outs.
 */
export async function onOwnConnection<Result>(
  { config, db }: Context,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!config.DATABASE_URL) return work(db);
  const [{ Client }, { drizzle }] = await Promise.all([import("pg"), import("drizzle-orm/node-postgres")]);
  const client = new Client({
    connectionString: config.DATABASE_URL,
    connectionTimeoutMillis: 2_500,
    keepAlive: true,
    application_name: "entrance operator",
  });
  // A broken connection fails the statement that runs; as an event without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    // A server or role may have time-outs of its own.
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${patience}`,
    );
    return await work(drizzle({ client }));
  } finally {
    await client.end();
  }
}
