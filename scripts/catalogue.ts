import { join } from "node:path";
import { loadEnvFile } from "../server/config/env-file.ts";
import { getAdvice } from "../src/content/advice.ts";
import { readShop } from "../src/content/read.ts";
import type { Shop as Content } from "../src/content/shop.ts";
import { endOnSignal } from "./process.ts";
import { findShop, type Shop } from "./shop.ts";

// `npm run catalogue -- check`, which is `npm run check:content`: all that is wrong with the files of CONTENT_DIR.

/** Reads the files of a shop. Returns null when something is wrong with them; all of it is printed. */
export async function readContent({ folder, cache }: Shop): Promise<Content | null> {
  const { shop, faults } = await readShop(folder, { pictureCache: join(cache, "pictures") });
  if (shop) return shop;
  for (const fault of faults) console.error(fault);
  console.error(`\n${faults.length === 1 ? "1 fault" : `${faults.length} faults`} in ${folder}: nothing was changed.`);
  return null;
}

async function check(shop: Shop): Promise<number> {
  const content = await readContent(shop);
  if (!content) return 1;
  for (const sentence of getAdvice(content)) console.log(`Advice: ${sentence}`);
  console.log(`No fault in ${shop.folder}.`);
  return 0;
}

async function run(command: string): Promise<number> {
  if (command === "check") return check(findShop());
  console.error("npm run catalogue -- check");
  return 2;
}

if (import.meta.main) {
  endOnSignal(130);
  loadEnvFile();
  process.exit(await run(process.argv[2] ?? ""));
}
