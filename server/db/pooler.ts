import type { ClientBase, Pool } from "pg";
import { OperatorError } from "#server/lib/errors.ts";
import { withConnection } from "./connection.ts";

/** Time that a pooler without a free connection is waited for, in ms. */
const queryTimeout = 8_000;

/** Returns the number of the process of PostgreSQL that runs a connection's statements. */
const getProcess = (client: ClientBase) =>
  client.query<{ pid: number }>("select pg_backend_pid() as pid").then(({ rows }) => rows[0]?.pid);

/**
 * Throws OperatorError behind a pooler in transaction mode. No statement tells the mode, but two connections do that run statements in turn: in session mode
 * each has a process of its own. The second one begins twice, so that neither a stack nor a queue of processes gives each the same one again; the rest is for
 * poolers that others use meanwhile.
 */
export async function refuseTransactionMode(pool: Pool, url: string): Promise<void> {
  const first = await pool.connect();
  try {
    const isShared = await withConnection(url, { lockTimeout: 0, queryTimeout }, async (second) => {
      const [own, other] = [await getProcess(first), await getProcess(second)];
      for (let round = 0; round < 6; round += 1)
        if (own === other || (await getProcess(second)) !== other || (await getProcess(first)) !== own) return true;
      return false;
    });
    if (!isShared) return;
  } finally {
    first.release();
  }
  throw new OperatorError(
    "DATABASE_URL leads to a pooler in transaction mode, where connections lose their settings and prepared statements: take the string for direct connections, or for a pooler in session mode.",
  );
}
