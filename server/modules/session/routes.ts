import type { Context } from "#server/context.ts";
import { inTransaction, isDatabaseUnavailable } from "#server/db/database.ts";
import { createConcurrencyLimit, QueueFullError } from "#server/http/rate-limit.ts";
import { memberRoute, publicRoute, type Route } from "#server/http/route.ts";
import { ApiError } from "#server/lib/errors.ts";
import { findMember, findMembership, findOrRegister, maskMobile, toUser } from "#server/modules/member/member.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { mobilePattern } from "#src/api/mobile.ts";
import { codeLength, findSubject, issueCode, tryCode, useCode } from "./login-code.ts";
import { endSession, openSession } from "./token.ts";

/** Concurrent code requests per process: a burst of them leaves most database connections to others. */
const maxConcurrent = 2;
/** Further requests that wait; those beyond get 10004 with this `retry_after`, in seconds. */
const maxWaiting = 100;
const retryAfter = 5;

function createCodeQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const limit = createConcurrencyLimit(maxConcurrent, maxWaiting, isDatabaseUnavailable);
  return (work) =>
    limit(work).catch((error: unknown) => {
      throw error instanceof QueueFullError ? new ApiError(codes.tooFrequent, { retry_after: retryAfter }) : error;
    });
}

export function sessionRoutes(context: Context): Route[] {
  const { config, db, now } = context;
  const enqueue = createCodeQueue();
  return [
    publicRoute(contract.sendCode, async ({ username }, { network }) => {
      await enqueue(() => issueCode(context, username, network));
      return {
        // Derived from the input alone: an account does not reveal its mobile number.
        target: mobilePattern.test(username) ? maskMobile(username) : `${username.slice(0, 2)}****`,
        code_length: codeLength,
        expires_in: config.CODE_LIFETIME_SECONDS,
        resend_after: config.CODE_RESEND_SECONDS,
      };
    }),

    publicRoute(contract.login, async ({ username, verification_code }, { locale, network }) => {
      const { subject, mobile } = await findSubject(db, username);
      const id = await tryCode(context, { subject, network }, verification_code);
      if (!mobile) throw new ApiError(codes.wrongCode);
      // One transaction, so that a crash cannot use a code up without opening a session.
      return inTransaction(db, async (tx) => {
        await useCode(context, tx, { id, subject });
        const at = now();
        const member = await findOrRegister(tx, mobile, { activated: config.ACTIVATE_NEW_MEMBERS, locale, at });
        const token = await openSession(tx, member.id, at);
        return { token, info: toUser(member, await findMembership(tx, member.id, at), locale) };
      });
    }),

    memberRoute(contract.userInfo, async (_payload, { locale, session }) => ({
      info: toUser(await findMember(db, session.memberId), await findMembership(db, session.memberId, now()), locale),
    })),

    memberRoute(contract.logout, async (_payload, { session }) => {
      await endSession(db, session.id);
      return {};
    }),
  ];
}
