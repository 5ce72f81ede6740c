import { convertSeconds, type PackageTerms } from "./expiry.ts";

/** A change of a member's membership: the days of a paid order, or a refund that revokes an order's days. `at` in ms. */
export type MembershipEvent =
  | { at: number; kind: "paid"; orderSn: string; terms: PackageTerms; quantity: number }
  | { at: number; kind: "refunded"; orderSn: string };

interface Share {
  orderSn: string;
  /** In terms of the current package, in ms. */
  left: number;
}

const day = 24 * 3600_000;

/**
 * Calculates what an order still contributes to a membership at a time, in ms. Days are used in the order in which they were paid. A higher package carries
 * over what is left of each order, by the rule of `calculateExpiry`. `events` are sorted by time.
 */
export function calculateShare(orderSn: string, events: readonly MembershipEvent[], at: number): number {
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
