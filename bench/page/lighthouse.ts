import lighthouse, { type Result } from "lighthouse";

/** What Lighthouse mobile says of a page: simulated slow 4G, 4x CPU. Times in ms, sizes in bytes as transferred. */
export interface Measured {
  document: number;
  script: number;
  lcp: number;
  /** The element that is the largest paint, as it begins. */
  largest: string;
  tbt: number;
  cls: number;
  /** Performance, accessibility, best practices, SEO. */
  scores: number[];
  /** The audits that cost points. */
  faults: string[];
}

const categories = ["performance", "accessibility", "best-practices", "seo"];
// What a page that is kept out of search engines fails on purpose.
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
    // What the site stores stays, so that a member is one; what the browser has cached does not.
    clearStorageTypes: ["file_systems", "shader_cache", "service_workers", "cache_storage"],
    ...settings,
  });
  if (!result) throw new Error(`Lighthouse has nothing to say of ${url}`);
  const { runtimeError } = result.lhr;
  // On a busy machine a trace gets lost now and then.
  if (runtimeError && tries > 1) return audit(url, port, settings, tries - 1);
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  return result.lhr;
}

/** When text can be read, and when the largest piece of the first screen is there, in ms, over 400 kbit/s with 400 ms to and fro. */
export async function onPoorLine(url: string, port: number): Promise<{ text: number; largest: number }> {
  const throttling = { rttMs: 400, throughputKbps: 400, cpuSlowdownMultiplier: 4 };
  const { audits } = await audit(url, port, { throttling, onlyCategories: ["performance"] });
  const numeric = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  return { text: numeric("first-contentful-paint"), largest: numeric("largest-contentful-paint") };
}

/** Runs Lighthouse in a browser that listens on a port. */
export async function measure(url: string, port: number): Promise<Measured> {
  const { audits, categories: found } = await audit(url, port, { onlyCategories: categories });
  const numeric = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const refs = categories.map((id) =>
    (found[id]?.auditRefs ?? []).filter((ref) => ref.weight > 0 && ref.id !== crawlable && audits[ref.id]?.score !== null),
  );
  const score = (parts: (typeof refs)[number]) =>
    parts.reduce((sum, { id, weight }) => sum + (audits[id]?.score ?? 0) * weight, 0) /
    parts.reduce((sum, { weight }) => sum + weight, 0);
  const bytes = (types: string[]) =>
    requests(audits["network-requests"]?.details)
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

function requests(details: object | undefined): Request[] {
  return details && "items" in details && Array.isArray(details.items) ? details.items : [];
}
