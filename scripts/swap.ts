// Replaces the site with a new build by renaming, and keeps the files of older builds that visitors still load.

import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ProductPictures, productPicturesFile } from "#src/build/files.ts";
import { cleanStale } from "./child-processes.ts";

export const describeFailure = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Moves a build beside `dist`: renaming works only within a file system. */
export function moveBeside(fresh: string, dist: string): string {
  const parent = dirname(dist);
  mkdirSync(parent, { recursive: true });
  cleanStale(parent, /^\.dist-(\d+)/);
  // A random name: no other user with write access to the parent can have created this folder before.
  const beside = join(parent, `.dist-${process.pid}-${randomUUID()}`);
  try {
    renameSync(fresh, beside);
  } catch {
    cpSync(fresh, beside, { recursive: true });
    rmSync(fresh, { recursive: true, force: true });
  }
  return beside;
}

/** Runs the steps of a swap that may fail, without changing `dist`: adds files of older builds to `fresh`, and renames `dist` there and back, which throws if it is a mount point. */
export function prepareSwap(fresh: string, dist: string): void {
  keepChunks(dist, fresh);
  keepProductPictures(dist, fresh);
  if (!existsSync(dist)) return;
  renameSync(dist, `${fresh}-old`);
  renameSync(`${fresh}-old`, dist);
}

/** Replaces `dist` with a prepared build. If that fails, puts the old site back and throws. */
export function swap(fresh: string, dist: string): void {
  const old = `${fresh}-old`;
  const isReplaced = existsSync(dist);
  if (isReplaced) renameSync(dist, old);
  try {
    renameSync(fresh, dist);
  } catch (error) {
    if (isReplaced) renameSync(old, dist);
    throw error;
  }
  try {
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    // The new site is in place.
    console.error(`${old} cannot be removed: ${describeFailure(error)}`);
  }
}

/** Number of builds, including its own, whose chunks a site contains. */
const buildCount = 3;
/** Lists the `_astro` files of each of these builds, the latest first. */
const chunksFile = ".hosting/chunks.json";

const readJson = <Value>(file: string, otherwise: Value): Value =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : otherwise;

/** Copies the chunks of the two previous builds into a new one, because pages that visitors have open still load them. */
function keepChunks(dist: string, fresh: string): void {
  const record = join(fresh, chunksFile);
  const list = (folder: string) => (existsSync(join(folder, "_astro")) ? readdirSync(join(folder, "_astro")) : []);
  const own = list(fresh);
  const older = readJson<string[][]>(join(dist, chunksFile), []);
  // A build that changes only texts has the same chunks.
  const isAnother = (files: string[]) => files.length > 0 && files.some((file) => !own.includes(file));
  const previous = older.filter(isAnother).slice(0, buildCount - 1);
  for (const file of new Set(previous.flat())) {
    const from = join(dist, "_astro", file);
    if (!own.includes(file) && existsSync(from)) cpSync(from, join(fresh, "_astro", file), { preserveTimestamps: true });
  }
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify([own, ...previous]));
}

/** Copies the first pictures of removed items and passes, which past orders show. */
function keepProductPictures(dist: string, fresh: string): void {
  const record = join(fresh, productPicturesFile);
  const older = readJson<ProductPictures>(join(dist, productPicturesFile), {});
  const own = readJson<ProductPictures>(record, {});
  for (const [uid, urls] of Object.entries(older)) {
    if (own[uid]) continue;
    // A raster picture is a folder with a file for each width.
    for (const path of urls.map((url) => (url.endsWith(".svg") ? url : dirname(url))))
      if (existsSync(join(dist, path)))
        cpSync(join(dist, path), join(fresh, path), { recursive: true, preserveTimestamps: true });
  }
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ ...older, ...own }));
}
