import { rmSync } from "node:fs";
import { loadEnvFile } from "../server/config/env-file.ts";
import { getNextPublish } from "../src/content/publish.ts";
import type { Shop as Content } from "../src/content/shop.ts";
import { toCatalogue } from "../src/content/to-catalogue.ts";
import { buildAndSwap, compress } from "./build.ts";
import { print, printUntouched, readContent, sendCatalogue } from "./catalogue.ts";
import { builtForFile, fingerprint, fingerprintFile, listPublished, readBuilt, shopFile } from "./fingerprint.ts";
import { endChildren, endOnSignal, startServer } from "./process.ts";
import { findShop } from "./shop.ts";

// `npm start`: checks the shop, starts the server, brings the catalogue into the embedded database, then builds the site
// against it when an input has changed. Does that again whenever an entry's publish_at comes.
const ending = endOnSignal();
loadEnvFile();
const shop = findShop();
const { dist } = shop;
// A new database takes the server longer than the files take us.
const starting = startServer(shop.env);
const first = await readContent(shop);
if (!first) {
  await endChildren();
  process.exit(1);
}
printUntouched(first);
const server = await starting;
if ("status" in server) process.exit(server.status || 1);
const { origin } = server;
let stopping = false;
async function stop(status: number): Promise<void> {
  if (stopping || ending()) return;
  stopping = true;
  await endChildren();
  process.exit(status);
}
void server.ended.then(({ status }) => stop(status));

/** Brings catalogue and site up to date. Returns false after a failure, which it prints; the previous site is then unchanged. */
async function update(content: Content): Promise<boolean> {
  const now = new Date();
  // On PostgreSQL, `npm run publish` or `npm run catalogue -- apply` do.
  if (!process.env.DATABASE_URL) {
    const applied = await sendCatalogue(shop, "apply", toCatalogue(content, now));
    if (applied.status !== 0) {
      print(applied);
      return false;
    }
  }
  const uid = content.site["zh-CN"].shop;
  // Removes the pages of another shop; visitors get the waiting page until the build is done.
  const built = readBuilt(dist, shopFile);
  if (built !== uid) rmSync(dist, { recursive: true, force: true });
  const current = await fingerprint(shop.folder, origin, listPublished(content, now));
  const previous = readBuilt(dist, fingerprintFile);
  if (previous === current) return true;
  const began = performance.now();
  console.log(previous ? "An input has changed: rebuilding the site …" : "Building the site …");
  const job = { shop, uid, apiOrigin: origin, fingerprint: current, now, verbose: false, isUncompressed: previous === null };
  if (await buildAndSwap(job)) {
    console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
    return true;
  }
  if (ending()) await new Promise(() => {});
  console.error(`The build failed: see above.${previous ? " The server keeps serving the previous build." : ""}`);
  return previous !== null;
}

/** How often to look, in ms: times of entries have no seconds. */
const lookInterval = 10_000;
/** How long to wait after a failure, in ms. */
const retryInterval = 600_000;
/** When to bring the files onto the site again, in ms. */
let next = Number.POSITIVE_INFINITY;
/** The build that `next` was read for: `npm run publish` makes others, of other files. */
let builtFor: string | null = null;

function setNext(content: Content | null): void {
  builtFor = readBuilt(dist, builtForFile);
  const due = content && getNextPublish(content, new Date(builtFor ?? 0));
  next = content ? (due?.getTime() ?? Number.POSITIVE_INFINITY) : Date.now() + retryInterval;
}

/** Brings entries onto the site when they come due. */
async function publishDue(): Promise<void> {
  const isDue = Date.now() >= next;
  if (!isDue && builtFor === readBuilt(dist, builtForFile)) return;
  const content = await readContent(shop);
  setNext(content && (!isDue || (await update(content))) ? content : null);
}

if (await update(first)) {
  console.log(`Site: ${origin}`);
  await compress(shop);
  setNext(first);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookInterval));
    await publishDue();
  }
} else await stop(1);
