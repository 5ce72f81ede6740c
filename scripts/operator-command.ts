// `npm run orders | stock | bookings | members | audit | doctor | backup | restore`: forwards to `node server`, for the shop in CONTENT_DIR.

import { resolve } from "node:path";
import { loadEnvFile } from "#server/config/env-file.ts";
import { endOnSignal, startNode, waitForExit } from "./child-processes.ts";
import { callerFolder, findShop } from "./shop-paths.ts";

/** Resolves file names against the caller's folder. `backup` defaults to a timestamped file name. */
function resolveFiles(name: string, args: string[]): string[] {
  if (name !== "backup" && name !== "restore") return args;
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const [file = name === "backup" ? `backup-${time}.ndjson.gz` : undefined, ...more] = args;
  return file === undefined ? [] : [resolve(callerFolder, file), ...more];
}

endOnSignal(130);
loadEnvFile();
const { env } = findShop();
const [name = "", ...args] = process.argv.slice(2);
const command = startNode(["server", name, ...resolveFiles(name, args)], env, "inherit");
process.exit((await waitForExit(command)).status);
