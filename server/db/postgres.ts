import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client, type CustomTypesConfig, Pool, types } from "pg";
import { OperatorError } from "#server/lib/errors.ts";
import { longestWait, takeAdvisoryLock } from "./advisory-lock.ts";
import { createPool, withConnection } from "./connection.ts";
import {
  type Database,
  type DatabaseSetup,
  getSqlState,
  isConnectionSuspect,
  type OpenDatabase,
  type PreparedQuery,
  rejectNestedTransaction,
  type TransactionMode,
} from "./database.ts";
import { getDurability } from "./health.ts";
import { describeHolder } from "./lock-holder.ts";
import { migrationsFolder } from "./migrations.ts";
import { refuseTransactionMode } from "./pooler.ts";

interface PostgresOptions {
  url: string;
  /** Connections of the pool at most. */
  maxConnections: number | undefined;
}

/** Opens a pool of connections to PostgreSQL, and runs `setUp` on it. Throws OperatorError. */
export async function openPostgres({ url, maxConnections }: PostgresOptions, setUp: DatabaseSetup): Promise<OpenDatabase> {
  const pool = createPool(url, maxConnections);
  const db = createPostgresDatabase(pool);
  try {
    await refuseTransactionMode(pool, url);
    await setUp(db, () => migratePostgres(url));
    return {
      db,
      durability: `PostgreSQL at ${getAddress(url)}; ${await getDurability(db)}`,
      close: () => pool.end(),
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Returns where the driver connects to: a socket and variables such as PGHOST count, too. */
function getAddress(url: string): string {
  const { host, port } = new Client(url);
  return `${host}:${port}`;
}

export const migrationLock = { key: 7_210_001, maxWait: longestWait, owner: "another start, which migrates the database" };

/** What keeps a database from being migrated, by SQLSTATE. */
const obstacles = new Map([
  ["25006", "it is read-only"],
  ["42501", "this role may not create or change tables"],
]);

/** Time until a statement of the migrations without a response fails, in ms. */
const queryTimeout = 120_000;

/** Applies the migrations under a lock, so that several processes may start at once on an empty database. Throws OperatorError. */
async function migratePostgres(url: string): Promise<void> {
  const connect = (lockTimeout: number, work: (db: PostgresDatabase) => Promise<void>) =>
    withConnection(url, { lockTimeout, queryTimeout }, (client) => work(createPostgresDatabase(client)));
  const migrateAlone = (tx: Database) =>
    takeAdvisoryLock(tx, migrationLock).then(() => connect(migrationLockTimeout, (db) => migrateByTrying(db)));
  try {
    // The migrator commits for itself, so a transaction beside it holds the lock.
    await connect(0, (db) => db.runTransaction(migrateAlone));
  } catch (error) {
    const obstacle = obstacles.get(getSqlState(error));
    if (!obstacle) throw error;
    throw new OperatorError(`The database lacks migrations of this version, and ${obstacle}: nothing was changed.`);
  }
}

/**
 * Time that a migration waits for a lock on a table, in ms. Whoever comes later waits behind it, and a request waits 4 s for a lock: no request fails beside a
 * backup that holds the table for minutes.
 */
const migrationLockTimeout = 2_000;
/** Time for the requests that have waited, in ms. */
const pause = 3_000;

/** Applies the migrations, in one transaction; begins again for `maxWait` ms while another transaction holds one of the tables. Throws OperatorError. */
export async function migrateByTrying(db: PostgresDatabase, maxWait = longestWait): Promise<void> {
  const deadline = performance.now() + maxWait;
  for (;;) {
    try {
      return await migrate(db, { migrationsFolder });
    } catch (error) {
      if (getSqlState(error) !== "55P03") throw error;
    }
    const owner = `a table that another transaction uses, such as a backup: ${await describeHolder(db, isOwnTable)}`;
    if (performance.now() > deadline) throw new OperatorError(`Waited ${maxWait / 1_000} s for ${owner}. Nothing was changed.`);
    console.error(`Waiting for ${owner}.`);
    await wait(pause);
  }
}

const isOwnTable = sql`locktype = 'relation' and relation in (select oid from pg_class where relnamespace = 'public'::regnamespace)`;

type PostgresDatabase = Database & NodePgDatabase;
type Work<Result> = (tx: Database) => Promise<Result>;

/** Creates a database whose statements run on any connection of a pool, or on the client alone. */
export function createPostgresDatabase(client: Pool | Client): PostgresDatabase {
  return bind(client, async (work, mode) => {
    if (!(client instanceof Pool)) return transact(client, work, mode);
    const connection = await client.connect();
    try {
      const result = await transact(connection, work, mode);
      connection.release();
      return result;
    } catch (error) {
      // With an error, the pool closes the connection.
      connection.release(error instanceof Error && isConnectionSuspect(error) ? error : undefined);
      throw error;
    }
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
