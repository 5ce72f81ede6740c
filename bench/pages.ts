import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prefixes, withPrefix } from "../i18n/prefix.ts";
import { logInDemo } from "../scripts/demo.ts";
import { endOnSignal, root } from "../scripts/process.ts";
import { startTestSite } from "../scripts/test-site.ts";
import { type Browser, become, startBrowser } from "./page/browser.ts";
import { addFloors, type Floor } from "./page/floor.ts";
import { allKinds, type Kind } from "./page/kinds.ts";
import { type Measured, measure, onPoorLine } from "./page/lighthouse.ts";
import { serveSecurely } from "./page/secure.ts";
import { printRows, type Row } from "./page/table.ts";

const usage = `npm run bench -- pages [--runs 3] [--lang zh-CN|en-US] [--row reading|mall|member] [--no-poor] [path …]
Lighthouse mobile on every kind of page in both languages, or on those whose path begins so, each beside its floor.`;

/** `npm run bench -- pages`. Answers the exit status: 0, whatever the figures say. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      runs: { type: "string", default: "1" },
      lang: { type: "string", default: "" },
      row: { type: "string", default: "" },
      poor: { type: "boolean", default: true },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  endOnSignal(130);
  const folder = join(root, ".cache/bench");
  mkdirSync(folder, { recursive: true });
  const site = await startTestSite(folder);
  if (!site) return 1;
  const secure = await serveSecurely(site.env.TEST_ORIGIN);
  if (!secure) console.log("Without openssl the site is measured over HTTP/1.1.");
  const browser = await startBrowser();
  try {
    const demo = await logInDemo(site.env.TEST_ORIGIN, site.env.TEST_DATA_DIR);
    const kinds = (await allKinds(demo, site.env.TEST_ORIGIN)).filter(
      ({ path, row }) =>
        (values.row === "" || row === values.row) &&
        (positionals.length === 0 || positionals.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))),
    );
    const selected = prefixes.filter(
      (prefix) => prefix !== "/zh-CN" && (values.lang === "" || values.lang === (prefix.slice(1) || "zh-CN")),
    );
    const pages = kinds.flatMap((kind) => selected.map((prefix) => ({ ...kind, path: withPrefix(prefix, kind.path) })));
    const how = { runs: Number(values.runs), poor: values.poor };
    const { TEST_ORIGIN, TEST_DIST: dist } = site.env;
    await measureAll({
      origin: secure?.origin ?? TEST_ORIGIN,
      plain: TEST_ORIGIN,
      dist,
      browser,
      pages,
      stored: demo.stored,
      ...how,
    });
  } finally {
    await browser.end();
    secure?.end();
    await site.end();
  }
  return 0;
}

interface Job {
  origin: string;
  /** The same host without TLS. */
  plain: string;
  dist: string;
  browser: Browser;
  pages: Kind[];
  stored: Record<string, string>;
  runs: number;
  poor: boolean;
}

async function measureAll({ origin, plain, dist, browser, pages, stored, runs, poor }: Job): Promise<void> {
  const floors = new Map<string, Floor>();
  for (const { path, row } of pages) {
    const html = await (await fetch(plain + path)).text();
    floors.set(path, { island: row !== "reading", hero: /<img [^>]*fetchpriority="high"[^>]*>/.exec(html)?.[0] ?? null });
  }
  const floorAt = await addFloors(dist, [...floors.values()]);
  const floorRows = new Map<string, Row>();
  const measurePage = async (path: string) => {
    const url = origin + path;
    const all: Measured[] = [];
    for (let count = 0; count < runs; count += 1) all.push(await measure(url, browser.port));
    const line = poor ? await onPoorLine(url, browser.port) : null;
    return { path, ...median(all), line };
  };
  const measureFloor = async (path: string) => {
    const floor = floorAt(floors.get(path) ?? { island: false, hero: null });
    const found = floorRows.get(floor) ?? (await measurePage(floor));
    floorRows.set(floor, found);
    return found;
  };
  for (const { path, session } of pages) {
    const floor = await measureFloor(path);
    await become(browser.context, origin, session ? stored : {});
    printRows([{ ...(await measurePage(path)), floor }]);
    await become(browser.context, origin, {});
  }
  printRows([...floorRows.values()]);
}

/** Each figure's own middle: a busy machine spoils one run's paint and another's blocking. */
function median(all: Measured[]): Measured {
  const [first] = all;
  if (!first) throw new Error("nothing was measured");
  const middle = (figures: number[]) => [...figures].sort((a, b) => a - b)[Math.floor((figures.length - 1) / 2)] ?? Number.NaN;
  const of = (figure: (one: Measured) => number) => middle(all.map(figure));
  return {
    document: of(({ document }) => document),
    script: of(({ script }) => script),
    lcp: of(({ lcp }) => lcp),
    largest: first.largest,
    tbt: of(({ tbt }) => tbt),
    cls: of(({ cls }) => cls),
    scores: first.scores.map((_, at) => of(({ scores }) => scores[at] ?? Number.NaN)),
    faults: first.faults.filter((fault) => all.every(({ faults }) => faults.includes(fault))),
  };
}
