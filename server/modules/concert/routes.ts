import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import { concertPlans, concerts } from "#server/db/schema/member.ts";
import { memberRoute, publicRoute, type Route, validate } from "#server/http/route.ts";
import { hmac } from "#server/lib/crypto.ts";
import { ApiError, getReason } from "#server/lib/errors.ts";
import { readBody } from "#server/lib/read-body.ts";
import { findMember } from "#server/modules/member/member.ts";
import { forwardRequests, forwardTargets, planState } from "#src/api/concert.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { createToken, isOwnToken, tokenLifetime } from "./token.ts";

export function concertRoutes(context: Context): Route[] {
  const { config, db } = context;
  return [
    memberRoute(contract.userToken, async (_payload, { session, origin }) => {
      const { activated } = await findMember(db, session.memberId);
      if (!activated) return { app_user_token: null, chat_token: null, app_response_code: codes.notActivated };
      return {
        app_user_token: await createToken(context, session.memberId, origin),
        chat_token: hmac(context.key, "chat token", session.memberId, session.id),
        app_response_code: codes.success,
        expires_in: tokenLifetime,
      };
    }),

    publicRoute(contract.getPlan, async ({ id }) => {
      await requireConcert(db, id);
      return {};
    }),

    memberRoute(contract.forward, async (payload, { session, locale }) => {
      const { request_url, request_method, request_header, request_data } = payload;
      const target = forwardTargets.find((path) => path === request_url);
      const { activated } = await findMember(db, session.memberId);
      const token = request_method === "POST" ? findToken(request_header) : undefined;
      const isAllowed = target && activated && token && (await isOwnToken(context, token, session.memberId));
      if (!isAllowed) throw new ApiError(codes.notAllowed);
      const request: PlanRequest = validate(requests[target], request_data, locale, "request_data.");
      await requireConcert(db, request.Id);
      const state = config.CONCERT_ORIGIN
        ? await fetchOrigin(config.CONCERT_ORIGIN, target, request, `Bearer ${token}`)
        : await updatePlan(context, session.memberId, request);
      return { response_data: JSON.stringify({ data: state }) };
    }),
  ];
}

/** Returns the token of a header that has exactly the contract's two fields, in any case. */
function findToken(header: Record<string, string>): string | undefined {
  const entries = Object.entries(header).map(([name, value]) => [name.toLowerCase(), value] as const);
  const values = new Map(entries);
  if (entries.length !== 2 || values.size !== 2) return undefined;
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(values.get("content-type") ?? "")) return undefined;
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(values.get("authorization") ?? "")?.[1];
}

type Target = (typeof forwardTargets)[number];

/** The requests of the concert back end that this file implements; it serves where CONCERT_ORIGIN is not set. */
const requests = forwardRequests();

interface PlanRequest {
  Id: number;
  IsPlan?: boolean;
}

/** Throws 10003 for an unknown concert. */
async function requireConcert(db: Database, id: number): Promise<void> {
  // The column is a 32-bit integer.
  const rows = Math.abs(id) < 2 ** 31 ? await db.select({ id: concerts.id }).from(concerts).where(eq(concerts.id, id)) : [];
  if (rows.length === 0) throw new ApiError(codes.notFound);
}

/** Joins or leaves the plan when `IsPlan` is set, and returns whether the member is in it. A repeated request changes nothing. */
async function updatePlan({ db, now }: Context, memberId: string, { Id, IsPlan }: PlanRequest): Promise<{ IsPlan: boolean }> {
  const ownPlan = and(eq(concertPlans.memberId, memberId), eq(concertPlans.concertId, Id));
  if (IsPlan === false) await db.delete(concertPlans).where(ownPlan);
  if (IsPlan === true) {
    await db.insert(concertPlans).values({ memberId, concertId: Id, joinedAt: now() }).onConflictDoNothing();
  }
  const rows = await db.select({ id: concertPlans.concertId }).from(concertPlans).where(ownPlan);
  return { IsPlan: rows.length > 0 };
}

const timeout = 5_000;
const maxResponse = 64 * 1024;

/** Forwards a request to the concert back end at CONCERT_ORIGIN. Throws 10503 (HTTP 503) when it fails, takes over 5 s, redirects, or returns anything but a plan's state. */
async function fetchOrigin(
  origin: string,
  target: Target,
  request: PlanRequest,
  authorization: string,
): Promise<{ IsPlan: boolean }> {
  try {
    const response = await fetch(origin + target, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", authorization },
      body: JSON.stringify(request),
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`it responded with ${response.status}`);
    const body = await readBody(response.body, maxResponse, () => new Error("its response is too long"));
    return parseState(body.toString("utf8"));
  } catch (error) {
    console.error(`The concert back end failed: ${getReason(error)}`);
    throw new ApiError(codes.unavailable, null, 503);
  }
}

function parseState(text: string): { IsPlan: boolean } {
  // The parsers' own messages would repeat the response in the log.
  try {
    return v.parse(planState, JSON.parse(text)).data;
  } catch {
    throw new Error("its response is not the state of a plan");
  }
}
