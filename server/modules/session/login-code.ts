import { randomInt, randomUUID } from "node:crypto";
import { and, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import { mobilePattern } from "../../../src/api/mobile.ts";
import type { Config } from "../../config/config.ts";
import type { Context, LoginCodes, Requester } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { members } from "../../db/schema/member.ts";
import { loginCodes } from "../../db/schema/session.ts";
import { hmac, isEqual, randomToken } from "../../lib/crypto.ts";
import { ApiError } from "../../lib/errors.ts";
import { checkQuota, clockSkew, reserveSend } from "./send-quota.ts";

export const codeLength = 6;

/** Finds the bound mobile number that a username's code and quota belong to. `mobile` is null for an unknown account. */
export async function findSubject(db: Database, username: string): Promise<{ subject: string; mobile: string | null }> {
  if (mobilePattern.test(username)) return { subject: username, mobile: username };
  const [member] = await db.select({ mobile: members.mobile }).from(members).where(eq(members.account, username));
  return { subject: member?.mobile ?? `account:${username}`, mobile: member?.mobile ?? null };
}

/**
 * Replaces the code that a username can log in with, and sends the new one. Throws 10004 over a quota, after a single read.
 * An unknown account gets a row that no code matches, so that guesses at it get the same responses as any other.
 */
export async function issueCode(context: Context, username: string, network: string): Promise<void> {
  const { subject, mobile } = await findSubject(context.db, username);
  const requester = { subject, network };
  await checkQuota(context, context.db, requester);
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
  const id = randomUUID();
  const digest = mobile ? digestCode(context, id, subject, code) : randomToken();
  await inTransaction(context.db, async (tx) => {
    await reserveSend(context, tx, requester);
    const createdAt = context.now();
    const expiresAt = new Date(createdAt.getTime() + context.config.CODE_LIFETIME_SECONDS * 1000);
    const row = { id, digest, network, tries: 0, triesElsewhere: 0, usedAt: null, createdAt, expiresAt };
    await tx
      .insert(loginCodes)
      .values({ subject, ...row })
      .onConflictDoUpdate({ target: loginCodes.subject, set: row });
  });
  if (mobile) context.sendMessage({ to: mobile, code });
}

/** Counts one try and compares the code; returns its id. Throws 20001 for a wrong code, 20003 when the network has no try left. */
export async function tryCode(context: Context, requester: Requester, code: string): Promise<string> {
  const at = context.now();
  const row = await context.loginCodes.spendTry(context.db, requester, at);
  if (row) {
    if (isEqual(row.digest, digestCode(context, row.id, requester.subject, code))) return row.id;
    throw new ApiError(codes.wrongCode);
  }
  const [spent] = await context.db.select({ id: loginCodes.id }).from(loginCodes).where(validCondition(requester.subject, at));
  throw new ApiError(spent ? codes.tooManyTries : codes.wrongCode);
}

/** Marks a code as used. Throws 20001 when it already was, or a newer one has replaced it: of several right guesses one succeeds. */
export async function useCode(context: Context, tx: Database, id: string): Promise<void> {
  if (!(await context.loginCodes.use(tx, id, context.now()))) throw new ApiError(codes.wrongCode);
}

/** Creates the try counter; reserves tries for the requesting network, so that other networks cannot use up the code. */
export function createLoginCodes(config: Pick<Config, "CODE_TRIES" | "CODE_TRIES_ELSEWHERE">): LoginCodes {
  return {
    async spendTry(db, { subject, network }, at) {
      const fromOwnNetwork = eq(loginCodes.network, network);
      const triesLeftCondition = and(
        lt(loginCodes.tries, config.CODE_TRIES),
        or(fromOwnNetwork, lt(loginCodes.triesElsewhere, config.CODE_TRIES_ELSEWHERE)),
      );
      // One statement: of any number of parallel guesses, only as many as there are tries are compared.
      const [row] = await db
        .update(loginCodes)
        .set({
          tries: sql`${loginCodes.tries} + 1`,
          triesElsewhere: sql`${loginCodes.triesElsewhere} + (case when ${fromOwnNetwork} then 0 else 1 end)`,
        })
        .where(and(validCondition(subject, at), triesLeftCondition))
        .returning({ id: loginCodes.id, digest: loginCodes.digest });
      return row ?? null;
    },
    async use(tx, id, at) {
      const rows = await tx
        .update(loginCodes)
        .set({ usedAt: at })
        .where(and(eq(loginCodes.id, id), isNull(loginCodes.usedAt)))
        .returning({ id: loginCodes.id });
      return rows.length > 0;
    },
  };
}

/** A code from a clock that is ahead does not count: it would be valid for as long as the clock is ahead. */
function validCondition(subject: string, at: Date) {
  return and(
    eq(loginCodes.subject, subject),
    isNull(loginCodes.usedAt),
    gt(loginCodes.expiresAt, at),
    lte(loginCodes.createdAt, new Date(at.getTime() + clockSkew)),
  );
}

function digestCode(context: Context, id: string, subject: string, code: string): string {
  return hmac(context.key, "login code", id, subject, code);
}
