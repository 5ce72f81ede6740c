// Bundles src/client/worker.ts into the service worker of a site, sw.js.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { snapshotDatabase } from "#src/api/storage.ts";
import { bundleScript } from "./bundle-script.ts";
import { isServiceWorkerOn } from "./content-security-policy.ts";

/** Without `isOffline` (PUBLIC_OFFLINE=false), the worker removes itself and its caches. When `codeHash` changes, browsers install it again, and it removes old files from its caches. */
export async function writeServiceWorker(
  srcDir: string,
  dist: string,
  codeHash: string,
  isOffline = isServiceWorkerOn(process.env),
): Promise<void> {
  const define = { OFFLINE: JSON.stringify(isOffline), SNAPSHOTS: JSON.stringify(snapshotDatabase) };
  const worker = await bundleScript(join(srcDir, "client/worker.ts"), define);
  await writeFile(join(dist, "sw.js"), `${worker.code}\n// ${codeHash}\n`);
}
