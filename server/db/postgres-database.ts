import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { type Client, type CustomTypesConfig, Pool, types } from "pg";
import { type Database, type PreparedQuery, rejectNestedTransaction, type TransactionMode } from "./database.ts";

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
