import type { Measured } from "./lighthouse.ts";

export interface Row extends Measured {
  path: string;
  /** Null when nobody asked for it. */
  line: { text: number; largest: number } | null;
  floor?: Row;
}

const columns: [title: string, width: number, value: (row: Row) => string][] = [
  ["page", 46, ({ path }) => path],
  ["HTML+CSS", 8, ({ document }) => (document / 1024).toFixed(1)],
  ["JS", 5, ({ script }) => (script / 1024).toFixed(1)],
  ["LCP s", 5, ({ lcp }) => (lcp / 1000).toFixed(2)],
  ["floor", 5, ({ floor }) => (floor ? (floor.lcp / 1000).toFixed(2) : "")],
  ["+", 5, ({ lcp, floor }) => (floor ? ((lcp - floor.lcp) / 1000).toFixed(2) : "")],
  ["TBT", 4, ({ tbt }) => tbt.toFixed(0)],
  ["CLS", 5, ({ cls }) => cls.toFixed(3)],
  ["scores", 15, ({ scores }) => scores.join("/")],
  ["poor: text", 10, ({ line }) => (line ? (line.text / 1000).toFixed(2) : "")],
  ["largest", 7, ({ line }) => (line ? (line.largest / 1000).toFixed(2) : "")],
  [
    "floor",
    11,
    ({ floor }) => (floor?.line ? `${(floor.line.text / 1000).toFixed(2)} ${(floor.line.largest / 1000).toFixed(2)}` : ""),
  ],
];
let headed = false;

/** One line each: sizes in KiB as transferred, times in s, blocking in ms; on the poor line when text and the largest piece are there. */
export function printRows(rows: Row[]): void {
  const line = (cells: string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(columns[at]?.[1] ?? 0) : cell.padStart(columns[at]?.[1] ?? 0))).join("  ");
  if (!headed) console.log(line(columns.map(([title]) => title)));
  headed = true;
  for (const row of rows) {
    console.log(line(columns.map(([, , value]) => value(row))));
    const late = row.floor && row.lcp - row.floor.lcp > 200 ? [`largest paint: ${row.largest}`] : [];
    const notes = [...row.faults, ...late];
    if (notes.length > 0) console.log(`  ${notes.join(", ")}`);
  }
}
