import { Client } from "pg";
import { expect } from "vitest";
import { newPostgres } from "../database/database.ts";
import { ledgerQuery } from "../database/ledger.ts";
import { newFolder, startServer, withPostgres } from "../processes/server-process.ts";
import type { Guard } from "../removed-guards/remove-guards.ts";

/** Repeats a race without its guard, at most 20 times. Returns whether it failed once. */
export async function failsOnce(runRace: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < 20; round += 1) if (await runRace()) return true;
  return false;
}

export type TwoServers = Awaited<ReturnType<typeof twoServers>>;

/** Starts two servers on one PostgreSQL, without the guards that `removed` names. */
export async function twoServers(removed: Guard[] = [], env: Record<string, string> = {}) {
  const folder = newFolder();
  const url = await newPostgres();
  const start = () => startServer({ ...withPostgres(url, folder), ...env }, removed);
  const [first, second] = await Promise.all([start(), start()]);
  /** Runs a statement and returns its rows. */
  const query = async (sql: string, values: unknown[] = []) => {
    const client = new Client(url);
    await client.connect();
    return (await client.query(sql, values).finally(() => client.end())).rows;
  };
  const number = async (sql: string) => Number(Object.values((await query(sql))[0] ?? {})[0]);
  /** Fails unless first stock and movements make up each stock. */
  const checkLedger = async () => expect(await query(ledgerQuery)).toEqual([]);
  return { checkLedger, folder, url, query, number, origin: (n: number) => (n % 2 ? first.origin : second.origin) };
}
