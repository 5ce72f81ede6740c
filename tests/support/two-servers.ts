import { Client } from "pg";
import { newPostgres } from "./database.ts";
import { newFolder, startServer, withPostgres } from "./server-process.ts";
import type { Guard } from "./unguarded/remove-guards.ts";

export type TwoServers = Awaited<ReturnType<typeof twoServers>>;

/** Two processes on one PostgreSQL; with guards taken out, to see what they are good for. */
export async function twoServers(unguarded: Guard[] = [], env: Record<string, string> = {}) {
  const folder = newFolder();
  const url = await newPostgres();
  const start = () => startServer({ ...withPostgres(url, folder), ...env }, unguarded);
  const [one, other] = await Promise.all([start(), start()]);
  /** The rows that a statement brings. */
  const query = async (sql: string, values: unknown[] = []) => {
    const client = new Client(url);
    await client.connect();
    return (await client.query(sql, values).finally(() => client.end())).rows;
  };
  const number = async (sql: string) => Number(Object.values((await query(sql))[0] ?? {})[0]);
  return { folder, url, query, number, origin: (n: number) => (n % 2 ? one.origin : other.origin) };
}
