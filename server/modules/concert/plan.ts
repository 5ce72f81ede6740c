import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import type { Locale } from "../../../i18n/locale.ts";
import type { forwardTargets } from "../../../src/api/concert.ts";
import { codes } from "../../../src/api/envelope.ts";
import { integer } from "../../../src/api/field.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { concertPlans, concerts } from "../../db/schema/concert.ts";
import { validate } from "../../http/route.ts";
import { ApiError } from "../../lib/api-error.ts";

/** The reference concert back end: what stands behind the forwarding call where CONCERT_ORIGIN names no other. */

export type Target = (typeof forwardTargets)[number];

const requests = {
  "/api/concert/getplan": v.object({ Id: integer }),
  "/api/concert/setplan": v.object({ Id: integer, IsPlan: v.boolean("required") }),
};

export interface PlanRequest {
  Id: number;
  IsPlan?: boolean;
}

/** The request's data as the back end is sent it. Throws 10002 for what does not fit its target. */
export function planRequest(target: Target, data: unknown, locale: Locale): PlanRequest {
  return validate(requests[target], data, locale, "request_data.");
}

/** Throws 10003 for a concert that is not known. */
export async function requireConcert(db: Database, id: number): Promise<void> {
  // Beyond PostgreSQL's integer there is no concert.
  const found = Math.abs(id) < 2 ** 31 ? await db.select({ id: concerts.id }).from(concerts).where(eq(concerts.id, id)) : [];
  if (found.length === 0) throw new ApiError(codes.notFound);
}

/** Joins or leaves where `IsPlan` says so; answers whether the member is in. The wanted state is sent, so a repeat is harmless. */
export async function answerPlan(
  { db, now }: Context,
  memberId: string,
  { Id, IsPlan }: PlanRequest,
): Promise<{ IsPlan: boolean }> {
  const mine = and(eq(concertPlans.memberId, memberId), eq(concertPlans.concertId, Id));
  if (IsPlan === false) await db.delete(concertPlans).where(mine);
  if (IsPlan === true) {
    await db.insert(concertPlans).values({ memberId, concertId: Id, joinedAt: now() }).onConflictDoNothing();
  }
  const rows = await db.select({ id: concertPlans.concertId }).from(concertPlans).where(mine);
  return { IsPlan: rows.length > 0 };
}
