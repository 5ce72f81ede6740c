import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import type { Locale } from "../../../i18n/locale.ts";
import { type forwardTargets, planState } from "../../../src/api/concert.ts";
import { codes } from "../../../src/api/envelope.ts";
import { integer } from "../../../src/api/field.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { concertPlans, concerts } from "../../db/schema/concert.ts";
import { validate } from "../../http/route.ts";
import { ApiError } from "../../lib/errors.ts";

export type Target = (typeof forwardTargets)[number];

/** The requests of the concert back end that this file implements; it serves where CONCERT_ORIGIN is not set. */
const requests = {
  "/api/concert/getplan": v.object({ Id: integer }),
  "/api/concert/setplan": v.object({ Id: integer, IsPlan: v.boolean("required") }),
};

export interface PlanRequest {
  Id: number;
  IsPlan?: boolean;
}

/** Parses the data of a forwarded request. Throws 10002 for data that its target does not accept. */
export function parsePlanRequest(target: Target, data: unknown, locale: Locale): PlanRequest {
  return validate(requests[target], data, locale, "request_data.");
}

/** Throws 10003 for an unknown concert. */
export async function requireConcert(db: Database, id: number): Promise<void> {
  // The column is a 32-bit integer.
  const rows = Math.abs(id) < 2 ** 31 ? await db.select({ id: concerts.id }).from(concerts).where(eq(concerts.id, id)) : [];
  if (rows.length === 0) throw new ApiError(codes.notFound);
}

/** Joins or leaves the plan when `IsPlan` is set, and returns whether the member is in it. A repeated request changes nothing. */
export async function updatePlan(
  { db, now }: Context,
  memberId: string,
  { Id, IsPlan }: PlanRequest,
): Promise<{ IsPlan: boolean }> {
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
export async function fetchOrigin(
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
    return parseState(await readText(response));
  } catch (error) {
    console.error(`The concert back end failed: ${error instanceof Error ? error.message : "no reason given"}`);
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

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxResponse) throw new Error("its response is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
