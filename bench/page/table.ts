import { type Demo, demoOrders } from "../../scripts/demo.ts";
import type { Measured } from "./lighthouse.ts";

/** A kind of page, represented by one page. */
export interface Kind {
  path: string;
  /** The group of pages that share a budget. */
  row: "reading" | "mall" | "member";
  /** Measured with a member's session. */
  session?: boolean;
}

const publicKinds: Kind[] = [
  { path: "/", row: "reading" },
  { path: "/event", row: "reading" },
  { path: "/event/entrance", row: "reading" },
  { path: "/event/spring", row: "reading" },
  { path: "/news", row: "reading" },
  { path: "/news/exit-sign", row: "reading" },
  { path: "/about/terms", row: "reading" },
  { path: "/mall", row: "mall" },
  { path: "/mall/item/vinyl", row: "mall" },
  { path: "/mall/vip/regular", row: "mall" },
  { path: "/user/login", row: "member" },
];

/** Returns all kinds; creates orders for the member's pages. */
export async function allKinds(demo: Demo, origin: string): Promise<Kind[]> {
  const orders = await demoOrders(demo, origin);
  const paths = [
    "/user/info",
    "/user/order/list",
    `/user/order/${await orders.paid("package")}`,
    "/mall/order/confirm/tote?sku=tote&quantity=1",
    "/mall/order_bak/tote?sku=tote&quantity=1",
    "/mall/order_event/entrance",
    `/mall/order/${await orders.pending("mall")}`,
  ];
  return [...publicKinds, ...paths.map((path): Kind => ({ path, row: "member", session: true }))];
}

export interface Row extends Measured {
  path: string;
  /** Null with --no-poor. */
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
let hasHeader = false;

/** Prints one line per row: transferred sizes in KiB, times in s, TBT in ms, and FCP and LCP on the poor line. */
export function printRows(rows: Row[]): void {
  const formatLine = (cells: string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(columns[index]?.[1] ?? 0) : cell.padStart(columns[index]?.[1] ?? 0)))
      .join("  ");
  if (!hasHeader) console.log(formatLine(columns.map(([title]) => title)));
  hasHeader = true;
  for (const row of rows) {
    console.log(formatLine(columns.map(([, , value]) => value(row))));
    const late = row.floor && row.lcp - row.floor.lcp > 200 ? [`largest paint: ${row.largest}`] : [];
    const notes = [...row.faults, ...late];
    if (notes.length > 0) console.log(`  ${notes.join(", ")}`);
  }
}
