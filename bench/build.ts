import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildAndSwap } from "../scripts/build.ts";
import { endOnSignal, root, startNode, waitForExit } from "../scripts/process.ts";
import { demoFolder, describeShop } from "../scripts/shop.ts";
import { chunkSize, type SearchManifest, search, searchPaths } from "../src/lib/search.ts";

const usage = `npm run bench -- build [--items 1000,5000] [--rounds 3] [--no-plain]
Builds the demo with that many articles more, in three forms each, beside plain Astro with the same articles: with empty
caches, and in every round with no cache but that of pictures and share cards, and after one article has changed. The
fastest round of each counts: what else a machine does only adds.`;

const folder = join(root, ".cache/bench");
const peaks = join(folder, "peaks");
/** What no row needs any more. It is deleted at the end: for a minute, a file system with thousands of files just deleted takes several times as long to create one. */
const discarded = join(folder, "discarded");
/** Writes the most memory that each process has taken, in KiB, and its processor time in s. */
const recordPeak = `--import=data:text/javascript,${encodeURIComponent(
  `import{isMainThread}from"node:worker_threads";import{writeFileSync}from"node:fs";isMainThread&&process.on("exit",()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();writeFileSync(${JSON.stringify(`${peaks}/`)}+process.pid,JSON.stringify([maxRSS,(userCPUTime+systemCPUTime)/1e6]))})`,
)}`;

interface Result {
  pages: number;
  seconds: number;
  /** Processor time in s, of all processes. */
  processor: number;
  /** In GB, the peaks of all processes together. */
  memory: number;
}

/** `npm run bench -- build`. Returns the exit status. */
export async function measureBuild(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      items: { type: "string", default: "1000,5000" },
      rounds: { type: "string", default: "3" },
      plain: { type: "boolean", default: true },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  endOnSignal(130);
  mkdirSync(discarded, { recursive: true });
  process.env.NODE_OPTIONS = recordPeak;
  console.log("articles  build                     pages       s  pages/s  processor s  memory GB");
  for (const items of values.items.split(",").map(Number)) {
    const shop = makeShop(items);
    if (!(await measure(items, "ours, empty caches", () => buildSite(items, shop)))) return 1;
    await measureSearch(site(items));
    const rows = new Map<string, Result>();
    const run = async (name: string, build: () => Promise<number | null>) => {
      const result = await measure(items, name, build);
      const before = rows.get(name);
      if (result && (!before || result.seconds < before.seconds)) rows.set(name, result);
      return result !== null;
    };
    for (let round = 1; round <= Number(values.rounds); round++) {
      keepPictures(items);
      if (!(await run("ours, cards cached", () => buildSite(items, shop)))) return 1;
      changeArticle(shop, `${round} a`);
      if (!(await run("ours, one changed", () => buildSite(items, shop)))) return 1;
      discard(site(items));
      if (!values.plain) continue;
      discard(join(folder, "plain"));
      discard(join(folder, "plain-dist"));
      if (!(await run("plain Astro", () => buildPlain(shop)))) return 1;
      changeArticle(shop, `${round} b`);
      if (!(await run("plain, one changed", () => buildPlain(shop)))) return 1;
    }
    console.log(`          the fastest of ${values.rounds}:`);
    for (const [name, result] of rows) print(items, name, result);
    compare(rows);
  }
  rmSync(discarded, { recursive: true, force: true });
  return 0;
}

/** Prints what the site costs of plain Astro's figures. */
function compare(rows: ReadonlyMap<string, Result>): void {
  const [ours, changed] = [rows.get("ours, cards cached"), rows.get("ours, one changed")];
  const [plain, plainChanged] = [rows.get("plain Astro"), rows.get("plain, one changed")];
  if (!ours || !changed || !plain || !plainChanged) return;
  const speed = ours.pages / ours.seconds / (plain.pages / plain.seconds);
  const times = (changed.seconds / plainChanged.seconds).toFixed(2);
  console.log(
    `          ours / plain: ${speed.toFixed(2)} of the speed, ${(ours.memory / plain.memory).toFixed(2)} of the memory; after one change ${times} of the time`,
  );
}

/** Moves a file or folder to what is deleted at the end. */
function discard(path: string): void {
  if (existsSync(path)) renameSync(path, join(mkdtempSync(join(discarded, "-")), "old"));
}

/** Writes the demo with more articles: copies of its own with other days and titles. Returns the folder. */
function makeShop(items: number): string {
  const shop = join(folder, `shop-${items}`);
  for (const old of [shop, cache(items), site(items)]) discard(old);
  cpSync(demoFolder, shop, { recursive: true });
  const news = join(shop, "news");
  const models = readdirSync(news).filter((id) => readdirSync(join(news, id)).includes("index.en-US.md"));
  for (let index = 0; index < items; index++) {
    const model = join(news, models[index % models.length] ?? "");
    const copy = join(news, `copy-${String(index).padStart(5, "0")}`);
    cpSync(model, copy, { recursive: true });
    const text = join(copy, "index.zh-CN.md");
    const day = `20${10 + (index % 16)}-${10 + (index % 3)}-${10 + (index % 19)}`;
    writeFileSync(
      text,
      readFileSync(text, "utf8")
        .replace(/^date: .*$/m, `date: ${day}`)
        .replace(/^title: .*$/m, (title) => `${title} ${index}`),
    );
  }
  return shop;
}

