import { randomInt, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { countMessageFailure, forgetMessageFailures } from "#server/db/message-failures.ts";
import { members } from "#server/db/schema/member.ts";
import { hmac, isEqual, randomToken } from "#server/lib/crypto.ts";
import { ApiError, type DeliveryError } from "#server/lib/errors.ts";
import { codes } from "#src/api/envelope.ts";
import { mobilePattern } from "#src/api/mobile.ts";
import { acceptCode, hasValidCode, markUsed, type NewCode, type Requester, saveCode, spendTry, voidCode } from "./code-row.ts";
import { checkQuota, releaseSend, reserveSend } from "./send-quota.ts";

export const codeLength = 6;

/** Finds the bound mobile number that a username's code and quota belong to. `mobile` is null for an unknown account. */
export async function findSubject(db: Database, username: string): Promise<{ subject: string; mobile: string | null }> {
  if (mobilePattern.test(username)) return { subject: username, mobile: username };
  const [member] = await db.select({ mobile: members.mobile }).from(members).where(eq(members.account, username));
  return { subject: member?.mobile ?? `account:${username}`, mobile: member?.mobile ?? null };
}

/**
 * Creates a code that a username can log in with, and sends it. Throws 10004 over a quota of the number or the network, after a single read.
 * Who receives none (an unknown account; over CODES_PER_HOUR_HOST a number without an order) gets a row that no code matches, so that requests and guesses get
 * the same responses as any other.
 */
export async function issueCode(context: Context, username: string, network: string): Promise<void> {
  const { subject, mobile } = await findSubject(context.db, username);
  const requester = { subject, network };
  await checkQuota(context, context.db, requester);
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
  const id = randomUUID();
  const { row, send } = await inTransaction(context.db, async (tx) => {
    const send = await reserveSend(context, tx, requester);
    const createdAt = context.now();
    const expiresAt = new Date(createdAt.getTime() + context.config.CODE_LIFETIME_SECONDS * 1000);
    const digest = mobile && send.isGranted ? digestCode(context, id, subject, code) : randomToken();
    const row = { id, subject, digest, network, createdAt, expiresAt };
    await saveCode(tx, row);
    return { row, send };
  });
  if (send.warning) console.warn(send.warning);
  if (!mobile || !send.isGranted) return;
  // What becomes of a code may show only where everybody is sent one: not for accounts, which may be unknown, nor in the reserve.
  const isAlike = mobilePattern.test(username) && !send.isReserve;
  context.sendMessage({ to: mobile, code }, async (failure) => {
    const isUntried = await settleCode(context, row, failure);
    if (!isAlike) return;
    if (isUntried) await releaseSend(context.db, send.id);
    if (failure) await countMessageFailure(context.db, context.config.SMS, failure, context.now());
    else await forgetMessageFailures(context.db, context.config.SMS);
  });
}

/**
 * Voids earlier codes once the service has accepted a code's message, or the code itself where it was certainly not sent. Returns whether that one was compared
 * with no guess. Any other counts for its number, so that CODES_PER_HOUR times CODE_TRIES stays the limit of guesses.
 */
async function settleCode({ db }: Context, code: NewCode, failure: DeliveryError | null): Promise<boolean> {
  if (failure) return failure.isRefusal && (await voidCode(db, code)) === 0;
  await acceptCode(db, code);
  return false;
}

/** Counts one try and compares the code; returns the id of the one that is right. Throws 20001 for a wrong code, 20003 when the network has no try left. */
export async function tryCode(context: Context, requester: Requester, code: string): Promise<string> {
  const at = context.now();
  const { newest, earlier } = await inTransaction(context.db, (tx) => spendTry(tx, context.config, requester, at));
  const isRight = ({ id, digest }: { id: string; digest: string }) =>
    isEqual(digest, digestCode(context, id, requester.subject, code));
  const right = [...(newest ? [newest] : []), ...earlier].find(isRight);
  if (right) return right.id;
  // The newest code alone decides: whether there are earlier ones depends on what became of messages.
  const isSpent = !newest && (await hasValidCode(context.db, requester.subject, at));
  throw new ApiError(isSpent ? codes.tooManyTries : codes.wrongCode);
}

/** Marks a subject's codes as used. Throws 20001 when one already was, or a newer one is accepted: of several right guesses one succeeds. */
export async function useCode(context: Context, tx: Database, code: { id: string; subject: string }): Promise<void> {
  if (!(await markUsed(tx, code, context.now()))) throw new ApiError(codes.wrongCode);
}

function digestCode(context: Context, id: string, subject: string, code: string): string {
  return hmac(context.key, "login code", id, subject, code);
}
