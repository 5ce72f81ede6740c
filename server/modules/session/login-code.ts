import { randomInt, randomUUID } from "node:crypto";
import { and, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import { mobilePattern } from "../../../src/api/field.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { members } from "../../db/schema/member.ts";
import { loginCodes } from "../../db/schema/session.ts";
import { ApiError } from "../../lib/api-error.ts";
import { hmac, isEqual, randomToken } from "../../lib/crypto.ts";
import { type Asking, clockSkew, mustFit, reserveSend } from "./send-quota.ts";

export const codeLength = 6;

/** Whose code and ceilings a name stands for: a bound mobile number. `mobile` is null for an account that nobody has. */
export async function findSubject(db: Database, username: string): Promise<{ subject: string; mobile: string | null }> {
  if (mobilePattern.test(username)) return { subject: username, mobile: username };
  const [found] = await db.select({ mobile: members.mobile }).from(members).where(eq(members.account, username));
  return { subject: found?.mobile ?? `account:${username}`, mobile: found?.mobile ?? null };
}

/**
 * Makes the one code that a name can log in with from now on, and has it delivered. Throws 10004 over a ceiling, after a single read.
 * An account that nobody has gets a row as well, which no code matches: guesses at it are answered as for any other.
 */
export async function issueCode(context: Context, username: string, network: string): Promise<void> {
  const { subject, mobile } = await findSubject(context.db, username);
  const asking = { subject, network };
  await mustFit(context, context.db, asking);
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
  const id = randomUUID();
  const matching = digestOf(context, id, subject, code);
  await inTransaction(context.db, async (tx) => {
    await reserveSend(context, tx, asking);
    const createdAt = context.now();
    const expiresAt = new Date(createdAt.getTime() + context.config.CODE_LIFETIME_SECONDS * 1000);
    const untried = { tries: 0, triesElsewhere: 0, usedAt: null };
    const fresh = { id, digest: mobile ? matching : randomToken(), network, ...untried, createdAt, expiresAt };
    await tx
      .insert(loginCodes)
      .values({ subject, ...fresh })
      .onConflictDoUpdate({ target: loginCodes.subject, set: fresh });
  });
  if (mobile) context.deliver({ to: mobile, code });
}

/**
 * Spends one try on a subject's code and compares. Throws 20001, or 20003 when no try is left to the network: some are kept for the one that asked for the
 * code, so that a stranger's guesses do not void it. Returns the code's id, for `useCode`.
 */
export async function tryCode(context: Context, { subject, network }: Asking, code: string): Promise<string> {
  const { config, now, seams } = context;
  const live = and(
    eq(loginCodes.subject, subject),
    isNull(loginCodes.usedAt),
    gt(loginCodes.expiresAt, now()),
    // Not one made by a clock that was ahead: it would live for as long as the clock was.
    lte(loginCodes.createdAt, new Date(now().getTime() + clockSkew)),
  );
  const isOwn = eq(loginCodes.network, network);
  const leftToIt = or(isOwn, lt(loginCodes.triesElsewhere, config.CODE_TRIES_ELSEWHERE));
  const left = seams.unguarded.has("code-tries") ? undefined : and(lt(loginCodes.tries, config.CODE_TRIES), leftToIt);
  // One statement: of any number of parallel guesses, only as many as there are tries get to compare.
  const [row] = await context.db
    .update(loginCodes)
    .set({
      tries: sql`${loginCodes.tries} + 1`,
      triesElsewhere: sql`${loginCodes.triesElsewhere} + (case when ${isOwn} then 0 else 1 end)`,
    })
    .where(and(live, left))
    .returning({ id: loginCodes.id, digest: loginCodes.digest });
  if (row) {
    if (isEqual(row.digest, digestOf(context, row.id, subject, code))) return row.id;
    throw new ApiError(codes.wrongCode);
  }
  const [spent] = await context.db.select({ id: loginCodes.id }).from(loginCodes).where(live);
  throw new ApiError(spent ? codes.tooManyTries : codes.wrongCode);
}

/** Uses a code up: of several that guessed right, one. Throws 20001 for the others. */
export async function useCode(context: Context, tx: Database, id: string): Promise<void> {
  const once = context.seams.unguarded.has("code-once") ? undefined : isNull(loginCodes.usedAt);
  const used = await tx
    .update(loginCodes)
    .set({ usedAt: context.now() })
    .where(and(eq(loginCodes.id, id), once))
    .returning({ id: loginCodes.id });
  if (used.length === 0) throw new ApiError(codes.wrongCode);
}

function digestOf(context: Context, id: string, subject: string, code: string): string {
  return hmac(context.key, "login code", id, subject, code);
}