/** Prints what first queries of a site load, and how long they take once it is there. */
async function measureSearch(dist: string): Promise<void> {
  const read = (path: string) => readFileSync(join(dist, path), "utf8");
  const manifest = searchPaths.manifest("zh-CN");
  const { folder, shards, counts }: SearchManifest = JSON.parse(read(manifest));
  const starts = counts.map((_, group) => counts.slice(0, group).reduce((sum, count) => sum + count, 0));
  let [bytes, slowest] = [0, 0];
  for (const query of ["黑胶", "演出", "巡演 上海", "entrance", "a"]) {
    const paths = new Set([manifest]);
    const load = async (index: number) => {
      paths.add(searchPaths.shard(folder, index));
      return read(searchPaths.shard(folder, index));
    };
    await search(query, shards, load);
    const began = performance.now();
    const found = await search(query, shards, load);
    slowest = Math.max(slowest, performance.now() - began);
    // Five results of each group.
    for (const [group, start] of starts.entries())
      for (const text of found.filter((text) => text >= start && text < start + (counts[group] ?? 0)).slice(0, 5))
        paths.add(searchPaths.chunk(folder, Math.floor(text / chunkSize)));
    const sizes = [...paths].map(
      (path) => statSync(join(dist, existsSync(join(dist, `${path}.br`)) ? `${path}.br` : path)).size,
    );
    bytes = Math.max(
      bytes,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }
  const texts = counts.reduce((sum, count) => sum + count, 0);
  console.log(
    `          a first query of ${texts} texts: ${(bytes / 1024).toFixed(1)} KiB, found in ${slowest.toFixed(0)} ms at most`,
  );
}

function changeArticle(shop: string, word: string): void {
  const file = join(shop, "news/copy-00000/index.zh-CN.md");
  writeFileSync(file, `${readFileSync(file, "utf8")}\n${word}\n`);
}

/** Runs a build and prints its row. Returns null when it fails. */
async function measure(items: number, name: string, run: () => Promise<number | null>): Promise<Result | null> {
  rmSync(peaks, { recursive: true, force: true });
  mkdirSync(peaks);
  const own = process.cpuUsage();
  const began = performance.now();
  const pages = await run();
  if (pages === null) return null;
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(own);
  const result: Result = { pages, seconds, processor: (user + system) / 1e6, memory: 0 };
  for (const file of readdirSync(peaks)) {
    const [memory, processor]: number[] = JSON.parse(readFileSync(join(peaks, file), "utf8"));
    result.memory += ((memory ?? 0) * 1024) / 1e9;
    result.processor += processor ?? 0;
  }
  print(items, name, result);
  return result;
}

function print(items: number, name: string, { pages, seconds, processor, memory }: Result): void {
  const cells = [String(items).padStart(8), name.padEnd(19), String(pages).padStart(11), seconds.toFixed(1).padStart(6)];
  cells.push((pages / seconds).toFixed(0).padStart(7), processor.toFixed(0).padStart(11), memory.toFixed(2).padStart(9));
  console.log(cells.join("  "));
}

const cache = (items: number) => join(folder, `cache-${items}`);
const site = (items: number) => join(folder, `site-${items}`);

/** Leaves nothing of a build but the cache of its pictures and cards. */
function keepPictures(items: number): void {
  discard(site(items));
  for (const name of readdirSync(cache(items))) if (name !== "pictures") discard(join(cache(items), name));
}

const countPages = (dist: string) =>
  readdirSync(dist, { recursive: true }).filter((file) => String(file).endsWith(".html")).length;

async function buildSite(items: number, folder: string): Promise<number | null> {
  const shop = describeShop(folder, { SHOP_CACHE_DIR: cache(items), SITE_DIR: site(items) });
  const job = { shop, uid: "bench", apiOrigin: "", fingerprint: "", now: new Date(), verbose: false };
  return (await buildAndSwap(job)) ? countPages(shop.dist) : null;
}

async function buildPlain(shop: string): Promise<number | null> {
  const dist = join(folder, "plain-dist");
  const args = ["node_modules/astro/bin/astro.mjs", "build", "--root", "bench/plain", "--outDir", dist];
  const { status } = await waitForExit(
    startNode(args, { ASTRO_TELEMETRY_DISABLED: "1", CONTENT_DIR: shop }, ["ignore", "ignore", "inherit"]),
  );
  return status === 0 ? countPages(dist) : null;
}
