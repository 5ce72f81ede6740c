import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { memberships } from "../../db/schema/member.ts";
import { orderLines, orders } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";
import { type PassEvent, shareOf } from "./days.ts";

/** Gives a member a pass until a time. One that runs on with the same package keeps its beginning. */
export async function grantMembership(
  tx: Database,
  memberId: string,
  packageUid: string,
  at: Date,
  expiresAt: Date,
): Promise<void> {
  const [held] = await tx.select().from(memberships).where(eq(memberships.memberId, memberId));
  const runsOn = held && held.expiresAt > at && held.packageUid === packageUid;
  const pass = { packageUid, startedAt: runsOn ? held.startedAt : at, expiresAt };
  await tx
    .insert(memberships)
    .values({ memberId, ...pass })
    .onConflictDoUpdate({ target: memberships.memberId, set: pass });
}

/**
 * Takes back the days that a package's order still contributes to the pass that runs now: those that were used are gone, and others' days stay.
 * Called before the order is closed. A pass that has no time left is gone.
 */
export async function takeBackDays(tx: Database, memberId: string, orderSn: string, at: Date): Promise<void> {
  const own = eq(memberships.memberId, memberId);
  const [held] = await tx.select().from(memberships).where(own);
  if (!held) return;
  const share = shareOf(orderSn, await passEvents(tx, memberId), at.getTime());
  const expiresAt = new Date(held.expiresAt.getTime() - share);
  if (expiresAt <= at || expiresAt <= held.startedAt) await tx.delete(memberships).where(own);
  else await tx.update(memberships).set({ expiresAt }).where(own);
}

/** All that a member's orders have done to the pass. One whose money came when it had closed for good has done nothing. */
async function passEvents(tx: Database, memberId: string): Promise<PassEvent[]> {
  const rows = await tx
    .select({ order: orders, quantity: orderLines.quantity, days: orderLines.days, package: packages })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderSn, orders.orderSn))
    .innerJoin(packages, eq(packages.uid, orderLines.uid))
    .where(and(eq(orders.memberId, memberId), eq(orders.kind, "package"), isNotNull(orders.paidAt)))
    // Of two at the same time the lower pass came first: it cannot be had beside a higher one.
    .orderBy(asc(orders.paidAt), asc(packages.level), asc(orders.orderSn));
  const events = rows.flatMap(({ order, quantity, days, package: bought }): PassEvent[] => {
    const { orderSn, paidAt, closedAt } = order;
    if (!paidAt || (closedAt && closedAt <= paidAt)) return [];
    const terms = { ...bought, days: days ?? bought.days };
    const paid: PassEvent = { at: paidAt.getTime(), kind: "paid", orderSn, terms, quantity };
    return closedAt ? [paid, { at: closedAt.getTime(), kind: "refunded", orderSn }] : [paid];
  });
  return events.toSorted((one, other) => one.at - other.at);
}
