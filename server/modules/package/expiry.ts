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
export function convertSeconds(seconds: number, from: PackageTerms, to: PackageTerms): number {
  return Number((BigInt(seconds) * BigInt(from.priceFen) * BigInt(to.days)) / (BigInt(from.days) * BigInt(to.priceFen)));
}
