import { and, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Config } from "#server/config/config.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { earlierCodes, loginCodes } from "#server/db/schema/session.ts";
import { randomToken } from "#server/lib/crypto.ts";
import { clockSkew } from "./clock.ts";

type CodeTable = typeof loginCodes | typeof earlierCodes;

/** The subject and network of a login-code request. */
export interface Requester {
  subject: string;
  network: string;
}

type TryLimits = Pick<Config, "CODE_TRIES" | "CODE_TRIES_ELSEWHERE">;

/**
 * Counts one try of the requester's network at each of the subject's valid codes, and returns those that had one left. Some tries are the requesting network's
 * own, so that other networks cannot use up the code.
 */
export async function spendTry(db: Database, limits: TryLimits, { subject, network }: Requester, at: Date) {
  const [newest = null] = await spendTries(db, limits, loginCodes, network, isNewestValid(subject, at));
  // In this order a code that becomes an earlier one meanwhile is found.
  const earlier = await spendTries(db, limits, earlierCodes, network, isValid(earlierCodes, subject, at));
  return { newest, earlier };
}

/** Counts one try at each valid code of a table: of any number of parallel guesses, only as many as there are tries are compared with a code. */
function spendTries(db: Database, limits: TryLimits, table: CodeTable, network: string, valid: ReturnType<typeof isValid>) {
  const fromOwnNetwork = eq(table.network, network);
  const hasTriesLeft = and(
    lt(table.tries, limits.CODE_TRIES),
    or(fromOwnNetwork, lt(table.triesElsewhere, limits.CODE_TRIES_ELSEWHERE)),
  );
  return db
    .update(table)
    .set({
      tries: sql`${table.tries} + 1`,
      triesElsewhere: sql`${table.triesElsewhere} + (case when ${fromOwnNetwork} then 0 else 1 end)`,
    })
    .where(and(valid, hasTriesLeft))
    .returning({ id: table.id, digest: table.digest });
}

/** Marks all codes of a subject as used; false when one already was, or `id` is not valid any more. */
export async function markUsed(tx: Database, { id, subject }: { id: string; subject: string }, at: Date): Promise<boolean> {
  const [newest] = await tx
    .update(loginCodes)
    .set({ usedAt: at })
    .where(and(eq(loginCodes.subject, subject), isNull(loginCodes.usedAt)))
    .returning({ id: loginCodes.id });
  if (!newest) return false;
  const earlier = await tx.delete(earlierCodes).where(eq(earlierCodes.subject, subject)).returning({ id: earlierCodes.id });
  return [newest, ...earlier].some((code) => code.id === id);
}

/** A code from a clock that is ahead does not count: it would be valid for as long as the clock is ahead. */
function isValid(table: CodeTable, subject: string, at: Date) {
  return and(eq(table.subject, subject), gt(table.expiresAt, at), lte(table.createdAt, new Date(at.getTime() + clockSkew)));
}

const isNewestValid = (subject: string, at: Date) => and(isValid(loginCodes, subject, at), isNull(loginCodes.usedAt));

/** Returns whether the newest code of a subject is valid, whatever tries it has left. */
export async function hasValidCode(db: Database, subject: string, at: Date): Promise<boolean> {
  return (await db.select({ id: loginCodes.id }).from(loginCodes).where(isNewestValid(subject, at))).length > 0;
}

export type NewCode = Omit<typeof loginCodes.$inferSelect, "tries" | "triesElsewhere" | "usedAt">;

/** Stores a subject's newest code. The one before stays valid, with the tries that it has left, until `acceptCode`. */
export async function saveCode(tx: Database, code: NewCode): Promise<void> {
  const { subject, createdAt } = code;
  // Locks the row, so that no guess is counted between reading and replacing it.
  const [before] = await tx.select().from(loginCodes).where(isNewestValid(subject, createdAt)).for("update");
  if (before) await tx.insert(earlierCodes).values(before);
  const row = { ...code, tries: 0, triesElsewhere: 0, usedAt: null };
  await tx.insert(loginCodes).values(row).onConflictDoUpdate({ target: loginCodes.subject, set: row });
}

/** Voids the codes before one that the service has accepted. */
export async function acceptCode(db: Database, { subject, createdAt }: NewCode): Promise<void> {
  const isBefore = and(eq(earlierCodes.subject, subject), lt(earlierCodes.createdAt, createdAt));
  await inTransaction(db, (tx) => tx.delete(earlierCodes).where(isBefore));
}

/** Voids a code that was certainly not sent, and returns how many guesses it was compared with. As the newest one it keeps its row, which counts tries. */
export async function voidCode(db: Database, { id }: NewCode): Promise<number> {
  for (const table of [loginCodes, earlierCodes]) {
    const [row] = await db
      .update(table)
      .set({ digest: randomToken() })
      .where(eq(table.id, id))
      .returning({ tries: table.tries });
    if (row) return row.tries;
  }
  return Number.POSITIVE_INFINITY;
}
