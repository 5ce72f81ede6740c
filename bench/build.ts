import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.ts";
import { endOnSignal, root, startNode, waitForExit } from "../scripts/process.ts";
import { demoFolder, describeShop } from "../scripts/shop.ts";

const usage = `npm run bench -- build [--items 1000,5000] [--no-plain]
Builds the demo with that many articles more, in three forms each, with empty caches and again, beside plain Astro with the same articles.`;

const folder = join(root, ".cache/bench");
const peakFile = join(folder, "peak");
/** Writes the most memory that the process has taken, in KiB. */
const recordPeak = `--import=data:text/javascript,${encodeURIComponent(
  `import{isMainThread}from"node:worker_threads";import{writeFileSync}from"node:fs";isMainThread&&process.on("exit",()=>writeFileSync(${JSON.stringify(peakFile)},String(process.resourceUsage().maxRSS)))`,
)}`;

interface Result {
  seconds: number;
  pages: number;
  /** In GB. */
  memory: number;
}

/** `npm run bench -- build`. Returns the exit status. */
export async function measureBuild(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      items: { type: "string", default: "1000,5000" },
      plain: { type: "boolean", default: true },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  endOnSignal(130);
  mkdirSync(folder, { recursive: true });
  process.env.NODE_OPTIONS = recordPeak;
  console.log("articles  build           pages       s  pages/s  memory GB");
  for (const items of values.items.split(",").map(Number)) {
    const shop = makeShop(items);
    const cold = await measure(() => buildSite(shop));
    const again = await measure(() => buildSite(shop));
    const plain = values.plain && (await measure(() => buildPlain(shop)));
    if (!cold || !again || plain === null) return 1;
    print(items, "ours", cold);
    print(items, "ours, again", again);
    if (plain) {
      print(items, "plain Astro", plain);
      const speed = again.pages / again.seconds / (plain.pages / plain.seconds);
      console.log(
        `          ours / plain: ${speed.toFixed(2)} of the speed, ${(again.memory / plain.memory).toFixed(2)} of the memory`,
      );
    }
  }
  return 0;
}

/** Writes the demo with more articles: copies of its own with other days and covers. Returns the folder. */
function makeShop(items: number): string {
  const shop = join(folder, `shop-${items}`);
  rmSync(shop, { recursive: true, force: true });
  rmSync(toCache(items), { recursive: true, force: true });
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

async function measure(run: () => Promise<number | null>): Promise<Result | null> {
  const began = performance.now();
  const pages = await run();
  if (pages === null) return null;
  return { seconds: (performance.now() - began) / 1000, pages, memory: Number(readFileSync(peakFile, "utf8")) / 1e6 };
}

/** Keeps the caches of a shop of its own. */
const toCache = (items: number) => join(folder, `cache-${items}`);

const countPages = (dist: string) =>
  readdirSync(dist, { recursive: true }).filter((file) => String(file).endsWith(".html")).length;

async function buildSite(shop: string): Promise<number | null> {
  const cache = toCache(Number(shop.split("-").at(-1)));
  const dist = join(folder, "dist");
  const job = {
    shop: describeShop(shop, { SHOP_CACHE_DIR: cache, SITE_DIR: dist }),
    uid: "bench",
    apiOrigin: "",
    fingerprint: "",
    now: new Date(),
    verbose: false,
  };
  const built = await build(job);
  if (!built) return null;
  const pages = countPages(built);
  rmSync(built, { recursive: true });
  return pages;
}

async function buildPlain(shop: string): Promise<number | null> {
  const dist = join(folder, "plain-dist");
  rmSync(join(folder, "plain"), { recursive: true, force: true });
  const args = ["node_modules/astro/bin/astro.mjs", "build", "--root", "bench/plain", "--outDir", dist];
  const { status } = await waitForExit(
    startNode(args, { ASTRO_TELEMETRY_DISABLED: "1", CONTENT_DIR: shop }, ["ignore", "ignore", "inherit"]),
  );
  return status === 0 ? countPages(dist) : null;
}

function print(items: number, name: string, { pages, seconds, memory }: Result): void {
  const cells = [String(items).padStart(8), name.padEnd(12), String(pages).padStart(8), seconds.toFixed(1).padStart(6)];
  console.log([...cells, (pages / seconds).toFixed(0).padStart(7), memory.toFixed(2).padStart(9)].join("  "));
}
