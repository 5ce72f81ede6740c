import { Socket } from "node:net";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client, type ClientConfig, type CustomTypesConfig, Pool, types } from "pg";
import {
  type Database,
  type DatabaseSetup,
  type OpenDatabase,
  type PreparedQuery,
  rejectNestedTransaction,
  type TransactionMode,
} from "./database.ts";
import { getDurability } from "./health.ts";
import { migrationsFolder } from "./migrations.ts";

/** Key of the advisory lock for setup: any number that no other program uses on the same database. */
const setupLock = 7_210_001;

/** Opens a pool of connections to PostgreSQL, after `setUp`. */
export async function openPostgres(url: string, setUp: DatabaseSetup): Promise<OpenDatabase> {
  await setUpUnderLock(url, setUp);
  const pool = createPool(url);
  const db = createPostgresDatabase(pool);
  return {
    db,
    durability: `PostgreSQL at ${new URL(url).host}; ${await getDurability(db)}`,
    close: () => pool.end(),
  };
}

/** Time to establish a connection, in ms: an unavailable database is reported within 3 s. */
const connectTimeout = 2_500;

class ConnectTimeoutClient extends Client {
  constructor(config?: string | ClientConfig) {
    super({ ...(typeof config === "object" ? config : {}), connectionTimeoutMillis: connectTimeout });
  }
}

/** Sends all writes of one tick in one packet: each packet wakes PostgreSQL, which costs as much as the rest of a statement. */
class BatchingSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/** Creates a pool that survives a restart of PostgreSQL and has a timeout for every wait. Times in ms. */
function createPool(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    Client: ConnectTimeoutClient,
    stream: () => new BatchingSocket(),
    max: 10,
    // The pool applies this to waiting for a free connection, which under load takes longer than connecting.
    connectionTimeoutMillis: 8_000,
    query_timeout: 8_000,
    statement_timeout: 5_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 10_000,
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
  return pool;
}

/** Runs `setUp` under a lock, so that several processes may start at once on an empty database. Waits up to two minutes for the lock. */
async function setUpUnderLock(connectionString: string, setUp: DatabaseSetup): Promise<void> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: 120_000,
    keepAlive: true,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [setupLock]);
    const db = createPostgresDatabase(client);
    await setUp(db, () => migrate(db, { migrationsFolder }));
  } finally {
    // The end of the connection releases the lock.
    await client.end();
  }
}

type PostgresDatabase = Database & NodePgDatabase;
type Work<Result> = (tx: Database) => Promise<Result>;

/** Creates a database whose statements run on any connection of a pool, or on the client alone. */
export function createPostgresDatabase(client: Pool | Client): PostgresDatabase {
  return bind(client, async (work, mode) => {
    if (!(client instanceof Pool)) return transact(client, work, mode);
    const connection = await client.connect();
    // A broken connection leaves the pool when it is released.
    return transact(connection, work, mode).finally(() => connection.release());
  });
}

function bind(client: Pool | Client, runTransaction: Database["runTransaction"]): PostgresDatabase {
  return Object.assign(drizzle({ client }), {
    executePrepared: ({ name, text, values }: PreparedQuery) =>
      client.query<unknown[]>({ name, text, values, rowMode: "array", types: timesAsText }).then(({ rows }) => rows),
    runTransaction,
  });
}

const times = new Set<number>([types.builtins.DATE, types.builtins.TIMESTAMP, types.builtins.TIMESTAMPTZ]);
const toText = (value: string) => value;
const timesAsText: CustomTypesConfig = {
  getTypeParser: (type, format) => (times.has(type) ? toText : types.getTypeParser(type, format)),
};

async function transact<Result>(client: Client, work: Work<Result>, mode?: TransactionMode): Promise<Result> {
  await client.query(mode ? `begin ${mode}` : "begin");
  try {
    const result = await work(bind(client, rejectNestedTransaction));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
