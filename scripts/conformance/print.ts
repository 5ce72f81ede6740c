import type { Report } from "./run.ts";

/** Formats the report as a table for a terminal. */
export function printReport({ rows, leftovers, requests }: Report): string {
  const lines = rows.map(({ group, title, outcome }, n) => {
    const heading = rows[n - 1]?.group === group ? "" : `\n${group}\n`;
    const reason = outcome.state === "passed" ? "" : `\n${" ".repeat(11)}${outcome.reason}`;
    return `${heading}  ${outcome.state.padEnd(9)}${title}${reason}`;
  });
  const count = (state: string) => rows.filter(({ outcome }) => outcome.state === state).length;
  const leftoverLines = leftovers.length > 0 ? ["", "Left on the server:", ...leftovers.map((item) => `  ${item}`)] : [];
  const summary = `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped; ${requests} requests`;
  return [...lines, ...leftoverLines, "", summary].join("\n");
}
