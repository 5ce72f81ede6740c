import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { packages } from "#server/db/schema/catalogue.ts";
import { memberships } from "#server/db/schema/member.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { findMembership } from "#server/modules/member/member.ts";

const day = 24 * 3600_000;

/** A package as it was ordered, or as it is sold now. */
export interface PackageTerms {
  uid: string;
  level: number;
  days: number;
  priceFen: number;
}

/** What an order still contributes to a membership: `left` in ms, in terms of the package it was bought as, or was carried over to. */
interface Share {
  orderSn: string;
  left: number;
  terms: PackageTerms;
  /** A higher package has taken the days over. */
  isCarriedOver?: boolean;
}

interface RunningMembership {
  expiresAt: Date;
  /** Of the newest purchase. */
  terms: PackageTerms;
  /** They add up to the time left, oldest first. */
  shares: readonly Share[];
}

/** Returns the terms of an ordered package. Orders of versions that stored none of them fall back on the package's present ones. */
export function getTerms(
  { days, level, priceFen }: Pick<typeof orderItems.$inferSelect, "days" | "level" | "priceFen">,
  present: PackageTerms,
): PackageTerms {
  return {
    uid: present.uid,
    days: days ?? present.days,
    level: level ?? present.level,
    priceFen: priceFen ?? present.priceFen,
  };
}

/** Returns 0 for the same package too, whose level may have changed between two purchases: buying it again extends the membership. */
const compareLevels = (bought: PackageTerms, current: PackageTerms) =>
  bought.uid === current.uid ? 0 : Math.sign(bought.level - current.level);

/**
 * Calculates when a membership expires if a package is bought now; null for a lower level than the current one, which cannot be bought.
 * Same level: `max(now, current expiry) + days`. Higher level: it starts now, and the time left is converted by the ratio of the prices per day,
 * rounded down to whole seconds. The list price (`price_fen`) counts, not the price paid in a sale.
 */
export function calculateExpiry(now: Date, current: RunningMembership | null, bought: PackageTerms, quantity = 1): Date | null {
  const added = quantity * bought.days * day;
  if (!current) return new Date(now.getTime() + added);
  const order = compareLevels(bought, current.terms);
  if (order < 0) return null;
  if (order === 0) return new Date(current.expiresAt.getTime() + added);
  const carried = carryOver(current.shares, bought).reduce((sum, { left }) => sum + left, 0);
  return new Date(now.getTime() + carried + added);
}

/**
 * Converts shares to another package, each by the price per day that it was bought for. Rounds the running sum down to whole seconds, so that the shares add up
 * to the membership. Uses BigInt, as the products exceed the safe integers.
 */
function carryOver(shares: readonly Share[], to: PackageTerms): Share[] {
  // The exact sum in seconds is `sum / divisor`.
  let [sum, divisor, before] = [0n, 1n, 0n];
  return shares.map(({ orderSn, left, terms: from }) => {
    const ownDivisor = BigInt(from.days) * BigInt(to.priceFen);
    const seconds = BigInt(Math.floor(left / 1000)) * BigInt(from.priceFen) * BigInt(to.days);
    sum = sum * ownDivisor + seconds * divisor;
    divisor *= ownDivisor;
    const after = sum / divisor;
    const share = { orderSn, left: Number(after - before) * 1000, terms: to, isCarriedOver: true };
    before = after;
    return share;
  });
}

/** A change of a member's membership: the days of a paid order, or a refund that revokes an order's days. `at` in ms. */
type MembershipEvent =
  | { at: number; kind: "paid"; orderSn: string; terms: PackageTerms; quantity: number }
  | { at: number; kind: "refunded"; orderSn: string };

/**
 * Calculates what each order still contributes to a membership at a time. Days are used in the order in which they were paid. A higher package carries
 * over what is left of each order, by the rule of `calculateExpiry`. `events` are sorted by time.
 */
