import { Socket } from "node:net";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";
import { getDurability } from "./durability.ts";
import { migrationsFolder } from "./migrations.ts";
import type { OpenDatabase, Prepare } from "./open.ts";

/** Any number that no other program locks on the same database. */
const preparing = 7_210_001;

export async function openPostgres(url: string, prepare: Prepare): Promise<OpenDatabase> {
  await underLock(url, prepare);
  const pool = createPool(url);
  const db = drizzle({ client: pool });
  return {
    db,
    durability: `PostgreSQL at ${new URL(url).host}; ${await getDurability(db)}`,
    close: () => pool.end(),
  };
}

/** How long a connection may take to come about, in ms: a database that is away is said to be so within 3 s. */
const connecting = 2_500;

class QuickClient extends Client {
  constructor(config?: string | ClientConfig) {
    super({ ...(typeof config === "object" ? config : {}), connectionTimeoutMillis: connecting });
  }
}

/** Sends what is written in one go at once: each sending wakes PostgreSQL, and costs as much as all else of a statement. */
class PatientSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/** A pool that outlives a restart of PostgreSQL and waits for nothing without end. Times in ms. */
function createPool(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    Client: QuickClient,
    stream: () => new PatientSocket(),
    max: 10,
    // For one that is free: in a rush a request may wait longer than a connection takes.
    connectionTimeoutMillis: 8_000,
    query_timeout: 8_000,
    statement_timeout: 5_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    // Statements that do not wait for each other's answers are sent together.
    pipeline: true,
    application_name: "entrance",
  });
  // A broken connection is an event: without a listener it would end the process. Whoever used it gets the error as well.
  pool.on("error", (error) => console.error(`A database connection was lost: ${error.message}`));
  pool.on("connect", (client) => {
    client.on("error", () => {});
    // Drizzle keeps a connection that breaks just as a transaction begins on it: the pool would run dry.
    client.on("end", () => setTimeout(() => giveBack(client), 1_000).unref());
  });
  return pool;
}

/** Of one that was given back long ago it is none of our business. */
function giveBack(client: PoolClient): void {
  try {
    client.release(true);
  } catch {}
}

/** Prepares under a lock, so that any number of processes may start at once on an empty database. Waits up to two minutes for another that does. */
async function underLock(connectionString: string, prepare: Prepare): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connecting, query_timeout: 120_000, keepAlive: true });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [preparing]);
    const db = drizzle({ client });
    await prepare(db, () => migrate(db, { migrationsFolder }));
  } finally {
    // The lock goes with the connection.
    await client.end();
  }
}
