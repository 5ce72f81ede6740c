import { rmSync } from "node:fs";
import { loadEnvFile } from "../server/config/env-file.ts";
import { buildAndSwap } from "./build-and-swap.ts";
import { fingerprint, readFingerprint } from "./fingerprint.ts";
import { endChildren, endOnSignal } from "./process.ts";
import { startServer } from "./server.ts";
import { findShop } from "./shop.ts";
import { isSiteOfAnotherShop } from "./stale-site.ts";

// `npm start`: starts the server, then builds the site against it when an input has changed.
const ending = endOnSignal();
loadEnvFile();
const shop = findShop();
const { dist } = shop;
const server = await startServer(shop.env);
if ("status" in server) process.exit(server.status || 1);
let stopping = false;
async function stop(status: number): Promise<void> {
  if (stopping || ending()) return;
  stopping = true;
  await endChildren();
  process.exit(status);
}
void server.ended.then(({ status }) => stop(status));

// Removes the pages of another shop; visitors get the waiting page until the build is done.
if (await isSiteOfAnotherShop(dist, server.origin)) rmSync(dist, { recursive: true });
const current = await fingerprint(shop.folder, server.origin);
const previous = readFingerprint(dist);
if (previous !== current) {
  const began = performance.now();
  console.log(previous ? "An input has changed: rebuilding the site …" : "Building the site …");
  if (await buildAndSwap({ shop, apiOrigin: server.origin, fingerprint: current, verbose: false })) {
    console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  } else if (ending()) {
    await new Promise(() => {});
  } else if (previous) {
    console.error("The build failed: see above. The server keeps serving the previous build.");
  } else {
    console.error("The build failed: see above.");
    await stop(1);
  }
}
console.log(`Site: ${server.origin}`);
