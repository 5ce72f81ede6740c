import { and, eq, inArray, isNull, lt, lte, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Context } from "#server/context.ts";
import { shippingReports } from "#server/db/schema/shipping.ts";
import type { Report } from "./record.ts";

// One process has a report for a while, by the number of its attempt: what another has taken since is neither sent nor changed.

const minute = 60_000;
/** How long one process has a report for itself: longer than all its requests take. */
const lease = 2 * minute;
/** When a report without an answer is looked up, in ms after the last time; then every half an hour. */
const retryTimes = [1, 1, 2, 5, 10, 30].map((minutes) => minutes * minute);

/** What becomes of a report: it has ended, or is tried again. `unanswered` leaves it as it is stored: due, or sent. */
export type Outcome = { state: Report["state"] | "unanswered" } & Partial<Pick<Report, "errcode" | "words">>;

const earlier = alias(shippingReports, "earlier");

/** Takes a report for this process. One whose order has an earlier report without an answer waits for that. */
export async function claimReport({ db, now }: Context, id: number): Promise<Report | undefined> {
  const at = now();
  const unsettled = db
    .select({ id: earlier.id })
    .from(earlier)
    .where(
      and(
        eq(earlier.orderSn, shippingReports.orderSn),
        lt(earlier.id, shippingReports.id),
        inArray(earlier.state, ["due", "sent"]),
        ne(earlier.kind, "presale"),
      ),
    );
  const isDue = and(lte(shippingReports.nextAt, at), notExists(unsettled));
  const [claimed] = await db
    .update(shippingReports)
    .set({ nextAt: new Date(at.getTime() + lease), attempts: sql`${shippingReports.attempts} + 1` })
    .where(and(eq(shippingReports.id, id), isDue))
    .returning();
  return claimed;
}

const isOwn = ({ id, attempts }: Report) =>
  and(eq(shippingReports.id, id), eq(shippingReports.attempts, attempts), isNull(shippingReports.endedAt));

/** Stores that a report is sent, before it is; false when it has ended meanwhile, or another process has it. */
export async function markSent({ db, now }: Context, report: Report, isCorrection: boolean): Promise<boolean> {
  const rows = await db
    .update(shippingReports)
    .set({ state: "sent", isCorrection, sentAt: now() })
    .where(isOwn(report))
    .returning({ id: shippingReports.id });
  return rows.length > 0;
}

/** Stores what has become of a report, unless another process has taken it since. */
export async function saveOutcome({ db, now }: Context, report: Report, { state, ...answer }: Outcome): Promise<void> {
  const at = now();
  const isOpen = state === "due" || state === "unanswered";
  const retryAfter = retryTimes[Math.min(report.attempts, retryTimes.length) - 1] ?? minute;
  const next = isOpen ? { nextAt: new Date(at.getTime() + retryAfter) } : { nextAt: null, endedAt: at };
  await db
    .update(shippingReports)
    .set({ errcode: null, words: null, ...answer, ...(state === "unanswered" ? {} : { state }), ...next })
    .where(isOwn(report));
}