function calculateShares(events: readonly MembershipEvent[], at: number): Share[] {
  let shares: Share[] = [];
  let newest: PackageTerms | null = null;
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
    const { orderSn } = event;
    if (event.kind === "refunded") {
      shares = shares.filter((share) => share.orderSn !== orderSn);
      continue;
    }
    const { terms, quantity } = event;
    if (newest && compareLevels(terms, newest) > 0) shares = carryOver(shares, terms);
    shares.push({ orderSn, left: quantity * terms.days * day, terms });
    newest = terms;
  }
  advanceTo(at);
  return shares;
}

/** Finds the membership that is valid at a time, with what each order contributes to it. */
export async function findRunningMembership(db: Database, memberId: string, at: Date): Promise<RunningMembership | null> {
  const membership = await findMembership(db, memberId, at);
  if (!membership) return null;
  const { expiresAt, package: present } = membership;
  const events = await findEvents(db, memberId);
  const newest = events.findLast((event) => event.kind === "paid" && event.terms.uid === present.uid);
  const terms = newest?.kind === "paid" ? newest.terms : present;
  let rest = expiresAt.getTime() - at.getTime();
  const shares = calculateShares(events, at.getTime()).map((share) => {
    const left = Math.min(share.left, rest);
    rest -= left;
    return { ...share, left };
  });
  // The membership's expiry counts: orders may know less, as of versions that stored no terms.
  return { expiresAt, terms, shares: [...shares, { orderSn: "", left: rest, terms }] };
}

/** Counts the pieces of a package that a membership still uses, or has ahead. Days that a higher package has taken over count no longer. */
export function countRunningPieces(current: RunningMembership | null, uid: string): number {
  return (current?.shares ?? [])
    .filter(({ orderSn, terms, isCarriedOver }) => orderSn !== "" && terms.uid === uid && !isCarriedOver)
    .reduce((sum, { left, terms }) => sum + Math.ceil(left / (terms.days * day)), 0);
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
export async function revokeDays(tx: Database, memberId: string | null, orderSn: string, at: Date): Promise<void> {
  if (memberId === null) return;
  const byMemberId = eq(memberships.memberId, memberId);
  const [current] = await tx.select().from(memberships).where(byMemberId);
  if (!current) return;
  const shares = calculateShares(await findEvents(tx, memberId), at.getTime());
  const left = shares.find((share) => share.orderSn === orderSn)?.left ?? 0;
  const expiresAt = new Date(current.expiresAt.getTime() - left);
  if (expiresAt <= at || expiresAt <= current.startedAt) await tx.delete(memberships).where(byMemberId);
  else await tx.update(memberships).set({ expiresAt }).where(byMemberId);
}

/** Finds the changes that a member's orders made to the membership. An order that was paid after its final closing made none. */
async function findEvents(tx: Database, memberId: string): Promise<MembershipEvent[]> {
  const rows = await tx
    .select({ order: orders, item: orderItems, present: packages })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderSn, orders.orderSn))
    .innerJoin(packages, eq(packages.uid, orderItems.uid))
    .where(and(eq(orders.memberId, memberId), eq(orders.kind, "package"), isNotNull(orders.paidAt)))
    // Of two at the same time the lower level came first: it cannot be bought after a higher one.
    .orderBy(asc(orders.paidAt), sql`coalesce(${orderItems.level}, ${packages.level})`, asc(orders.orderSn));
  const events = rows.flatMap(({ order, item, present }): MembershipEvent[] => {
    const { orderSn, paidAt, closedAt } = order;
    if (!paidAt || (closedAt && closedAt <= paidAt)) return [];
    const { quantity } = item;
    const paid: MembershipEvent = { at: paidAt.getTime(), kind: "paid", orderSn, terms: getTerms(item, present), quantity };
    return closedAt ? [paid, { at: closedAt.getTime(), kind: "refunded", orderSn }] : [paid];
  });
  return events.toSorted((a, b) => a.at - b.at);
}
