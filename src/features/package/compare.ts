import type { MemberPackage } from "../../api/package.ts";

type Rights = Pick<MemberPackage, "rights">;

/** A right, as the server words it, and which of the packages include it. */
export interface ComparisonRow {
  title: string;
  has: boolean[];
  /** People give it, not the software. */
  isAtTheDoor: boolean;
}

/** Compares packages by their rights, one row each; rights that all of them include come first. */
export function compare(packages: readonly Rights[]): ComparisonRow[] {
  const titles = [...new Set(packages.flatMap(({ rights }) => rights.map(({ title }) => title)))];
  const rows = titles.map((title) => ({
    title,
    isAtTheDoor: packages.some(({ rights }) => rights.some((right) => right.title === title && right.at_the_door === true)),
    has: packages.map(({ rights }) => rights.some((right) => right.title === title)),
  }));
  const isShared = ({ has }: ComparisonRow) => has.every(Boolean);
  return [...rows.filter(isShared), ...rows.filter((row) => !isShared(row))];
}
