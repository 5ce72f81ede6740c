// `npm run publish`: makes edited files of a shop live on this machine. Checks a copy of them, builds the site against a temporary server,
// then applies the catalogue and swaps the site in. A failure before that changes nothing; a later one says what to do.

import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadEnvFile } from "#server/config/env-file.ts";
import { countUpdates, getNextUpdate } from "#src/content/publish.ts";
import type { Shop } from "#src/content/shop.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { build, lockBuilds } from "./build.ts";
import { print, printUntouched, readContent, restoreCaches, runCatalogueCommand, sendCatalogue } from "./catalogue.ts";
import { endChildren, endOnSignal, startServer } from "./child-processes.ts";
import { fingerprint } from "./fingerprint.ts";
import { copyFiles, findShop, type ShopPaths, storeCopy } from "./shop-paths.ts";
import { describeFailure, prepareSwap, swap } from "./swap.ts";

/** The settings of the temporary server, which override those of the live one. */
const temporary = {
  HOST: "127.0.0.1",
  PORT: "0",
  DATABASE_URL: "",
  PUBLIC_SITE_ORIGIN: "",
  HOST_ORIGIN: "",
  PAYMENT: "sandbox",
  SMS: "console",
  ACTIVATE_NEW_MEMBERS: "true",
  DEMO: "false",
  REQUEST_LOG: "off",
};

interface Publication {
  /** Its folder is a copy of the shop's files: edits made after the check are not built. */
  shop: ShopPaths;
  content: Shop;
  now: Date;
}

/** Builds the site of a shop against a temporary server with its catalogue, and returns its folder. If that fails, prints the reason and returns null. */
async function buildWith({ shop, content, now }: Publication, figures: string): Promise<string | null> {
  const catalogue = toCatalogue(content, now);
  const data = mkdtempSync(join(tmpdir(), "entrance-publish-"));
  const log = join(data, "server.log");
  const env = { ...temporary, DATA_DIR: data, SITE_DIR: join(data, "site") };
  try {
    const server = await startServer({ ...shop.env, ...env }, { output: openSync(log, "w") });
    if ("status" in server) {
      console.error(readFileSync(log, "utf8"));
      return null;
    }
    const applied = await sendCatalogue(shop, "apply", catalogue, { figures, env });
    if (applied.status !== 0) {
      print(applied);
      return null;
    }
    const hash = await fingerprint(shop.folder, server.origin, countUpdates(content, now));
    return await build({ shop, uid: catalogue.shop.uid, apiOrigin: server.origin, fingerprint: hash, now, verbose: false });
  } finally {
    await endChildren();
    rmSync(data, { recursive: true, force: true });
  }
}

/** What the publication has changed so far. */
let changed: "nothing" | "catalogue" | "site" = "nothing";

/** Describes the state after a failure. */
function describeState(dist: string, built: string | null): string {
  if (changed === "nothing") return "Nothing was changed.";
  if (changed === "site") return "Catalogue and site are published.";
  const site = existsSync(dist) ? "is still the previous one" : `is missing: the previous one is ${built}-old`;
  return `The catalogue is in the database, but the site ${site}. npm run publish once more brings the new one.`;
}

/** Builds the site, applies the catalogue and swaps the site in. As little as possible can fail after the catalogue is applied: only the two renames of `swap`. */
async function release(publication: Publication, figures: string): Promise<number> {
  const { shop, content, now } = publication;
  let built: string | null = null;
  try {
    console.log("Building the site …");
    built = await buildWith(publication, figures);
    if (!built) throw new Error("The build failed: see above.");
    prepareSwap(built, shop.dist);
    const applied = await sendCatalogue(shop, "apply", toCatalogue(content, now));
    if (applied.status !== 0) {
      print(applied);
      console.error("The site was not changed.");
      return applied.status;
    }
    changed = "catalogue";
    swap(built, shop.dist);
    changed = "site";
    if (getNextUpdate(content, now)) storeCopy(shop, now.toISOString());
    const { PUBLIC_SITE_ORIGIN, PORT } = process.env;
    const site = PUBLIC_SITE_ORIGIN || `http://localhost:${Number(PORT) || 4321} (while npm start runs)`;
    console.log(`Published: ${shop.dist}\nSite: ${site}`);
    return 0;
  } catch (error) {
    console.error(`${describeFailure(error)}\n${describeState(shop.dist, built)}`);
    return 1;
  } finally {
    if (built) rmSync(built, { recursive: true, force: true });
  }
}

/** Checks and publishes a copy of the files in `folder`. */
async function publishCopy(shop: ShopPaths, folder: string): Promise<number> {
  const content = await readContent(shop, folder);
  if (!content) return 1;
  printUntouched(content);
  const now = new Date();
  const plan = await sendCatalogue(shop, "plan", toCatalogue(content, now));
  if (print(plan) !== 0) return plan.status;
  const figures = await runCatalogueCommand(shop, ["figures"]);
  if (figures.status !== 0) return print(figures);
  const { site }: { site: string } = JSON.parse(figures.output);
  if (site !== resolve(shop.dist)) {
    console.error(`The server on this DATA_DIR serves ${site}: set SITE_DIR=${site} here too. Nothing was changed.`);
    return 1;
  }
  return release({ shop, content, now }, figures.output);
}

async function publish(): Promise<number> {
  const shop = findShop();
  await lockBuilds(shop);
  const copy = copyFiles(shop);
  try {
    return await publishCopy(copy, shop.folder);
  } finally {
    rmSync(copy.folder, { recursive: true, force: true });
    await restoreCaches(shop);
  }
}

endOnSignal(130);
loadEnvFile();
process.exit(await publish());
