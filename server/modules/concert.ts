import type { Locale } from "../../i18n/locale.ts";
import { forward, forwardTargets, getPlan, userToken } from "../../src/api/concert.ts";
import { codes } from "../../src/api/envelope.ts";
import { keyed, same } from "../lib/digest.ts";
import { Refusal } from "../lib/refusal.ts";
import { type Served, type Session, serveMember, servePublic } from "../lib/serve.ts";
import type { Context } from "../lib/world.ts";
import { askOrigin } from "./concert-origin.ts";
import { answerPlan, mustKnow, planRequest, type Target } from "./concert-plan.ts";
import { memberOf } from "./member.ts";

export function concertCalls(context: Context): Served[] {
  const { config, db } = context;
  return [
    serveMember(userToken, async (_payload, { session }) => {
      const { activated } = await memberOf(db, session.memberId);
      if (!activated) return { app_user_token: null, chat_token: null, app_response_code: codes.notActivated };
      return {
        app_user_token: appToken(context, session),
        chat_token: keyed(context.key, "chat token", session.memberId, session.id),
        app_response_code: codes.success,
      };
    }),

    servePublic(getPlan, async ({ id }) => {
      await mustKnow(db, id);
      return {};
    }),

    serveMember(forward, async ({ request_url, request_method, request_header, request_data }, { session, locale }) => {
      const target = forwardTargets.find((known) => known === request_url);
      const { activated } = await memberOf(db, session.memberId);
      const allowed = activated && request_method === "POST" && isOwnHeader(request_header, appToken(context, session));
      if (!target || !allowed) throw new Refusal(codes.notAllowed);
      const state = await ask(target, request_data, session, locale);
      return { response_data: JSON.stringify({ data: state }) };
    }),
  ];

  async function ask(target: Target, data: unknown, session: Session, locale: Locale) {
    const request = planRequest(target, data, locale);
    await mustKnow(db, request.Id);
    if (!config.CONCERT_ORIGIN) return answerPlan(context, session.memberId, request);
    return askOrigin(config.CONCERT_ORIGIN, target, request, `Bearer ${appToken(context, session)}`);
  }
}

/** Of one member in one session: nothing is stored, and it ends with the session. */
function appToken(context: Context, session: Session): string {
  return keyed(context.key, "app token", session.memberId, session.id);
}

/** Exactly the two headers of the contract, however their names are written, and the caller's own token. */
function isOwnHeader(header: Record<string, string>, token: string): boolean {
  const entries = Object.entries(header).map(([name, value]) => [name.toLowerCase(), value] as const);
  const values = new Map(entries);
  if (entries.length !== 2 || values.size !== 2) return false;
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(values.get("content-type") ?? "")) return false;
  return same(values.get("authorization") ?? "", `Bearer ${token}`);
}
