const day = 24 * 3600_000;

export interface PackageTerms {
  level: number;
  days: number;
  priceFen: number;
}

/**
 * When a pass would expire that is bought now, or null where it cannot be bought: a lower one while a higher runs.
 * Same level: `max(now, current expiry) + days`. Higher level: it starts now, and the time left is carried over by the ratio of the prices per day,
 * rounded down to whole seconds. The list price counts (`price_fen`): what someone paid in a sale neither lengthens nor shortens a pass.
 */
export function newExpiry(
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
  return new Date(now.getTime() + carryOverDays(left, current.package, bought) * 1000 + added);
}

/** What seconds of one pass are worth on another, in whole seconds. In integers without bounds: seconds, fen and days multiply to more than a double holds exactly. */
export function carryOverDays(seconds: number, from: PackageTerms, to: PackageTerms): number {
  return Number((BigInt(seconds) * BigInt(from.priceFen) * BigInt(to.days)) / (BigInt(from.days) * BigInt(to.priceFen)));
}
