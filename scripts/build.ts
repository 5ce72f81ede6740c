import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { loadEnvFile } from "../server/config/env-file.ts";
import { compressedFile, compressSite } from "../src/build/compress.ts";
import { readContent } from "./catalogue.ts";
import { builtForFile, fingerprint, fingerprintFile, listPublished, shopFile } from "./fingerprint.ts";
import { cleanStale, endOnSignal, root, startNode, waitForExit } from "./process.ts";
import { findShop, type Shop } from "./shop.ts";

type Environment = Record<string, string | undefined>;

const productVariables = /^(PUBLIC_|BUILD_)|^(CONTENT_DIR|SITE_DIR|SHOP_CACHE_DIR|PORT)$/;
/** Variables of Node, Astro and the system; NODE_AUTH_TOKEN is a secret of npm. */
const systemVariables =
  /^(NODE_(?!AUTH_TOKEN)|ASTRO_|LC_)|^(PATH|HOME|USER|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|CI|TERM|COLUMNS|NO_COLOR|FORCE_COLOR)$/i;
const networkVariables = /^(HTTPS?_PROXY|NO_PROXY|SSL_CERT_(FILE|DIR))$/i;
const windowsVariables = /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES)$/i;

/** Returns the variables that a build receives: hundreds of packages run in it, and none needs a secret. */
export function buildEnvironment(env: Environment): Environment {
  const allowed = [productVariables, systemVariables, networkVariables, windowsVariables];
  return Object.fromEntries(Object.entries(env).filter(([name]) => allowed.some((pattern) => pattern.test(name))));
}

interface Job {
  shop: Shop;
  /** The name of the shop, from its site.yaml. */
  uid: string;
  /** Origin of the catalogue; empty: shells. */
  apiOrigin: string;
  fingerprint: string;
  /** Entries that come due later are not on the site. */
  now: Date;
  /** Prints Astro's output as it comes; otherwise only after a failure. */
  verbose: boolean;
  /** `compress` does it afterwards: a first site stands a third sooner. */
  isUncompressed?: boolean;
}

/** Gives back what the allocators of the bundler and of the C library do not use: a third of the memory, for no time. */
const allocators = { MALLOC_ARENA_MAX: "1", MIMALLOC_PURGE_DELAY: "0", MIMALLOC_ARENA_EAGER_COMMIT: "0" };
/** Files of a shop above which its build spares memory rather than time. */
const manyFiles = 1000;
/** Lets heaps grow by a third of what they hold: with 16,000 pages a third less memory, for a sixth more processor time. */
const frugal = ["--heap-growing-percent=30", "--max-semi-space-size=8"];

const getBrotliCache = (cache: string) => join(cache, "brotli");

/** Builds a shop's site and swaps it in, so that no visitor gets half a build. Returns false when the build fails; the site is then unchanged. */
export async function buildAndSwap(job: Job): Promise<boolean> {
  const built = await build(job);
  if (built) swap(built, job.shop.dist);
  return built !== null;
}

