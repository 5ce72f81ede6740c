import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildAndSwap } from "#scripts/build.ts";
import { endOnSignal, root } from "#scripts/child-processes.ts";
import { demoFolder, describeShop } from "#scripts/shop-paths.ts";
import { buildWithAstro } from "./astro.ts";

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

/**
 * Builds the demo with more articles, in three forms each, beside plain Astro with the same articles: with empty caches, and in every round with no cache but
 * that of pictures and share cards, and after one article has changed. The fastest round of each counts: what else a machine does only adds.
 */
export async function measureBuild(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      items: { type: "string", default: "1000,5000" },
      rounds: { type: "string", default: "3" },
      plain: { type: "boolean", default: true },
    },
  });
  endOnSignal(130);
  mkdirSync(discarded, { recursive: true });
  process.env.NODE_OPTIONS = recordPeak;
  console.log("articles  build                     pages       s  pages/s  processor s  memory GB");
  for (const items of values.items.split(",").map(Number)) {
    const shop = makeShop(items);
    await measure(items, "ours, empty caches", () => buildSite(items, shop));
    const rows = new Map<string, Result>();
    const run = async (name: string, build: () => Promise<string>) => {
      const result = await measure(items, name, build);
      const before = rows.get(name);
      if (!before || result.seconds < before.seconds) rows.set(name, result);
    };
    for (let round = 1; round <= Number(values.rounds); round++) {
      keepPictures(items);
      await run("ours, cards cached", () => buildSite(items, shop));
      changeArticle(shop, `${round} a`);
      await run("ours, one changed", () => buildSite(items, shop));
      discard(site(items));
      if (!values.plain) continue;
      discard(join(folder, "plain"));
      discard(join(folder, "plain-dist"));
      await run("plain Astro", () => buildPlain(shop));
      changeArticle(shop, `${round} b`);
      await run("plain, one changed", () => buildPlain(shop));
    }
    console.log(`          the fastest of ${values.rounds}:`);
    for (const [name, result] of rows) print(items, name, result);
    compare(rows);
  }
  rmSync(discarded, { recursive: true, force: true });
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

function changeArticle(shop: string, word: string): void {
  const file = join(shop, "news/copy-00000/index.zh-CN.md");
  writeFileSync(file, `${readFileSync(file, "utf8")}\n${word}\n`);
}

/** Runs a build, which returns its folder, and prints its row. */
async function measure(items: number, name: string, build: () => Promise<string>): Promise<Result> {
  rmSync(peaks, { recursive: true, force: true });
  mkdirSync(peaks);
  const own = process.cpuUsage();
  const began = performance.now();
  const dist = await build();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(own);
  const pages = readdirSync(dist, { recursive: true }).filter((file) => String(file).endsWith(".html")).length;
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

async function buildSite(items: number, folder: string): Promise<string> {
  const shop = describeShop(folder, { SHOP_CACHE_DIR: cache(items), SITE_DIR: site(items) });
  const job = { shop, uid: "bench", apiOrigin: "", fingerprint: "", now: new Date(), verbose: false };
  if (!(await buildAndSwap(job))) throw new Error("the build failed: see above");
  return shop.dist;
}

async function buildPlain(shop: string): Promise<string> {
  const dist = join(folder, "plain-dist");
  await buildWithAstro("bench/plain", dist, { CONTENT_DIR: shop });
  return dist;
}
