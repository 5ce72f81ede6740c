import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Database } from "#server/db/database.ts";
import type { CommandResult } from "#server/operator/command.ts";
import { type Buyer, createBuyer } from "../client/order.ts";
import { findEntry, ledgerQuery, openCatalogue } from "../database/catalogue.ts";
import { createTestServer } from "../processes/test-server.ts";
import type { Mutation } from "./mutations.ts";

/** Opens a shop of the tests' catalogue on PostgreSQL with `size` members. */
export async function openShop(mutations: Mutation[], size = 0) {
  const server = await createTestServer("PostgreSQL", { mutations });
  const buyers: Buyer[] = [];
  while (buyers.length < size) buyers.push(await createBuyer(server));
  const isLedgerRight = async () => (await server.db.select().from(sql`(${sql.raw(ledgerQuery)}) as wrong`)).length === 0;
  return { server, db: server.db, buyers, isLedgerRight, ...(await openCatalogue(server)) };
}

/**
 * Applies a change while `request` stands open, which ends once the catalogue waits for it: so each race fails without its guard, however fast the machine is.
 * `others` are sent at that moment. Returns the results of both.
 */
export async function applyBeside<Others>(
  { db }: { db: Database },
  request: (tx: Database) => Promise<unknown>,
  apply: () => Promise<CommandResult>,
  others: () => Promise<Others>[],
): Promise<[applied: CommandResult, others: Others[]]> {
  const results = await db.runTransaction(async (tx) => {
    await request(tx);
    const applied = apply();
    const isWaiting = sql`datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => db.$count(sql`pg_stat_activity`, isWaiting), { timeout: 30_000 }).toBeGreaterThan(0);
    return { all: Promise.all([applied, Promise.all(others())]) };
  });
  return results.all;
}

/** Returns the payload of a tour's booking for two. */
export const createTourBooking = (campaign: string) => ({
  campaign,
  stop: "wuhan",
  name: "小满",
  mobile: "13800138000",
  party_size: 2,
});

/** Renames an entry of a catalogue, its old uid as alias. */
export const renameEntry = (from: string, to: string) => (entries: { uid: string; aliases: string[] }[]) =>
  void Object.assign(findEntry(entries, from), { uid: to, aliases: [from] });
