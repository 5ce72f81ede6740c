import type { Report } from "./run.ts";

const marks = { holds: "ok", broken: "BROKEN", "not tried": "-" };

/** The report as a table for a terminal. */
export function printReport({ rows, left, requests }: Report): string {
  const lines = rows.map(({ group, says, outcome }, n) => {
    const first = rows[n - 1]?.group === group ? "" : `\n${group}\n`;
    const why = outcome.state === "holds" ? "" : `\n${" ".repeat(10)}${outcome.why}`;
    return `${first}  ${marks[outcome.state].padEnd(8)}${says}${why}`;
  });
  const count = (state: string) => rows.filter(({ outcome }) => outcome.state === state).length;
  const behind = left.length > 0 ? ["", "Left at the host:", ...left.map((one) => `  ${one}`)] : [];
  const sum = `${count("holds")} hold, ${count("broken")} do not, ${count("not tried")} could not be tried; ${requests} requests`;
  return [...lines, ...behind, "", sum].join("\n");
}
