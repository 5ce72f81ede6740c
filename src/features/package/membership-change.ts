import type { MemberPackage } from "#src/api/package.ts";
import type { PackageData } from "./store.ts";

const day = 24 * 3600_000;

/** What buying a package does to the member's expiry, by the server's preview. */
export type MembershipChange =
  | { kind: "visitor" }
  | { kind: "lower" | "full"; now: string | null }
  | { kind: "fresh" | "extended" | "upgraded"; now: string | null; after: string };

/** Returns how a purchase changes the membership: the same level adds its days, a higher one converts the days left at another rate; a lower one is refused, as is one of which the member has as many as the limit allows, running or to be paid. */
export function getMembershipChange({ info, preview }: PackageData): MembershipChange {
  if (!preview) return { kind: "visitor" };
  const { current_expires_at: now, new_expires_at: after } = preview;
  if (after === null) return { kind: "lower", now };
  if (info.limit !== null && info.limit <= 0) return { kind: "full", now };
  if (now === null) return { kind: "fresh", now, after };
  const added = Date.parse(after) - Date.parse(now);
  return { kind: added === info.days * day ? "extended" : "upgraded", now, after };
}

/** Returns why nobody can buy a package, or null. */
export function getUnavailableReason({ info }: PackageData): "offSale" | "soldOut" | null {
  if (!info.on_sale) return "offSale";
  return info.stock !== null && info.stock <= 0 ? "soldOut" : null;
}

/** What the page of a package offers. `own`: the pass that the member has is as good or better, and leads to the profile. */
export type Offer =
  | { kind: "buy"; action: "open" | "renew" | "upgrade" }
  | { kind: "own" }
  | { kind: "blocked"; reason: "offSale" | "soldOut" | "full" };

const actions = { visitor: "open", fresh: "open", extended: "renew", upgraded: "upgrade" } as const;

/** Returns what a member can do about a package, or a visitor after logging in. */
export function getOffer(data: PackageData, change: MembershipChange): Offer {
  const unavailable = getUnavailableReason(data);
  if (change.kind !== "lower" && change.kind !== "full") {
    return unavailable ? { kind: "blocked", reason: unavailable } : { kind: "buy", action: actions[change.kind] };
  }
  // Orders that are not yet paid reach the limit without a pass.
  return change.now === null ? { kind: "blocked", reason: unavailable ?? "full" } : { kind: "own" };
}

type Rights = Pick<MemberPackage, "rights">;

/** A right, as the server words it, and which of the packages include it. */
export interface ComparisonRow {
  title: string;
  has: boolean[];
  /** The right as each package words it, where `title` is the kind of right. */
  own?: (string | undefined)[];
  /** People give it, not the software. */
  isAtTheDoor: boolean;
}

/** Chinese characters and Latin words, each with the space after it. */
const token = /\p{Script=Han}\s*|[^\p{Script=Han}\s]+\s*/gu;

/** The first token behind a number, where it is a whole unit. */
const unit = /^(?:[天日周月年]|[^\p{Script=Han}])/u;

/** Leaves out of texts the words that all of them begin or end with: 提前两天订位 and 最早订位 are 提前两天 and 最早. A number keeps its unit, or all of its words. */
function toDifferences(texts: readonly (string | undefined)[]): (string | undefined)[] {
  const rows = texts.map((text) => text?.match(token) ?? []);
  const filled = rows.filter(({ length }) => length > 0);
  const maxShared = Math.min(...filled.map(({ length }) => length)) - 1;
  const isShared = (at: number) => new Set(filled.map((row) => row.at(at)?.trim())).size === 1;
  let [start, end] = [0, 0];
  while (start < maxShared && isShared(start)) start++;
  while (start + end < maxShared && isShared(-1 - end)) end++;
  const shorten = (words: number) =>
    rows.map((row) =>
      row
        .slice(start, row.length - end + words)
        .join("")
        .trim(),
    );
  const isBare = shorten(0).some((text) => /^[\d.,]+$/.test(text));
  // Longer units, as 小时, are not told from what follows them.
  if (isBare && !filled.every((row) => unit.test(row[row.length - end] ?? ""))) return [...texts];
  return shorten(Number(isBare)).map((text) => text || undefined);
}

/**
 * Compares packages by their rights, one row each; rights that all of them include come first. Rights of one kind that packages
 * word in different ways share a row: `kinds` has the names of kinds, by icon.
 */
export function compare(packages: readonly Rights[], kinds: Readonly<Record<string, string>> = {}): ComparisonRow[] {
  const all = packages.flatMap(({ rights }) => rights);
  const shared = Object.entries(kinds).flatMap(([icon, title]) => {
    const own = packages.map(({ rights }) => rights.find((right) => right.icon === icon)?.title);
    const isOne = packages.every(({ rights }) => rights.filter((right) => right.icon === icon).length < 2);
    return isOne && new Set(own.filter(Boolean)).size > 1 ? [{ icon, title, own }] : [];
  });
  const rest = all.filter((right) => !shared.some(({ icon }) => icon === right.icon));
  const rows: ComparisonRow[] = [...new Set(rest.map(({ title }) => title))].map((title) => ({
    title,
    isAtTheDoor: packages.some(({ rights }) => rights.some((right) => right.title === title && right.at_the_door === true)),
    has: packages.map(({ rights }) => rights.some((right) => right.title === title)),
  }));
  rows.push(
    ...shared.map(({ title, own }) => ({
      title,
      has: own.map((one) => one !== undefined),
      own: toDifferences(own),
      isAtTheDoor: false,
    })),
  );
  const isShared = ({ has }: ComparisonRow) => has.every(Boolean);
  return [...rows.filter(isShared), ...rows.filter((row) => !isShared(row))];
}
