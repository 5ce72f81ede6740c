import { resolve } from "node:path";
import { loadEnvFile } from "../server/config/env-file.ts";
import { buildAndSwap } from "./build-and-swap.ts";
import { fingerprint } from "./fingerprint.ts";
import { endOnSignal, root } from "./process.ts";

// `npm run build`: the site alone, into SITE_DIR, for any static host.
endOnSignal();
loadEnvFile();
const apiOrigin = (process.env.BUILD_API_ORIGIN ?? "").replace(/\/$/, "");
if (!apiOrigin)
  console.log(
    "BUILD_API_ORIGIN is not set: pages of goods and packages are built as shells, which load their data in the browser.",
  );
const hash = await fingerprint(apiOrigin).catch((error: Error) => {
  console.error(`BUILD_API_ORIGIN=${apiOrigin} is not reachable: ${error.message}`);
  process.exit(1);
});
const built = await buildAndSwap({
  dist: resolve(root, process.env.SITE_DIR || "dist"),
  apiOrigin,
  fingerprint: hash,
  verbose: true,
});
process.exit(built ? 0 : 1);
