import lighthouse, { type Result } from "lighthouse";
import { type Demo, demoOrders } from "#tests/support/client/demo.ts";

/** Figures of Lighthouse mobile: simulated slow 4G, 4x CPU. Times in ms, transferred sizes in bytes. */
export interface Measured {
  document: number;
  script: number;
  lcp: number;
  tbt: number;
  cls: number;
  /** Performance, accessibility, best practices, SEO. */
  scores: number[];
  /** Audits with a score below 0.9. */
  faults: string[];
}

const categories = ["performance", "accessibility", "best-practices", "seo"];

interface Settings {
  throttling?: { rttMs: number; throughputKbps: number; cpuSlowdownMultiplier: number };
  onlyCategories: string[];
}

async function audit(url: string, port: number, settings: Settings, tries = 3): Promise<Result> {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "error",
    // Keeps localStorage, which has the session; clears caches.
    clearStorageTypes: ["file_systems", "shader_cache", "service_workers", "cache_storage"],
    // Pages with noindex fail this one on purpose.
    skipAudits: ["is-crawlable"],
    ...settings,
  });
  if (!result) throw new Error(`Lighthouse returned no result for ${url}`);
  const { runtimeError } = result.lhr;
  // On a busy machine Lighthouse sometimes loses a trace.
  if (runtimeError && tries > 1) return audit(url, port, settings, tries - 1);
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  return result.lhr;
}

/** Measures FCP and LCP in ms at 400 kbit/s with a round trip of 400 ms. */
export async function measurePoorLine(url: string, port: number): Promise<{ text: number; largest: number }> {
  const throttling = { rttMs: 400, throughputKbps: 400, cpuSlowdownMultiplier: 4 };
  const { audits } = await audit(url, port, { throttling, onlyCategories: ["performance"] });
  const numeric = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  return { text: numeric("first-contentful-paint"), largest: numeric("largest-contentful-paint") };
}

/** Runs Lighthouse in the browser with this debugging port. */
export async function measure(url: string, port: number): Promise<Measured> {
  const { audits, categories: results } = await audit(url, port, { onlyCategories: categories });
  const numeric = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const scored = categories.flatMap((id) => results[id] ?? []);
  const bytes = (types: string[]) =>
    getRequests(audits["network-requests"]?.details)
      .filter(({ resourceType }) => types.includes(resourceType))
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
  return {
    document: bytes(["Document", "Stylesheet"]),
    script: bytes(["Script"]),
    lcp: numeric("largest-contentful-paint"),
    tbt: numeric("total-blocking-time"),
    cls: numeric("cumulative-layout-shift"),
    scores: scored.map(({ score }) => Math.round((score ?? 0) * 100)),
    faults: scored
      .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id))
      .filter((id) => (audits[id]?.score ?? 1) < 0.9),
  };
}

interface Request {
  resourceType: string;
  transferSize: number;
}

function getRequests(details: object | undefined): Request[] {
  return details && "items" in details && Array.isArray(details.items) ? details.items : [];
}

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
  ["floor", 5, ({ floor }) => (floor ? floor.tbt.toFixed(0) : "")],
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
const formatLine = (cells: string[]) =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(columns[index]?.[1] ?? 0) : cell.padStart(columns[index]?.[1] ?? 0)))
    .join("  ");

export const printHeader = () => console.log(formatLine(columns.map(([title]) => title)));

/** Prints a page's transferred sizes in KiB, times in s, TBT in ms, and FCP and LCP on the poor line. */
export function printRow(row: Row): void {
  console.log(formatLine(columns.map(([, , value]) => value(row))));
  if (row.faults.length > 0) console.log(`  ${row.faults.join(", ")}`);
}
