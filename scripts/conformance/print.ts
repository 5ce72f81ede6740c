import type { Report } from "./run.ts";

const marks = { passed: "ok", failed: "FAILED", skipped: "-" };

/** Formats the report as a table for a terminal. */
export function printReport({ rows, left, requests }: Report): string {
  const lines = rows.map(({ group, title, outcome }, n) => {
    const first = rows[n - 1]?.group === group ? "" : `\n${group}\n`;
    const why = outcome.state === "passed" ? "" : `\n${" ".repeat(10)}${outcome.why}`;
    return `${first}  ${marks[outcome.state].padEnd(8)}${title}${why}`;
  });
  const count = (state: string) => rows.filter(({ outcome }) => outcome.state === state).length;
  const remains = left.length > 0 ? ["", "Left on the server:", ...left.map((item) => `  ${item}`)] : [];
  const sum = `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped; ${requests} requests`;
  return [...lines, ...remains, "", sum].join("\n");
}
