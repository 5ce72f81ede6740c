// `npm start`: checks the shop's files, starts the server, applies the catalogue to the database, and builds the site if an input has
// changed. Applies and builds again at each scheduled update: an entry is published, a show ends, a tour closes, or one of its stops
// begins. If the files have errors, or the database refuses the catalogue, the previous site and catalogue stay.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile } from "#server/config/env-file.ts";
import { shopFile } from "#src/content/catalogue.ts";
import { countUpdates, getNextUpdate } from "#src/content/publish.ts";
import type { Shop } from "#src/content/shop.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { buildAndSwap, lockBuilds } from "./build.ts";
import { print, printUntouched, readContent, runCatalogueCommand, sendCatalogue } from "./catalogue.ts";
import { endChildren, endOnSignal, startServer } from "./child-processes.ts";
import { builtForFile, fingerprint, fingerprintFile, readBuilt } from "./fingerprint.ts";
import { copyFiles, findCopy, findShop, type ShopPaths, storeCopy } from "./shop-paths.ts";
import { describeFailure } from "./swap.ts";

const ending = endOnSignal();
loadEnvFile();
const shop = findShop();
const { dist } = shop;
const first = await readContent(shop);
if (first) printUntouched(first);
else if (readBuilt(dist, fingerprintFile) === null) process.exit(1);
// Gives a new database the catalogue before the server's first response, and leaves any other database unchanged.
if (first && (process.env.DATABASE_URL || !existsSync(join(shop.data, "database"))))
  await sendCatalogue(shop, "create", toCatalogue(first, new Date()));
const server = await startServer(shop.env);
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

/**
 * Applies the catalogue of the files to the database. On PostgreSQL, where another machine may have published since, only if
 * (a) the database is empty, or (b) it matches these files as of the last build, so that only time has passed.
 * Otherwise prints the reason and returns false.
 */
async function applyCatalogue(content: Shop, now: Date): Promise<boolean> {
  if (process.env.DATABASE_URL && (await findStoredShop()) !== null) {
    const hasCatalogueAt = async (time: Date) =>
      (await sendCatalogue(shop, "compare", toCatalogue(content, time))).status === 0;
    if (await hasCatalogueAt(now)) return true;
    if (!(await hasCatalogueAt(new Date(readBuilt(dist, builtForFile) ?? now)))) {
      console.error("The database holds another catalogue than the files: npm run publish brings it in.");
      return false;
    }
  }
  const applied = await sendCatalogue(shop, "apply", toCatalogue(content, now));
  if (applied.status !== 0) print(applied);
  return applied.status === 0;
}

/** Returns the id of the shop whose catalogue is in the database; null if there is none. If the command fails, prints the reason and returns undefined. */
async function findStoredShop(): Promise<string | null | undefined> {
  const stored = await runCatalogueCommand(shop, ["figures"]);
  if (stored.status === 0) return JSON.parse(stored.output).shop;
  print(stored);
  return undefined;
}

/** Rebuilds the site if an input has changed. If the build fails, prints the reason, keeps the previous site and returns false. */
async function updateSite(files: ShopPaths, content: Shop, now: Date): Promise<boolean> {
  const uid = content.site["zh-CN"].shop;
  // Removes the pages of another shop; visitors get the waiting page until the build is done.
  const built = readBuilt(dist, shopFile);
  if (built !== uid) rmSync(dist, { recursive: true, force: true });
  const current = await fingerprint(files.folder, origin, countUpdates(content, now));
  const previous = readBuilt(dist, fingerprintFile);
  if (previous === current) return true;
  const began = performance.now();
  console.log(previous ? "An input has changed: rebuilding the site …" : "Building the site …");
  const job = { shop: files, uid, apiOrigin: origin, fingerprint: current, now, verbose: false };
  if (await buildAndSwap(job)) {
    console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
    return true;
  }
  if (ending()) await new Promise(() => {});
  console.error(`The build failed: see above.${previous ? " The server keeps serving the previous build." : ""}`);
  return false;
}

/** Time between two checks for a due update, in ms. That is precise enough, because the times of entries have no seconds. */
const lookInterval = 10_000;
/** Time until the next attempt after a failure, in ms. */
const retryInterval = 600_000;
/** Timestamp of the next update, in ms. */
let next = Number.POSITIVE_INFINITY;
/** Time of the build that `next` was computed for. If the site has another one, `npm run publish` has replaced it, and `next` is computed again. */
let builtFor: string | null = null;

/** Schedules the next update after `since`, and stores the files that it will be built from. */
function setNext(files: ShopPaths, content: Shop, since: Date): void {
  builtFor = readBuilt(dist, builtForFile);
  const due = getNextUpdate(content, since);
  next = due?.getTime() ?? Number.POSITIVE_INFINITY;
  if (due && builtFor && !findCopy(shop, builtFor)) storeCopy(files === shop ? copyFiles(shop) : files, builtFor);
}

/** Prints why an update has failed, and schedules another attempt. */
function retry(error?: unknown): void {
  if (error) console.error(describeFailure(error));
  builtFor = readBuilt(dist, builtForFile);
  next = Date.now() + retryInterval;
}

/** Runs a scheduled update from the files as they were published: later edits wait for `npm run publish` or the next start. */
async function updateDue(): Promise<void> {
  const isDue = Date.now() >= next;
  if (!isDue && builtFor === readBuilt(dist, builtForFile)) return;
  const unlock = await lockBuilds(shop);
  try {
    const current = readBuilt(dist, builtForFile);
    const files = findCopy(shop, current) ?? copyFiles(shop);
    const content = await readContent(files, shop.folder);
    const now = new Date();
    if (!content) retry();
    else if (!isDue) setNext(files, content, new Date(current ?? 0));
    else if ((await applyCatalogue(content, now)) && (await updateSite(files, content, now))) setNext(files, content, now);
    else retry();
  } finally {
    unlock();
  }
}

/** Updates catalogue and site at startup. Returns whether there is a site to serve. */
async function updateFirst(content: Shop): Promise<boolean> {
  const unlock = await lockBuilds(shop);
  try {
    const now = new Date();
    // On PostgreSQL, edits wait for `npm run publish`, and the site is built with the catalogue of the database.
    if (!(await applyCatalogue(content, now)) && !process.env.DATABASE_URL) return serveLast(content.site["zh-CN"].shop);
    const isUp = await updateSite(shop, content, now);
    if (!isUp && readBuilt(dist, fingerprintFile) === null) return false;
    console.log(`Site: ${origin}`);
    if (isUp) setNext(shop, content, now);
    else retry();
    return true;
  } finally {
    unlock();
  }
}

/** Keeps serving the previous build if the files are invalid or cannot be applied. Returns false unless site, database and files belong to the same shop. `owner`: the shop of the files, if they are valid. */
async function serveLast(owner?: string): Promise<boolean> {
  const uid = await findStoredShop();
  if (!uid || readBuilt(dist, shopFile) !== uid || (owner ?? uid) !== uid) {
    console.error(`The site in ${dist} is not that of the shop in the database and of these files: it is not served.`);
    return false;
  }
  const current = readBuilt(dist, builtForFile);
  console.error(`Site and catalogue are those of ${current}: mend the faults above, then npm run publish brings in the files.`);
  // If the published files are not stored, no update is scheduled: it would be built from the present files.
  if (!findCopy(shop, current)) builtFor = current;
  console.log(`Site: ${origin}`);
  return true;
}

if (!(await (first ? updateFirst(first) : serveLast()))) await stop(1);
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, lookInterval));
  await updateDue().catch(retry);
}
