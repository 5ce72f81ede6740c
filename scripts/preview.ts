// `npm run preview`: serves the last build unchanged, with the API server. `npm start` would update it first.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile } from "#server/config/env-file.ts";
import { endChildren, endOnSignal, startServer } from "./child-processes.ts";
import { findShop } from "./shop-paths.ts";

endOnSignal();
loadEnvFile();
const { dist, env } = findShop();
if (!existsSync(join(dist, "index.html"))) {
  console.error(`There is no site in ${dist}: npm run build`);
  process.exit(1);
}
const server = await startServer(env);
if ("status" in server) process.exit(server.status || 1);
console.log(`Site: ${server.origin}`);
const { status } = await server.ended;
await endChildren();
process.exit(status);
