// Replaces the site by a new build in one step, and keeps what visitors of the former one still load.

import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ProductPictures, productPicturesFile } from "#src/build/files.ts";
import { cleanStale } from "./process.ts";

export const describeFailure = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Moves a build beside `dist`, as renaming swaps folders of one file system alone. */
export function moveBeside(fresh: string, dist: string): string {
  const parent = dirname(dist);
  mkdirSync(parent, { recursive: true });
  cleanStale(parent, /^\.dist-(\d+)/);
  // A random name, so that nobody else who may write to the parent can have created this folder first.
  const beside = join(parent, `.dist-${process.pid}-${randomUUID()}`);
  try {
    renameSync(fresh, beside);
  } catch {
    cpSync(fresh, beside, { recursive: true });
    rmSync(fresh, { recursive: true, force: true });
  }
  return beside;
}

/**
 * Does what may fail of a swap: adds what visitors still use of older builds to a build that `build` returned, and tries whether `dist` can be renamed, which a
 * mount point cannot. Throws with `dist` unchanged.
 */
export function prepareSwap(fresh: string, dist: string): void {
  keepChunks(dist, fresh);
  keepProductPictures(dist, fresh);
  if (!existsSync(dist)) return;
  renameSync(dist, `${fresh}-old`);
  renameSync(`${fresh}-old`, dist);
}

/** Replaces `dist` by a build that was prepared. Throws with the old one in its place. */
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
    // The new site is there.
    console.error(`${old} cannot be removed: ${describeFailure(error)}`);
  }
}

/** Builds whose chunks a site has, with its own. */
const buildCount = 3;
/** The files in `_astro` of each of them, the latest first. */
const chunksFile = ".hosting/chunks.json";

const readJson = <Value>(file: string, otherwise: Value): Value =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : otherwise;

/** Visitors keep pages of older builds open: the code of two of them stays. */
function keepChunks(dist: string, fresh: string): void {
  const record = join(fresh, chunksFile);
  const list = (folder: string) => (existsSync(join(folder, "_astro")) ? readdirSync(join(folder, "_astro")) : []);
  const own = list(fresh);
  const older = readJson<string[][]>(join(dist, chunksFile), []);
  // A build that changed texts alone has the same.
  const isAnother = (files: string[]) => files.length > 0 && files.some((file) => !own.includes(file));
  const previous = older.filter(isAnother).slice(0, buildCount - 1);
  for (const file of new Set(previous.flat())) {
    const from = join(dist, "_astro", file);
    if (!own.includes(file) && existsSync(from)) cpSync(from, join(fresh, "_astro", file), { preserveTimestamps: true });
  }
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify([own, ...previous]));
}

/** Past orders show the first picture of items and passes, also of those that the shop has no more. */
function keepProductPictures(dist: string, fresh: string): void {
  const record = join(fresh, productPicturesFile);
  const older = readJson<ProductPictures>(join(dist, productPicturesFile), {});
  const own = readJson<ProductPictures>(record, {});
  for (const [uid, urls] of Object.entries(older)) {
    if (own[uid]) continue;
    // The folder of a photograph has its widths.
    for (const path of urls.map((url) => (url.endsWith(".svg") ? url : dirname(url))))
      if (existsSync(join(dist, path)))
        cpSync(join(dist, path), join(fresh, path), { recursive: true, preserveTimestamps: true });
  }
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ ...older, ...own }));
}
