import { mkdirSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prefixes, withPrefix } from "../i18n/locale.ts";
import { endOnSignal, root, startNode, waitForExit } from "../scripts/process.ts";
import { compressSite } from "../src/build/compress.ts";
import { onlyInHeader, toHash, toOrigins, toPolicy } from "../src/build/content-security-policy.ts";
import { findTags } from "../src/build/html.ts";
import { logInDemo } from "../tests/support/client/demo.ts";
import { startTestSite } from "../tests/support/content/test-site.ts";
import { type Browser, serveSecurely, setSession, startBrowser } from "./page/browser.ts";
import { allKinds, type Kind, type Measured, measure, measurePoorLine, printRows, type Row } from "./page/figures.ts";

const usage = `npm run bench -- pages [--runs 3] [--lang zh-CN|en-US] [--row reading|mall|member] [--no-poor] [path …]
Runs Lighthouse mobile on every kind of page in both languages, or on pages below a path, each beside its floor page.`;

/** `npm run bench -- pages`. Returns the exit status: 0 for any figures. */
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
  const secure = await serveSecurely(site.origin);
  if (!secure) console.log("openssl is missing: measuring over HTTP/1.1.");
  const browser = await startBrowser();
  try {
    const demo = await logInDemo(site.origin, site.data);
    const kinds = (await allKinds(demo, site.origin)).filter(
      ({ path, row }) =>
        (values.row === "" || row === values.row) &&
        (positionals.length === 0 || positionals.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))),
    );
    const selected = prefixes.filter(
      (prefix) => prefix !== "/zh-CN" && (values.lang === "" || values.lang === (prefix.slice(1) || "zh-CN")),
    );
    const pages = kinds.flatMap((kind) => selected.map((prefix) => ({ ...kind, path: withPrefix(prefix, kind.path) })));
    await measureAll({
      origin: secure?.origin ?? site.origin,
      plain: site.origin,
      dist: site.dist,
      browser,
      pages,
      stored: demo.stored,
      runs: Number(values.runs),
      poor: values.poor,
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
  /** Origin of the same server without TLS. */
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
    floors.set(path, { island: row !== "reading", hero: findHero(html) });
  }
  const getFloorPath = await addFloors(dist, [...floors.values()]);
  const measureLine = async (path: string) => (poor ? await measurePoorLine(origin + path, browser.port) : null);
  const lines = new Map<string, Row["line"]>();
  for (const { path, session } of pages) {
    const floor = getFloorPath(floors.get(path) ?? { island: false, hero: null });
    const [all, allFloors]: [Measured[], Measured[]] = [[], []];
    // Floor pages need no session, and do nothing with one.
    await setSession(browser.context, origin, session ? stored : {});
    // In turn, as the speed of a machine changes within minutes.
    for (let count = 0; count < runs; count += 1) {
      allFloors.push(await measure(origin + floor, browser.port));
      all.push(await measure(origin + path, browser.port));
    }
    if (!lines.has(floor)) lines.set(floor, await measureLine(floor));
    const floorRow = { path: floor, ...median(allFloors), line: lines.get(floor) ?? null };
    printRows([{ path, ...median(all), line: await measureLine(path), floor: floorRow }]);
    await setSession(browser.context, origin, {});
  }
}

/** Returns the median of each figure: a busy machine disturbs different figures in different runs. */
function median(all: Measured[]): Measured {
  const [first] = all;
  if (!first) throw new Error("nothing was measured");
  const middle = (figures: number[]) => [...figures].sort((a, b) => a - b)[Math.floor((figures.length - 1) / 2)] ?? Number.NaN;
  const pick = (figure: (run: Measured) => number) => middle(all.map(figure));
  return {
    document: pick(({ document }) => document),
    script: pick(({ script }) => script),
    lcp: pick(({ lcp }) => lcp),
    largest: first.largest,
    tbt: pick(({ tbt }) => tbt),
    cls: pick(({ cls }) => cls),
    scores: first.scores.map((_, at) => pick(({ scores }) => scores[at] ?? Number.NaN)),
    faults: first.faults.filter((fault) => all.every(({ faults }) => faults.includes(fault))),
  };
}

/** The floor of a page: an empty page with the same largest picture, and with React if the page has islands. */
interface Floor {
  island: boolean;
  hero: string | null;
}

/** Returns the picture that a page loads first, with all its sources; null if it has none. */
const findHero = (html: string) =>
  /<picture(?:(?!<\/picture)[\s\S])*fetchpriority="high"[\s\S]*?<\/picture>|<img [^>]*fetchpriority="high"[^>]*>/i.exec(
    html,
  )?.[0] ?? null;

const getName = (floor: Floor, heroes: string[]) =>
  `floor${floor.island ? "-island" : ""}${floor.hero === null ? "" : `-hero-${heroes.indexOf(floor.hero)}`}`;

/** Builds the floor pages with Astro into a folder, one for each picture. */
async function buildFloors(folder: string): Promise<void> {
  const args = ["node_modules/astro/bin/astro.mjs", "build", "--root", "bench/floor", "--outDir", folder];
  const { status } = await waitForExit(startNode(args, { ASTRO_TELEMETRY_DISABLED: "1" }, ["ignore", "ignore", "inherit"]));
  if (status !== 0) throw new Error("the build of the floor pages failed");
}

/** Adds floor pages to a built site, compressed and served like its own. Returns a function that returns the path of a floor. */
async function addFloors(dist: string, floors: Floor[]): Promise<(floor: Floor) => string> {
  const folder = join(root, ".cache/floor-dist");
  await buildFloors(folder);
  const heroes = [...new Set(floors.flatMap(({ hero }) => (hero === null ? [] : [hero])))];
  for (const kind of ["floor-hero", "floor-island-hero"]) {
    const html = await readFile(join(folder, `${kind}.html`), "utf8");
    await Promise.all(
      heroes.map((hero, at) =>
        writeFile(join(folder, `${kind}-${at}.html`), html.replace(/<img [^>]*src="\/hero"[^>]*>/, hero)),
      ),
    );
    await rm(join(folder, `${kind}.html`));
  }
  await compressSite(folder, join(root, ".cache/floor-brotli"));
  const headersFile = join(dist, ".hosting/headers.json");
  const headers: { policies: string[]; pages: Record<string, number> } = JSON.parse(await readFile(headersFile, "utf8"));
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".html"))) {
    const tags = findTags(await readFile(join(folder, file), "utf8"));
    const hash = (element: string) => tags.flatMap(({ name, text }) => (name === element && text ? [toHash(text)] : []));
    const policy = toPolicy({ ...toOrigins({}), hasManifest: false }, hash("script"), hash("style"));
    headers.pages[file] = headers.policies.push(`${policy}; ${onlyInHeader}`) - 1;
  }
  await cp(folder, dist, { recursive: true });
  await writeFile(headersFile, JSON.stringify(headers));
  // The server reloads a build when this file changes.
  await writeFile(join(dist, "build.json"), await readFile(join(dist, "build.json")));
  return (floor) => `/${getName(floor, heroes)}`;
}
