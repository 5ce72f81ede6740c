import { codes } from "../../../src/api/envelope.ts";
import { mobilePattern } from "../../../src/api/field.ts";
import { login, sendCode } from "../../../src/api/login.ts";
import { userInfo } from "../../../src/api/session.ts";
import type { Context } from "../../context.ts";
import { inTransaction, isDatabaseUnavailable } from "../../db/database.ts";
import { createConcurrencyLimit, QueueFullError } from "../../http/concurrency-limit.ts";
import { memberRoute, publicRoute, type Route } from "../../http/route.ts";
import { ApiError } from "../../lib/api-error.ts";
import { findMember, findMembership, findOrRegister, maskMobile, toUser } from "../member/member.ts";
import { codeLength, findSubject, issueCode, tryCode, useCode } from "./login-code.ts";
import { openSession } from "./token.ts";

/** How many requests for codes a process has in the database at once: a flood of them leaves the connections to all others. */
const atOnce = 2;
/** How many may wait for that, and how long those over it are told to wait, in seconds. */
const waiting = 100;
const retryAfter = 5;

function createCodeGate(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const through = createConcurrencyLimit(atOnce, waiting, isDatabaseUnavailable);
  return (work) =>
    through(work).catch((error: unknown) => {
      throw error instanceof QueueFullError ? new ApiError(codes.tooFrequent, { retry_after: retryAfter }) : error;
    });
}

export function sessionRoutes(context: Context): Route[] {
  const { config, db, now } = context;
  const throughGate = createCodeGate();
  return [
    publicRoute(sendCode, async ({ username }, { network }) => {
      await throughGate(() => issueCode(context, username, network));
      return {
        // Of what was typed, never of what is known: the number behind an account is nobody's business.
        target: mobilePattern.test(username) ? maskMobile(username) : `${username.slice(0, 2)}****`,
        code_length: codeLength,
        expires_in: config.CODE_LIFETIME_SECONDS,
        resend_after: config.CODE_RESEND_SECONDS,
      };
    }),

    publicRoute(login, async ({ username, verification_code }, { locale, network }) => {
      const { subject, mobile } = await findSubject(db, username);
      const codeId = await tryCode(context, { subject, network }, verification_code);
      if (!mobile) throw new ApiError(codes.wrongCode);
      // One transaction: a crash between cannot use a code up without a session.
      return inTransaction(db, async (tx) => {
        await useCode(context, tx, codeId);
        const at = now();
        const member = await findOrRegister(tx, mobile, { activated: config.ACTIVATE_NEW_MEMBERS, locale, at });
        const token = await openSession(tx, member.id, at);
        return { token, info: toUser(member, await findMembership(tx, member.id, at), locale) };
      });
    }),

    memberRoute(userInfo, async (_payload, { locale, session }) => ({
      info: toUser(await findMember(db, session.memberId), await findMembership(db, session.memberId, now()), locale),
    })),
  ];
}