/** Builds a shop's site into a new folder beside its `dist`, and returns the folder; null when the build fails. */
export async function build({ shop, uid, apiOrigin, fingerprint, now, verbose, isUncompressed }: Job): Promise<string | null> {
  mkdirSync(shop.cache, { recursive: true });
  cleanStale(shop.cache, /^dist-(\d+)/);
  const fresh = join(shop.cache, `dist-${process.pid}`);
  const flags = readdirSync(shop.folder, { recursive: true }).length > manyFiles ? frugal : [];
  const astro = startNode(
    [...flags, "node_modules/astro/bin/astro.mjs", "build", "--outDir", `./${relative(root, fresh)}`],
    { ...allocators, ...shop.env, BUILD_API_ORIGIN: apiOrigin, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    verbose ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    { inherited: buildEnvironment(process.env) },
  );
  const output: Buffer[] = [];
  for (const stream of [astro.stdout, astro.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const { status } = await waitForExit(astro);
  if (status !== 0 || !existsSync(join(fresh, "index.html"))) {
    if (!verbose) process.stderr.write(Buffer.concat(output));
    rmSync(fresh, { recursive: true, force: true });
    return null;
  }
  if (!isUncompressed) await compressSite(fresh, getBrotliCache(shop.cache));
  mkdirSync(dirname(join(fresh, fingerprintFile)), { recursive: true });
  writeFileSync(join(fresh, fingerprintFile), fingerprint);
  writeFileSync(join(fresh, shopFile), uid);
  writeFileSync(join(fresh, builtForFile), now.toISOString());
  return moveBeside(fresh, shop.dist);
}

/** Compresses a shop's site whose build left that out, in a copy that then replaces it, unless another build has done so meanwhile. */
export async function compress({ dist, cache }: Pick<Shop, "dist" | "cache">): Promise<void> {
  if (existsSync(join(dist, compressedFile))) return;
  const copy = join(cache, `dist-${process.pid}`);
  const readBuild = () => readFileSync(join(dist, "build.json"), "utf8");
  const before = readBuild();
  cpSync(dist, copy, { recursive: true });
  await compressSite(copy, getBrotliCache(cache));
  if (readBuild() === before) swap(moveBeside(copy, dist), dist);
  else rmSync(copy, { recursive: true, force: true });
}

/** Moves a build beside `dist`, as renaming swaps folders of one file system alone. */
function moveBeside(fresh: string, dist: string): string {
  const parent = dirname(dist);
  mkdirSync(parent, { recursive: true });
  cleanStale(parent, /^\.dist-(\d+)/);
  const beside = join(parent, `.dist-${process.pid}`);
  try {
    renameSync(fresh, beside);
  } catch {
    cpSync(fresh, beside, { recursive: true });
    rmSync(fresh, { recursive: true, force: true });
  }
  return beside;
}

/** Replaces `dist` by a build that `build` returned. Visitors keep pages of older builds open: the code of two of them stays. */
export function swap(fresh: string, dist: string): void {
  const old = `${fresh}-old`;
  mkdirSync(dirname(dist), { recursive: true });
  keepChunks(dist, fresh);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

/** Builds whose chunks a site has, with its own. */
const buildCount = 3;
/** The files in `_astro` of each of them, the latest first. */
const chunksFile = ".hosting/chunks.json";

function keepChunks(dist: string, fresh: string): void {
  const record = join(fresh, chunksFile);
  // A compressed copy of the site has them.
  if (existsSync(record)) return;
  const list = (folder: string) => (existsSync(join(folder, "_astro")) ? readdirSync(join(folder, "_astro")) : []);
  const own = list(fresh);
  const before = join(dist, chunksFile);
  const older: string[][] = existsSync(before) ? JSON.parse(readFileSync(before, "utf8")) : [];
  // A build that changed texts alone has the same.
  const isAnother = (files: string[]) => files.length > 0 && files.some((file) => !own.includes(file));
  const previous = older.filter(isAnother).slice(0, buildCount - 1);
  for (const file of new Set(previous.flat())) {
    const from = join(dist, "_astro", file);
    if (!own.includes(file) && existsSync(from)) cpSync(from, join(fresh, "_astro", file), { preserveTimestamps: true });
  }
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify([own, ...previous]));
}

// `npm run build`: the site of CONTENT_DIR alone, into SITE_DIR, for any static host.
if (import.meta.main) {
  endOnSignal();
  loadEnvFile();
  const shop = findShop();
  const apiOrigin = (process.env.BUILD_API_ORIGIN ?? "").replace(/\/$/, "");
  if (!apiOrigin)
    console.log(
      "BUILD_API_ORIGIN is not set: pages of goods and packages are built as shells, which load their data in the browser.",
    );
  const content = await readContent(shop);
  if (!content) process.exit(1);
  const now = new Date();
  const hash = await fingerprint(shop.folder, apiOrigin, listPublished(content, now)).catch((error: Error) => {
    console.error(`BUILD_API_ORIGIN=${apiOrigin} is not reachable: ${error.message}`);
    process.exit(1);
  });
  const built = await buildAndSwap({ shop, uid: content.site["zh-CN"].shop, apiOrigin, fingerprint: hash, now, verbose: true });
  process.exit(built ? 0 : 1);
}
