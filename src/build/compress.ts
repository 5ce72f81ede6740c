import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);
const texts = new Set([".html", ".js", ".mjs", ".css", ".svg", ".json", ".xml", ".txt", ".webmanifest", ".ics"]);
/** Above this, the best quality costs minutes of building. */
const manyPages = 500;
const atOnce = 8;

/** Returns the public files of a build, as paths with `/`. */
export async function listFiles(dist: string): Promise<string[]> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/(^|\/)\./.test(path) && !path.endsWith(".br"))
    .sort();
}

/** Runs `run` for every item, several at once, so that reading and writing does not wait for computing. */
export async function forEach<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Writes a brotli file beside every text file of a site that shrinks, reusing those in a cache, which keeps what this site uses. */
export async function compressSite(dist: string, cache: string): Promise<void> {
  const files = (await listFiles(dist)).filter((file) => texts.has(extname(file)));
  const hasManyPages = files.filter((file) => file.endsWith(".html")).length > manyPages;
  const used = new Set<string>();
  await mkdir(cache, { recursive: true });
  await forEach(files, async (file) => {
    const body = await readFile(join(dist, file));
    const quality = hasManyPages && /\.html$|^pictures\//.test(file) ? 5 : 11;
    const name = `${createHash("sha256").update(body).digest("hex")}-${quality}`;
    used.add(name);
    const cached = join(cache, name);
    const compressed = await readFile(cached).catch(async () => {
      const fresh = await compressBrotli(body, quality);
      await writeFile(cached, fresh);
      return fresh;
    });
    if (compressed.byteLength < body.byteLength) await writeFile(join(dist, `${file}.br`), compressed);
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
