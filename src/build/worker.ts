import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { snapshotDatabase } from "../api/storage.ts";
import { isWorkerOn } from "./content-security-policy.ts";

/** Writes the service worker as one classic script. PUBLIC_OFFLINE=false makes it remove itself and its caches. `code` is the id of the client code: another one removes old files from the browser's caches. */
export async function writeWorker(
  srcDir: string,
  dist: string,
  code: string,
  isOffline = isWorkerOn(process.env),
): Promise<void> {
  const built = await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "warn",
    define: { OFFLINE: JSON.stringify(isOffline), SNAPSHOTS: JSON.stringify(snapshotDatabase) },
    build: {
      write: false,
      target: "es2022",
      rolldownOptions: { input: join(srcDir, "client/worker.ts"), output: { format: "iife" } },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
  const worker = outputs.find((output) => output.type === "chunk");
  if (!worker) throw new Error("the service worker was not built");
  await writeFile(join(dist, "sw.js"), `${worker.code.trim()}\n// ${code}\n`);
}
