// Writes a Brotli file beside each text file of a built site that it makes smaller, or reuses that of the previous build.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { forEach, listFiles, placeFile, toSum } from "./files.ts";

const compress = promisify(brotliCompress);
const texts = new Set([".html", ".js", ".mjs", ".css", ".svg", ".json", ".xml", ".txt", ".webmanifest", ".ics"]);
/** With more pages than this, all files but those of `_astro/` get a lower quality: the highest would take minutes. */
const manyPages = 500;

/** `cache`: the folder of the previous build's Brotli files. */
export async function compressSite(dist: string, cache: string): Promise<void> {
  const files = (await listFiles(dist)).filter((file) => texts.has(extname(file)));
  const hasManyPages = files.filter((file) => file.endsWith(".html")).length > manyPages;
  const used = new Set<string>();
  await mkdir(cache, { recursive: true });
  await forEach(files, async (file) => {
    const body = await readFile(join(dist, file));
    const quality = hasManyPages && !file.startsWith("_astro/") ? 6 : constants.BROTLI_MAX_QUALITY;
    const name = `${toSum(body)}-${quality}`;
    used.add(name);
    const [cached, compressed] = [join(cache, name), join(dist, `${file}.br`)];
    if (placeFile(cached, compressed)) return;
    const fresh = await compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
    // Tiny files do not shrink.
    if (fresh.byteLength >= body.byteLength) return;
    await writeFile(cached, fresh);
    placeFile(cached, compressed);
  });
  const unused = (await readdir(cache)).filter((name) => !used.has(name));
  await forEach(unused, (name) => rm(join(cache, name), { force: true }));
}
