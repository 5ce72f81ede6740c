import { loadEnvFile } from "../server/config/env-file.ts";
import { buildAndSwap } from "./build-and-swap.ts";
import { readContent } from "./catalogue.ts";
import { fingerprint, listPublished } from "./fingerprint.ts";
import { endOnSignal } from "./process.ts";
import { findShop } from "./shop.ts";

// `npm run build`: the site of CONTENT_DIR alone, into SITE_DIR, for any static host.
endOnSignal();
loadEnvFile();
const shop = findShop();
const apiOrigin = (process.env.BUILD_API_ORIGIN ?? "").replace(/\/$/, "");
if (!apiOrigin)
  console.log(
    "BUILD_API_ORIGIN is not set: pages of goods and packages are built as shells, which load their data in the browser.",
  );
const content = await readContent(shop);
if (!content) process.exit(1);
const now = new Date();
const hash = await fingerprint(shop.folder, apiOrigin, listPublished(content, now)).catch((error: Error) => {
  console.error(`BUILD_API_ORIGIN=${apiOrigin} is not reachable: ${error.message}`);
  process.exit(1);
});
const built = await buildAndSwap({ shop, uid: content.site["zh-CN"].shop, apiOrigin, fingerprint: hash, now, verbose: true });
process.exit(built ? 0 : 1);
