import lighthouse, { type Result } from "lighthouse";

/** Figures of Lighthouse mobile: simulated slow 4G, 4x CPU. Times in ms, transferred sizes in bytes. */
export interface Measured {
  document: number;
  script: number;
  lcp: number;
  /** The beginning of the LCP element's HTML. */
  largest: string;
  tbt: number;
  cls: number;
  /** Performance, accessibility, best practices, SEO. */
  scores: number[];
  /** Audits with a score below 0.9. */
  faults: string[];
}

const categories = ["performance", "accessibility", "best-practices", "seo"];
// Pages with noindex fail this audit on purpose.
const crawlable = "is-crawlable";

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
  const refs = categories.map((id) =>
    (results[id]?.auditRefs ?? []).filter((ref) => ref.weight > 0 && ref.id !== crawlable && audits[ref.id]?.score !== null),
  );
  const score = (parts: (typeof refs)[number]) =>
    parts.reduce((sum, { id, weight }) => sum + (audits[id]?.score ?? 0) * weight, 0) /
    parts.reduce((sum, { weight }) => sum + weight, 0);
  const bytes = (types: string[]) =>
    getRequests(audits["network-requests"]?.details)
      .filter(({ resourceType }) => types.includes(resourceType))
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
  return {
    document: bytes(["Document", "Stylesheet"]),
    script: bytes(["Script"]),
    lcp: numeric("largest-contentful-paint"),
    largest:
      /"snippet":"((?:[^"\\]|\\.){0,60})/.exec(JSON.stringify(audits["lcp-breakdown-insight"]?.details ?? ""))?.[1] ?? "",
    tbt: numeric("total-blocking-time"),
    cls: numeric("cumulative-layout-shift"),
    scores: refs.map((parts) => Math.round(score(parts) * 100)),
    faults: refs.flatMap((parts) => parts.filter(({ id }) => (audits[id]?.score ?? 1) < 0.9).map(({ id }) => id)),
  };
}

interface Request {
  resourceType: string;
  transferSize: number;
}

function getRequests(details: object | undefined): Request[] {
  return details && "items" in details && Array.isArray(details.items) ? details.items : [];
}
