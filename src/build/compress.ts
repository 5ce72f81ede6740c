import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

import { forEach, listFiles, placeFile, toSum } from "./files.ts";

const compress = promisify(brotliCompress);
/** The file of a built site with the hashes of its files, which spares reading them again. */
export const sumsFile = ".hosting/sums.json";
const texts = new Set([".html", ".js", ".mjs", ".css", ".svg", ".json", ".xml", ".txt", ".webmanifest", ".ics"]);
/** Above this, the best quality costs minutes of building. */
const manyPages = 500;
/** Writes a brotli file beside every text file of a site that shrinks, reusing those in a cache, which keeps what this site uses. */
export async function compressSite(dist: string, cache: string): Promise<void> {
  const files = (await listFiles(dist)).filter((file) => texts.has(extname(file)));
  const hasManyPages = files.filter((file) => file.endsWith(".html")).length > manyPages;
  const used = new Set<string>();
  await mkdir(cache, { recursive: true });
  const sums: Record<string, string> = JSON.parse(await readFile(join(dist, sumsFile), "utf8").catch(() => "{}"));
  await forEach(files, async (file) => {
    const sum = sums[file] ?? toSum(await readFile(join(dist, file)));
    const quality = hasManyPages && /\.html$|^pictures\//.test(file) ? 5 : 11;
    const name = `${sum}-${quality}`;
    used.add(name);
    const [cached, compressed] = [join(cache, name), join(dist, `${file}.br`)];
    if (await placeFile(cached, compressed)) return;
    const body = await readFile(join(dist, file));
    const fresh = await compressBrotli(body, quality);
    // Tiny files do not shrink.
    if (fresh.byteLength >= body.byteLength) return;
    await writeFile(cached, fresh);
    await placeFile(cached, compressed);
  });
  const unused = (await readdir(cache)).filter((name) => !used.has(name));
  await forEach(unused, (name) => rm(join(cache, name), { force: true }));
}

function compressBrotli(body: Buffer, quality: number): Promise<Buffer> {
  return compress(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });
}
