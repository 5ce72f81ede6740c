// `npm run build`: writes the site of CONTENT_DIR into SITE_DIR, for any static host. Also exports the steps that start and publish
// combine: lock the shop, run Astro and compress the site with Brotli, swap it in.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { loadEnvFile } from "#server/config/env-file.ts";
import { LockedError, lockFolder } from "#server/db/lock.ts";
import { compressSite } from "#src/build/compress.ts";
import { pictureLogLines } from "#src/build/files.ts";
import { shopFile } from "#src/content/catalogue.ts";
import { countUpdates } from "#src/content/publish.ts";
import { readContent } from "./catalogue.ts";
import { cleanStale, endOnSignal, root, startNode, waitForExit } from "./child-processes.ts";
import { builtForFile, fingerprint, fingerprintFile } from "./fingerprint.ts";
import { findShop, type ShopPaths } from "./shop-paths.ts";
import { describeFailure, moveBeside, prepareSwap, swap } from "./swap.ts";

type Environment = Record<string, string | undefined>;

const productVariables = /^(PUBLIC_|BUILD_)|^(CONTENT_DIR|SITE_DIR|SHOP_CACHE_DIR|PORT)$/;
/** Variables of Node, Astro and the system; NODE_AUTH_TOKEN is a secret of npm. */
const systemVariables =
  /^(NODE_(?!AUTH_TOKEN)|ASTRO_|LC_)|^(PATH|HOME|USER|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|CI|TERM|COLUMNS|NO_COLOR|FORCE_COLOR)$/i;
const networkVariables = /^(HTTPS?_PROXY|NO_PROXY|SSL_CERT_(FILE|DIR))$/i;
const windowsVariables = /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES)$/i;

/** Returns the environment variables that a build receives. Secrets are not among them, because hundreds of packages run in a build. */
export function buildEnvironment(env: Environment): Environment {
  const allowed = [productVariables, systemVariables, networkVariables, windowsVariables];
  const entries = Object.entries(env).filter(([name]) => allowed.some((pattern) => pattern.test(name)));
  // The URL of a proxy may contain a password.
  return Object.fromEntries(
    entries.map(([name, value]) => [name, /_PROXY$/i.test(name) ? value?.replace(/(^|\/\/)[^/]*@/, "$1") : value]),
  );
}

interface Job {
  shop: ShopPaths;
  /** The id of the shop, from its site.yaml. */
  uid: string;
  /** Origin of the API server that has the catalogue. If it is empty, the pages of items and passes are built as shells. */
  apiOrigin: string;
  fingerprint: string;
  /** Entries with a later `publish_at` are not on the site. */
  now: Date;
  /** Prints Astro's output immediately; otherwise only after a failure. */
  verbose: boolean;
}

/** Waits until no other process builds this shop or changes its site, because both would write the same caches, and locks it. Returns a function that unlocks; the end of the process unlocks too. */
export async function lockBuilds({ cache }: Pick<ShopPaths, "cache">): Promise<() => void> {
  const folder = join(cache, "building");
  mkdirSync(folder, { recursive: true });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      const holder = /process \d+/.exec(error.message)?.[0];
      if (attempt === 1) console.log(`Another build of this shop is running (${holder}): waiting until it ends.`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Builds a shop's site and replaces the current one with it. If that fails, prints the reason, keeps the current site and returns false. */
export async function buildAndSwap(job: Job): Promise<boolean> {
  const { dist } = job.shop;
  const built = await build(job);
  if (!built) return false;
  try {
    prepareSwap(built, dist);
    swap(built, dist);
    return true;
  } catch (error) {
    console.error(describeFailure(error));
    rmSync(built, { recursive: true, force: true });
    return false;
  }
}

/** Builds a shop's site into a new folder beside its `dist`, and returns the folder; null if the build fails. */
export async function build({ shop, uid, apiOrigin, fingerprint, now, verbose }: Job): Promise<string | null> {
  // Node finds the project's packages, which the build imports, only from a folder inside the project.
  const parent = relative(root, shop.cache).startsWith("..") ? join(root, ".cache") : shop.cache;
  for (const folder of [shop.cache, parent]) mkdirSync(folder, { recursive: true });
  cleanStale(parent, /^dist-(\d+)/);
  const fresh = join(parent, `dist-${process.pid}`);
  const astro = startNode(
    ["node_modules/astro/bin/astro.mjs", "build", "--outDir", `./${relative(root, fresh)}`],
    { ...shop.env, BUILD_API_ORIGIN: apiOrigin, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    ["ignore", verbose ? "inherit" : "pipe", verbose ? "inherit" : "pipe"],
    buildEnvironment(process.env),
  );
  const output: Buffer[] = [];
  for (const stream of [astro.stdout, astro.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  astro.stdout?.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().match(pictureLogLines) ?? []) console.log(line);
  });
  const { status } = await waitForExit(astro);
  if (status !== 0 || !existsSync(join(fresh, "index.html"))) {
    if (!verbose) process.stderr.write(Buffer.concat(output));
    rmSync(fresh, { recursive: true, force: true });
    return null;
  }
  await compressSite(fresh, join(shop.cache, "brotli"));
  mkdirSync(dirname(join(fresh, fingerprintFile)), { recursive: true });
  writeFileSync(join(fresh, fingerprintFile), fingerprint);
  writeFileSync(join(fresh, shopFile), uid);
  writeFileSync(join(fresh, builtForFile), now.toISOString());
  return moveBeside(fresh, shop.dist);
}

if (import.meta.main) {
  endOnSignal();
  loadEnvFile();
  const shop = findShop();
  await lockBuilds(shop);
  const apiOrigin = (process.env.BUILD_API_ORIGIN ?? "").replace(/\/$/, "");
  if (!apiOrigin)
    console.log(
      "BUILD_API_ORIGIN is not set: pages of goods and packages are built as shells, which load their data in the browser.",
    );
  const content = await readContent(shop);
  if (!content) process.exit(1);
  const now = new Date();
  const hash = await fingerprint(shop.folder, apiOrigin, countUpdates(content, now)).catch((error: Error) => {
    console.error(`BUILD_API_ORIGIN=${apiOrigin} is not reachable: ${error.message}`);
    process.exit(1);
  });
  const built = await buildAndSwap({ shop, uid: content.site["zh-CN"].shop, apiOrigin, fingerprint: hash, now, verbose: true });
  if (built) console.log(`The site of ${content.site["zh-CN"].shop} is in ${shop.dist}`);
  process.exit(built ? 0 : 1);
}
