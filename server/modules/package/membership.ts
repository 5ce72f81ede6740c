import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { packages } from "../../db/schema/catalogue.ts";
import { memberships } from "../../db/schema/member.ts";
import { orderItems, orders } from "../../db/schema/order.ts";

const day = 24 * 3600_000;

export interface PackageTerms {
  level: number;
  days: number;
  priceFen: number;
}

/**
 * Calculates when a membership expires if a package is bought now; null for a lower level than the current one, which cannot be bought.
 * Same level: `max(now, current expiry) + days`. Higher level: it starts now, and the time left is converted by the ratio of the prices per day,
 * rounded down to whole seconds. The list price (`price_fen`) counts, not the price paid in a sale.
 */
export function calculateExpiry(
  now: Date,
  current: { package: PackageTerms; expiresAt: Date } | null,
  bought: PackageTerms,
  quantity = 1,
): Date | null {
  const added = quantity * bought.days * day;
  if (!current || current.expiresAt <= now) return new Date(now.getTime() + added);
  if (bought.level < current.package.level) return null;
  if (bought.level === current.package.level) return new Date(current.expiresAt.getTime() + added);
  const left = Math.floor((current.expiresAt.getTime() - now.getTime()) / 1000);
  return new Date(now.getTime() + convertSeconds(left, current.package, bought) * 1000 + added);
}

/** Converts seconds of one package to whole seconds of another. Uses BigInt, as the products exceed the safe integers. */
function convertSeconds(seconds: number, from: PackageTerms, to: PackageTerms): number {
  return Number((BigInt(seconds) * BigInt(from.priceFen) * BigInt(to.days)) / (BigInt(from.days) * BigInt(to.priceFen)));
}

/** A change of a member's membership: the days of a paid order, or a refund that revokes an order's days. `at` in ms. */
type MembershipEvent =
  | { at: number; kind: "paid"; orderSn: string; terms: PackageTerms; quantity: number }
  | { at: number; kind: "refunded"; orderSn: string };

interface Share {
  orderSn: string;
  /** In terms of the current package, in ms. */
  left: number;
}

/**
 * Calculates what an order still contributes to a membership at a time, in ms. Days are used in the order in which they were paid. A higher package carries
 * over what is left of each order, by the rule of `calculateExpiry`. `events` are sorted by time.
 */
function calculateShare(orderSn: string, events: readonly MembershipEvent[], at: number): number {
  let shares: Share[] = [];
  let level = 0;
  let terms: PackageTerms | null = null;
  let time = 0;
  const advanceTo = (next: number) => {
    let elapsed = next - time;
    for (const share of shares) {
      const used = Math.min(share.left, elapsed);
      share.left -= used;
      elapsed -= used;
    }
    shares = shares.filter(({ left }) => left > 0);
    time = next;
  };
  for (const event of events) {
    advanceTo(event.at);
    if (event.kind === "refunded") {
      shares = shares.filter((share) => share.orderSn !== event.orderSn);
      continue;
    }
    if (shares.length > 0 && terms && event.terms.level > level) shares = carryOver(shares, terms, event.terms);
    shares.push({ orderSn: event.orderSn, left: event.quantity * event.terms.days * day });
    ({ terms } = event);
    ({ level } = terms);
  }
  advanceTo(at);
  return shares.find((share) => share.orderSn === orderSn)?.left ?? 0;
}

/** Converts shares to another package. Rounds the running sum to whole seconds, so that the shares add up to the membership. */
function carryOver(shares: readonly Share[], from: PackageTerms, to: PackageTerms): Share[] {
  let leftBefore = 0;
  let sumAfter = 0;
  return shares.map(({ orderSn, left }) => {
    leftBefore += left;
    const sum = convertSeconds(Math.floor(leftBefore / 1000), from, to) * 1000;
    const share = { orderSn, left: sum - sumAfter };
    sumAfter = sum;
    return share;
  });
}

/** Sets a member's package and expiry. A running membership of the same package keeps its start. */
export async function grantMembership(
  tx: Database,
  memberId: string,
  packageUid: string,
  at: Date,
  expiresAt: Date,
): Promise<void> {
  const [current] = await tx.select().from(memberships).where(eq(memberships.memberId, memberId));
  const isRenewal = current && current.expiresAt > at && current.packageUid === packageUid;
  const values = { packageUid, startedAt: isRenewal ? current.startedAt : at, expiresAt };
  await tx
    .insert(memberships)
    .values({ memberId, ...values })
    .onConflictDoUpdate({ target: memberships.memberId, set: values });
}

/**
 * Revokes the unused days that an order contributes to the current membership; days of other orders stay. Ends the membership when no time is left.
 * Must be called before the order is closed.
 */
export async function revokeDays(tx: Database, memberId: string, orderSn: string, at: Date): Promise<void> {
  const byMemberId = eq(memberships.memberId, memberId);
  const [current] = await tx.select().from(memberships).where(byMemberId);
  if (!current) return;
  const share = calculateShare(orderSn, await findEvents(tx, memberId), at.getTime());
  const expiresAt = new Date(current.expiresAt.getTime() - share);
  if (expiresAt <= at || expiresAt <= current.startedAt) await tx.delete(memberships).where(byMemberId);
  else await tx.update(memberships).set({ expiresAt }).where(byMemberId);
}

/** Finds the changes that a member's orders made to the membership. An order that was paid after its final closing made none. */
async function findEvents(tx: Database, memberId: string): Promise<MembershipEvent[]> {
  const rows = await tx
    .select({ order: orders, quantity: orderItems.quantity, days: orderItems.days, package: packages })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderSn, orders.orderSn))
    .innerJoin(packages, eq(packages.uid, orderItems.uid))
    .where(and(eq(orders.memberId, memberId), eq(orders.kind, "package"), isNotNull(orders.paidAt)))
    // Of two at the same time the lower level came first: it cannot be bought after a higher one.
    .orderBy(asc(orders.paidAt), asc(packages.level), asc(orders.orderSn));
  const events = rows.flatMap(({ order, quantity, days, package: memberPackage }): MembershipEvent[] => {
    const { orderSn, paidAt, closedAt } = order;
    if (!paidAt || (closedAt && closedAt <= paidAt)) return [];
    const terms = { ...memberPackage, days: days ?? memberPackage.days };
    const paid: MembershipEvent = { at: paidAt.getTime(), kind: "paid", orderSn, terms, quantity };
    return closedAt ? [paid, { at: closedAt.getTime(), kind: "refunded", orderSn }] : [paid];
  });
  return events.toSorted((a, b) => a.at - b.at);
}
