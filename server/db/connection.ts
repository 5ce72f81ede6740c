import { Client, type ClientConfig, Pool } from "pg";
import { isConnectionSuspect } from "./database.ts";

/** Time to establish a connection, in ms: an unavailable database is reported within 3 s. */
const connectTimeout = 2_500;

/** Timeouts of one connection, in ms; 0 is none. */
interface Timeouts {
  statement: number;
  lock: number;
  idleInTransaction: number;
}

/**
 * Returns the SQL that sets what the server relies on, so that settings of the role, the database or the URL change nothing. Statements and not parameters of
 * the startup message, which poolers refuse. `default_transaction_read_only` stays: hosts set it when the disk is nearly full.
 */
const toSettings = ({ statement, lock, idleInTransaction }: Timeouts) => `
  set statement_timeout = ${statement}; set lock_timeout = ${lock}; set idle_in_transaction_session_timeout = ${idleInTransaction};
  set search_path = public; set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set standard_conforming_strings = on;
  set default_transaction_isolation = 'read committed'`;

const poolSettings = toSettings({ statement: 5_000, lock: 4_000, idleInTransaction: 10_000 });

class ConnectTimeoutClient extends Client {
  constructor(config?: string | ClientConfig) {
    super({ ...(typeof config === "object" ? config : {}), connectionTimeoutMillis: connectTimeout });
  }
}

/** Creates a pool of at most `max` connections that survives a restart and a failover of PostgreSQL, and has a timeout for every wait. Times in ms. */
export function createPool(connectionString: string, max: number | undefined): Pool {
  const pool = new Pool({
    connectionString,
    max,
    Client: ConnectTimeoutClient,
    onConnect: (client) => client.query(poolSettings),
    // The pool applies this to waiting for a free connection, which under load takes longer than connecting.
    connectionTimeoutMillis: 8_000,
    query_timeout: 8_000,
    keepAlive: true,
    // Sends independent statements together.
    pipeline: true,
    application_name: "entrance",
  });
  // Without a listener, a broken connection would end the process. The running statement fails as well.
  pool.on("error", (error) => console.error(`A database connection was lost: ${error.message}`));
  pool.on("connect", (client) => {
    client.on("error", () => {});
  });
  // Of a database that failed over, the other connections are as old: each would fail a request later on.
  pool.on("release", (error) => {
    if (isConnectionSuspect(error)) closeIdle(pool);
  });
  return pool;
}

/** Closes the connections that are idle. */
function closeIdle(pool: Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1)
    pool.connect().then(
      (connection) => connection.release(true),
      // It broke by itself, or the pool has ended.
      () => {},
    );
}

interface ConnectionOptions {
  /** Time to wait for a lock, in ms. */
  lockTimeout: number;
  /** Time until a statement without a response fails, in ms; without it, reading or writing a whole database has no limit. */
  queryTimeout?: number;
}

/** Runs `work` on a connection of its own without the timeouts of requests. */
export async function withConnection<Result>(
  connectionString: string,
  { lockTimeout, queryTimeout }: ConnectionOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: queryTimeout,
    keepAlive: true,
    application_name: "entrance operator",
  });
  // A broken connection fails the running statement; without a listener, the event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(toSettings({ statement: 0, lock: lockTimeout, idleInTransaction: 0 }));
    return await work(client);
  } finally {
    await client.end();
  }
}
