import { mkdirSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prefixes, withPrefix } from "#i18n/locale.ts";
import { endOnSignal, root } from "#scripts/child-processes.ts";
import { compressSite } from "#src/build/compress.ts";
import { onlyInHeader, toHash, toOrigins, toPolicy } from "#src/build/content-security-policy.ts";
import { findTags } from "#src/build/html.ts";
import { logInDemo } from "#tests/support/client/demo.ts";
import { startTestSite } from "#tests/support/content/test-site.ts";
import { buildWithAstro } from "./astro.ts";
import { serveSecurely, setSession, startBrowser } from "./page/browser.ts";
import { allKinds, type Measured, measure, measurePoorLine, printHeader, printRow, type Row } from "./page/figures.ts";

/** Runs Lighthouse mobile on every kind of page in both languages, or on pages below some paths, each beside its floor page. */
export async function measurePages(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      runs: { type: "string", default: "1" },
      lang: { type: "string", default: "" },
      poor: { type: "boolean", default: true },
    },
  });
  endOnSignal(130);
  const folder = join(root, ".cache/bench");
  mkdirSync(folder, { recursive: true });
  const site = await startTestSite(folder);
  if (!site) throw new Error("the site was not built: see above");
  const secure = await serveSecurely(site.origin);
  const browser = await startBrowser();
  try {
    const demo = await logInDemo(site.origin, site.data);
    const kinds = (await allKinds(demo, site.origin)).filter(
      ({ path }) => positionals.length === 0 || positionals.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
    );
    const selected = prefixes.filter(
      (prefix) => prefix !== "/zh-CN" && (values.lang === "" || values.lang === (prefix.slice(1) || "zh-CN")),
    );
    const pages = kinds.flatMap((kind) => selected.map((prefix) => ({ ...kind, path: withPrefix(prefix, kind.path) })));
    const floors = new Map<string, Floor>();
    for (const { path, row } of pages) {
      const html = await (await fetch(site.origin + path)).text();
      floors.set(path, { island: row !== "reading", hero: findHero(html) });
    }
    const getFloorPath = await addFloors(site.dist, [...floors.values()]);
    const measureLine = async (path: string) =>
      values.poor ? await measurePoorLine(secure.origin + path, browser.port) : null;
    const lines = new Map<string, Row["line"]>();
    printHeader();
    for (const { path, session } of pages) {
      const floor = getFloorPath(floors.get(path) ?? { island: false, hero: null });
      const [all, allFloors]: [Measured[], Measured[]] = [[], []];
      // Floor pages need no session, and do nothing with one.
      await setSession(browser.context, secure.origin, session ? { ...demo.stored } : {});
      // In turn, as the speed of a machine changes within minutes.
      for (let count = 0; count < Number(values.runs); count += 1) {
        allFloors.push(await measure(secure.origin + floor, browser.port));
        all.push(await measure(secure.origin + path, browser.port));
      }
      if (!lines.has(floor)) lines.set(floor, await measureLine(floor));
      const floorRow = { path: floor, ...median(allFloors), line: lines.get(floor) ?? null };
      printRow({ path, ...median(all), line: await measureLine(path), floor: floorRow });
      await setSession(browser.context, secure.origin, {});
    }
  } finally {
    await browser.end();
    secure.end();
    await site.end();
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

/** Adds floor pages to a built site, compressed and served like its own. Returns a function that returns the path of a floor. */
async function addFloors(dist: string, floors: Floor[]): Promise<(floor: Floor) => string> {
  const folder = join(root, ".cache/floor-dist");
  await buildWithAstro("bench/floor", folder);
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
