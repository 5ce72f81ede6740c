import { carryOverDays, type PackageTerms } from "./expiry.ts";

/** Something that changed a member's pass: days of an order that was paid, or an order whose days were taken back. `at` in ms. */
export type PassEvent =
  | { at: number; kind: "paid"; orderSn: string; terms: PackageTerms; quantity: number }
  | { at: number; kind: "refunded"; orderSn: string };

interface Share {
  orderSn: string;
  /** Of the pass that runs, in ms. */
  left: number;
}

const day = 24 * 3600_000;

/**
 * What each order still contributes to a member's pass at a time, in ms. Days are used up in the order in which they were paid; a higher pass carries
 * what is left of each over, by the same rule as `newExpiry`. `events` in the order of their times.
 */
export function shareOf(orderSn: string, events: readonly PassEvent[], at: number): number {
  let shares: Share[] = [];
  let level = 0;
  let terms: PackageTerms | null = null;
  let time = 0;
  const passTo = (next: number) => {
    let gone = next - time;
    for (const share of shares) {
      const used = Math.min(share.left, gone);
      share.left -= used;
      gone -= used;
    }
    shares = shares.filter(({ left }) => left > 0);
    time = next;
  };
  for (const event of events) {
    passTo(event.at);
    if (event.kind === "refunded") {
      shares = shares.filter((share) => share.orderSn !== event.orderSn);
      continue;
    }
    if (shares.length > 0 && terms && event.terms.level > level) shares = carried(shares, terms, event.terms);
    shares.push({ orderSn: event.orderSn, left: event.quantity * event.terms.days * day });
    ({ terms } = event);
    ({ level } = terms);
  }
  passTo(at);
  return shares.find((share) => share.orderSn === orderSn)?.left ?? 0;
}

/** In whole seconds of the sum, as the pass itself is: the shares add up to it. */
function carried(shares: readonly Share[], from: PackageTerms, to: PackageTerms): Share[] {
  let before = 0;
  let worth = 0;
  return shares.map(({ orderSn, left }) => {
    before += left;
    const sum = carryOverDays(Math.floor(before / 1000), from, to) * 1000;
    const share = { orderSn, left: sum - worth };
    worth = sum;
    return share;
  });
}
