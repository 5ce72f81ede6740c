import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { OperatorError } from "#server/lib/errors.ts";
import type { Database } from "./database.ts";
import { describeHolder } from "./lock-holder.ts";

/** Time between two tries, in ms. */
const pause = 100;
/** Time until the operator is told who is waited for, in ms. */
const quietWait = 3_000;
/** Time that a start or a command waits for another one, in ms. */
export const longestWait = 30_000;

interface AdvisoryLock {
  /** Any number below 2^31 that no other program uses on the same database. */
  key: number;
  /** In ms. */
  maxWait: number;
  /** Who has the lock, such as "another start". */
  owner: string;
}

/**
 * Takes an advisory lock, which the transaction holds until it ends: no pooler and no broken connection leaves it behind. Waits by trying, as PostgreSQL may end
 * a statement that waits after a few seconds, and prints for whom. On PGlite, which has one connection, transactions follow each other anyway. Throws
 * OperatorError.
 */
export async function takeAdvisoryLock(tx: Database, { key, maxWait, owner }: AdvisoryLock): Promise<void> {
  const began = performance.now();
  const attempt = sql`(select pg_try_advisory_xact_lock(${key}) as locked) as attempt`;
  // PostgreSQL shows a key of 64 bits in two parts.
  const describeOwner = () =>
    describeHolder(tx, sql`locktype = 'advisory' and classid = 0 and objid = ${key} and objsubid = 1`);
  let isQuiet = true;
  while (!(await tx.select({ locked: sql<boolean>`locked` }).from(attempt))[0]?.locked) {
    const waited = performance.now() - began;
    if (waited > maxWait)
      throw new OperatorError(`Waited ${maxWait / 1_000} s for ${owner}: ${await describeOwner()}. Nothing was changed.`);
    if (isQuiet && waited > quietWait) {
      isQuiet = false;
      console.error(`Waiting for ${owner}: ${await describeOwner()}.`);
    }
    await wait(pause);
  }
}
