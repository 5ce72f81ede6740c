import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { type BrotliOptions, brotliCompress, constants } from "node:zlib";

import { forEach, isPublic, listAllFiles, placeFile, toSum } from "./files.ts";

const compress = promisify(brotliCompress);
/** The file of a built site with the hashes of its files, which spares reading them again. */
export const sumsFile = ".hosting/sums.json";
const texts = new Set([".html", ".js", ".mjs", ".css", ".svg", ".json", ".xml", ".txt", ".webmanifest", ".ics"]);
/** Above this, the best quality costs minutes of building, and pages are compressed as they are rendered. */
export const manyPages = 500;
export const manyPagesQuality = 5;
const bestQuality = 11;
/** Marks a built site as compressed. */
export const compressedFile = ".hosting/compressed";

/** Writes a brotli file beside every text file of a site that shrinks and has none, reusing those in a cache, which keeps what this site uses. */
export async function compressSite(dist: string, cache: string): Promise<void> {
  const all = await listAllFiles(dist);
  const done = new Set(all.filter((file) => file.endsWith(".br")));
  const files = all.filter((file) => isPublic(file) && texts.has(extname(file)) && !done.has(`${file}.br`));
  const hasManyPages = done.size + files.filter((file) => file.endsWith(".html")).length > manyPages;
  const used = new Set<string>();
  await mkdir(cache, { recursive: true });
  const sums: Record<string, string> = JSON.parse(await readFile(join(dist, sumsFile), "utf8").catch(() => "{}"));
  await forEach(files, async (file) => {
    const sum = sums[file] ?? toSum(await readFile(join(dist, file)));
    const quality = hasManyPages ? toQuality(file) : bestQuality;
    const name = `${sum}-${quality}`;
    used.add(name);
    const [cached, compressed] = [join(cache, name), join(dist, `${file}.br`)];
    if (placeFile(cached, compressed)) return;
    const body = await readFile(join(dist, file));
    const fresh = await compress(body, toBrotliOptions(quality, body));
    // Tiny files do not shrink.
    if (fresh.byteLength >= body.byteLength) return;
    await writeFile(cached, fresh);
    placeFile(cached, compressed);
  });
  const unused = (await readdir(cache)).filter((name) => !used.has(name));
  await forEach(unused, (name) => rm(join(cache, name), { force: true }));
  await mkdir(dirname(join(dist, compressedFile)), { recursive: true });
  await writeFile(join(dist, compressedFile), "");
}

/** Feeds and the search index grow with the pages; at 9 they are a tenth larger than at best, and 40 times as fast. */
function toQuality(file: string): number {
  if (file.startsWith("_astro/")) return bestQuality;
  return /\.html$|^pictures\//.test(file) ? manyPagesQuality : 9;
}

export const toBrotliOptions = (quality: number, body: Uint8Array): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    // A larger window than the text costs time and memory for nothing.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.byteLength + 16)))),
    [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
  },
});
