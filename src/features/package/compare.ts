import type { MemberPackage } from "../../api/package.ts";

type Rights = Pick<MemberPackage, "rights">;

/** A row of the comparison: a right in the server's own words, and which of the passes bring it. */
export interface Row {
  title: string;
  has: boolean[];
}

/** Compares passes by their rights, each a row as the server words it; what all of them bring comes first. */
export function compare(passes: readonly Rights[]): Row[] {
  const titles = [...new Set(passes.flatMap(({ rights }) => rights.map(({ title }) => title)))];
  const rows = titles.map((title) => ({ title, has: passes.map(({ rights }) => rights.some((one) => one.title === title)) }));
  const isShared = ({ has }: Row) => has.every(Boolean);
  return [...rows.filter(isShared), ...rows.filter((row) => !isShared(row))];
}
