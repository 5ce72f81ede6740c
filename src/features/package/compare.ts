import type { MemberPackage } from "../../api/package.ts";

type Rights = Pick<MemberPackage, "rights">;

/** A row of the comparison: what the right is called, and what each pass has of it (true: all of it, null: nothing). */
export interface Row {
  head: string;
  cells: (string | true | null)[];
}

const parts = (text: string) => text.match(/\d+|[A-Za-z]+|[^\dA-Za-z]+/g) ?? [];

/** Rights with the same icon are of one kind. Where their words differ in one place only, that place is what is compared. */
export function compare(passes: readonly Rights[]): Row[] {
  const icons = [...new Set(passes.flatMap(({ rights }) => rights.map(({ icon }) => icon)))];
  return icons.map((icon) => {
    const titles = passes.map(({ rights }) => rights.find((right) => right.icon === icon)?.title ?? null);
    const said = titles.filter((title) => title !== null);
    const [first = ""] = said;
    if (said.every((title) => title === first)) return { head: first, cells: titles.map((title) => (title ? true : null)) };
    const split = said.map(parts);
    const words = parts(first);
    const differ = words.flatMap((word, at) => (split.some((other) => other[at] !== word) ? [at] : []));
    const [place] = differ;
    if (place === undefined || differ.length > 1 || split.some(({ length }) => length !== words.length)) {
      return { head: "", cells: titles };
    }
    const head = words.map((word, at) => (at === place ? "…" : word)).join("");
    return { head, cells: titles.map((title) => (title === null ? null : (parts(title)[place] ?? title))) };
  });
}
