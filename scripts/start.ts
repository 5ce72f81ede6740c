import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { loadEnvFile } from "../server/config/env-file.ts";
import { buildAndSwap } from "./build-and-swap.ts";
import { isOfOtherShop } from "./check-same-shop.ts";
import { fingerprint, fingerprintOf } from "./fingerprint.ts";
import { endChildren, endOnSignal, root } from "./process.ts";
import { startServer } from "./server.ts";

// `npm start`: the host, then the site, built against it when anything that it is made of has changed.
const ending = endOnSignal();
loadEnvFile();
const dist = resolve(root, process.env.SITE_DIR || "dist");
const server = await startServer({ SITE_DIR: dist });
if ("status" in server) process.exit(server.status || 1);
let stopping = false;
async function stop(status: number): Promise<void> {
  if (stopping || ending()) return;
  stopping = true;
  await endChildren();
  process.exit(status);
}
void server.ended.then(({ status }) => stop(status));

// Visitors wait rather than see what nobody here sells.
if (await isOfOtherShop(dist, server.origin)) rmSync(dist, { recursive: true });
const wanted = await fingerprint(server.origin);
const old = fingerprintOf(dist);
if (old !== wanted) {
  const began = performance.now();
  console.log(old ? "Something has changed: building the site again …" : "Building the site …");
  if (await buildAndSwap({ dist, apiOrigin: server.origin, fingerprint: wanted, loud: false })) {
    console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  } else if (ending()) {
    await new Promise(() => {});
  } else if (old) {
    console.error("The build failed: see above. The site is served as it was built before.");
  } else {
    console.error("The build failed: see above.");
    await stop(1);
  }
}
console.log(`Site: ${server.origin}`);
