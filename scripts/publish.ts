import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadEnvFile } from "../server/config/env-file.ts";
import type { Shop as Content } from "../src/content/shop.ts";
import { toCatalogue } from "../src/content/to-catalogue.ts";
import { build, swap } from "./build.ts";
import { print, printUntouched, readContent, runCatalogueCommand, sendCatalogue } from "./catalogue.ts";
import { fingerprint, listPublished } from "./fingerprint.ts";
import { endChildren, endOnSignal, startServer } from "./process.ts";
import { findShop, type Shop } from "./shop.ts";

// `npm run publish`: checks the shop, builds its site against a temporary server that has the new catalogue with the stock of
// the live one, then brings the catalogue into the database and the site into place. A failure at any step changes nothing.

/** What a temporary server of one's own needs, whatever the live one is set to. */
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
  REQUEST_LOG: "none",
};

/** Builds the site of a shop against a temporary server with its catalogue. Returns its folder, or null after a failure, which it prints. */
async function buildWith(shop: Shop, content: Content, now: Date, figures: string): Promise<string | null> {
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
    const hash = await fingerprint(shop.folder, server.origin, listPublished(content, now));
    return await build({ shop, uid: catalogue.shop.uid, apiOrigin: server.origin, fingerprint: hash, now, verbose: false });
  } finally {
    await endChildren();
    rmSync(data, { recursive: true, force: true });
  }
}

async function publish(): Promise<number> {
  const shop = findShop();
  const content = await readContent(shop);
  if (!content) return 1;
  printUntouched(content);
  const now = new Date();
  const catalogue = toCatalogue(content, now);
  const plan = await sendCatalogue(shop, "plan", catalogue);
  if (print(plan) !== 0) return plan.status;
  const figures = await runCatalogueCommand(shop, ["figures"]);
  if (figures.status !== 0) return print(figures);
  const { site }: { site: string } = JSON.parse(figures.output);
  if (site !== resolve(shop.dist)) {
    console.error(`The server on this DATA_DIR serves ${site}: set SITE_DIR=${site} here too. Nothing was changed.`);
    return 1;
  }
  console.log("Building the site …");
  const built = await buildWith(shop, content, now, figures.output);
  if (!built) {
    console.error("The build failed: see above. Nothing was changed.");
    return 1;
  }
  const applied = await sendCatalogue(shop, "apply", catalogue);
  if (applied.status !== 0) {
    rmSync(built, { recursive: true, force: true });
    print(applied);
    console.error("Nothing was changed.");
    return applied.status;
  }
  swap(built, shop.dist);
  console.log(`Published: ${shop.dist}`);
  return 0;
}

endOnSignal(130);
loadEnvFile();
process.exit(await publish());
