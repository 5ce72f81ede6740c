import type { Locale } from "../../../i18n/locale.ts";
import { forward, forwardTargets, getPlan, userToken } from "../../../src/api/concert.ts";
import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { memberRoute, publicRoute, type Route, type Session } from "../../http/route.ts";
import { hmac, isEqual } from "../../lib/crypto.ts";
import { ApiError } from "../../lib/errors.ts";
import { findMember } from "../member/member.ts";
import { fetchOrigin, parsePlanRequest, requireConcert, type Target, updatePlan } from "./plan.ts";

export function concertRoutes(context: Context): Route[] {
  const { config, db } = context;
  return [
    memberRoute(userToken, async (_payload, { session }) => {
      const { activated } = await findMember(db, session.memberId);
      if (!activated) return { app_user_token: null, chat_token: null, app_response_code: codes.notActivated };
      return {
        app_user_token: createAppToken(context, session),
        chat_token: hmac(context.key, "chat token", session.memberId, session.id),
        app_response_code: codes.success,
      };
    }),

    publicRoute(getPlan, async ({ id }) => {
      await requireConcert(db, id);
      return {};
    }),

    memberRoute(forward, async ({ request_url, request_method, request_header, request_data }, { session, locale }) => {
      const target = forwardTargets.find((path) => path === request_url);
      const { activated } = await findMember(db, session.memberId);
      const isAllowed = activated && request_method === "POST" && isOwnHeader(request_header, createAppToken(context, session));
      if (!target || !isAllowed) throw new ApiError(codes.notAllowed);
      const state = await forwardRequest(target, request_data, session, locale);
      return { response_data: JSON.stringify({ data: state }) };
    }),
  ];

  async function forwardRequest(target: Target, data: unknown, session: Session, locale: Locale) {
    const request = parsePlanRequest(target, data, locale);
    await requireConcert(db, request.Id);
    if (!config.CONCERT_ORIGIN) return updatePlan(context, session.memberId, request);
    return fetchOrigin(config.CONCERT_ORIGIN, target, request, `Bearer ${createAppToken(context, session)}`);
  }
}

/** Derives the token from member and session: nothing is stored, and it ends with the session. */
function createAppToken(context: Context, session: Session): string {
  return hmac(context.key, "app token", session.memberId, session.id);
}

/** Returns whether the header has exactly the contract's two fields, in any case, with the caller's own token. */
function isOwnHeader(header: Record<string, string>, token: string): boolean {
  const entries = Object.entries(header).map(([name, value]) => [name.toLowerCase(), value] as const);
  const values = new Map(entries);
  if (entries.length !== 2 || values.size !== 2) return false;
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(values.get("content-type") ?? "")) return false;
  return isEqual(values.get("authorization") ?? "", `Bearer ${token}`);
}
