// `npm run catalogue -- check | plan | apply`: checks the files of CONTENT_DIR, compares them with the database, applies them.
// Also exports what start, dev, build and publish share: reading a shop's files, and running catalogue commands on its database.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { loadEnvFile } from "#server/config/env-file.ts";
import { getAdvice } from "#src/content/advice.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { adviseOnPublicFiles } from "#src/content/public-files.ts";
import { readShop } from "#src/content/read.ts";
import type { Shop } from "#src/content/shop.ts";
import { adviseOnTemplates } from "#src/content/templates.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { endOnSignal, startNode, waitForExit } from "./child-processes.ts";
import { findShop, type ShopPaths } from "./shop-paths.ts";

const getCaches = (cache: string) => ({ pictureCache: join(cache, "pictures"), audioCache: join(cache, "audio") });

/** Reads and checks the files of a shop. If they have errors, prints them and returns null. `original`: the folder that the message names, if `folder` is a copy of it. */
export async function readContent({ folder, cache }: ShopPaths, original = folder): Promise<Shop | null> {
  const { shop, faults } = await readShop(folder, getCaches(cache));
  if (shop) return shop;
  for (const fault of faults) console.error(fault);
  console.error(`\n${faults.length === 1 ? "1 fault" : `${faults.length} faults`} in ${original}: nothing was changed.`);
  return null;
}

/** Reads the shop's own files again after a copy of them, so that the cache records, from which `npm run dev` serves media, point to them. Ignores errors in the files. */
export async function restoreCaches({ folder, cache }: ShopPaths): Promise<void> {
  await readShop(folder, getCaches(cache)).catch(() => {});
}

interface Printed {
  status: number;
  output: string;
  errors: string;
}

/** Runs a catalogue command of server/operator.ts on the database of a shop. If a server has the embedded database open, that server runs it. */
export async function runCatalogueCommand(shop: ShopPaths, args: string[], env: Record<string, string> = {}): Promise<Printed> {
  const child = startNode(["server", "catalogue", ...args], { ...shop.env, ...env }, ["ignore", "pipe", "pipe"]);
  const [{ status }, output, errors] = await Promise.all([
    waitForExit(child),
    child.stdout ? text(child.stdout) : "",
    child.stderr ? text(child.stderr) : "",
  ]);
  return { status, output, errors };
}

/** Compares a catalogue with the database of a shop (`plan`: lists the differences; `compare`: exit status only), or applies it (`create`: only to a database without a catalogue). `figures`: stock, sales and bookings as JSON. */
export async function sendCatalogue(
  shop: ShopPaths,
  command: "plan" | "compare" | "apply" | "create",
  catalogue: Catalogue,
  { figures, env }: { figures?: string; env?: Record<string, string> } = {},
): Promise<Printed> {
  mkdirSync(shop.cache, { recursive: true });
  const file = join(shop.cache, `catalogue-${process.pid}.json`);
  const figuresFile = join(shop.cache, `figures-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(catalogue));
  if (figures) writeFileSync(figuresFile, figures);
  try {
    return await runCatalogueCommand(shop, [command, file, ...(figures ? ["--figures", figuresFile] : [])], env);
  } finally {
    for (const path of [file, figuresFile]) rmSync(path, { force: true });
  }
}

/** Prints the output of a command, and returns its status. */
export function print({ status, output, errors }: Printed): number {
  if (output) process.stdout.write(output);
  if (errors) process.stderr.write(errors);
  return status;
}

/** Prints which texts are still templates of `npm run new`. */
export function printUntouched(content: Shop): void {
  for (const sentence of adviseOnTemplates(content)) console.log(`Advice: ${sentence}`);
}

async function check(shop: ShopPaths): Promise<number> {
  const content = await readContent(shop);
  if (!content) return 1;
  const isOnSite = (id: string) => existsSync(join(shop.dist, "event", `${id}.html`));
  const advice = [
    ...getAdvice(content, new Date(), existsSync(join(shop.dist, "event")) ? isOnSite : undefined),
    ...(shop.isDemo ? [] : adviseOnPublicFiles(shop.folder)),
  ];
  for (const sentence of advice) console.log(`Advice: ${sentence}`);
  const demo = shop.isDemo ? " (the demo: CONTENT_DIR names your shop)" : "";
  console.log(`No fault in ${shop.folder}${demo}${advice.length > 0 ? `, ${advice.length} × advice` : ""}.`);
  return 0;
}

async function run(command: string): Promise<number> {
  const shop = findShop();
  if (command === "check") return check(shop);
  if (command !== "plan" && command !== "apply") {
    console.error("npm run catalogue -- check | plan | apply");
    return 2;
  }
  const content = await readContent(shop);
  return content ? print(await sendCatalogue(shop, command, toCatalogue(content, new Date()))) : 1;
}

if (import.meta.main) {
  endOnSignal(130);
  loadEnvFile();
  process.exit(await run(process.argv[2] ?? ""));
}
