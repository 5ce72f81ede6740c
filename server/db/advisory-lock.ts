import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { OperatorError } from "#server/lib/errors.ts";
import type { Database } from "./database.ts";

/** Time between two tries, in ms. */
const pause = 100;

interface AdvisoryLock {
  /** Any number that no other program uses on the same database. */
  key: number;
  /** In ms. */
  maxWait: number;
  /** One sentence for the operator, when another transaction holds the lock for longer. */
  message: string;
}

/**
 * Takes an advisory lock, which the transaction holds until it ends: no pooler and no broken connection leaves it behind. Waits by trying, as PostgreSQL may end
 * a statement that waits after a few seconds. On PGlite, which has one connection, transactions follow each other anyway. Throws OperatorError.
 */
export async function takeAdvisoryLock(tx: Database, { key, maxWait, message }: AdvisoryLock): Promise<void> {
  const deadline = performance.now() + maxWait;
  const attempt = sql`(select pg_try_advisory_xact_lock(${key}) as locked) as attempt`;
  while (!(await tx.select({ locked: sql<boolean>`locked` }).from(attempt))[0]?.locked) {
    if (performance.now() > deadline) throw new OperatorError(message);
    await wait(pause);
  }
}
