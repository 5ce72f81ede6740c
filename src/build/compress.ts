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

/** Writes a brotli file beside every text file that shrinks, reusing those in `cache`. Returns a hash of the whole content. */
export async function compressFiles(dist: string, files: string[], cache: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  const many = files.filter((file) => file.endsWith(".html")).length > manyPages;
  const sums = new Map<string, string>();
  const used = new Set<string>();
  const queue = [...files];
  const worker = async () => {
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      const body = await readFile(join(dist, file));
      const sum = createHash("sha256").update(body).digest("hex");
      sums.set(file, sum);
      if (!texts.has(extname(file))) continue;
      const quality = many && /\.html$|^pictures\//.test(file) ? 5 : 11;
      const name = `${sum}-${quality}`;
      used.add(name);
      const compressed = await readFile(join(cache, name)).catch(async () => {
        const fresh = await compressBrotli(body, quality);
        await writeFile(join(cache, name), fresh);
        return fresh;
      });
      if (compressed.byteLength < body.byteLength) await writeFile(join(dist, `${file}.br`), compressed);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  for (const name of await readdir(cache)) if (!used.has(name)) await rm(join(cache, name), { force: true });
  const all = createHash("sha256");
  for (const file of files) all.update(`${file}\0${sums.get(file)}\0`);
  return all.digest("hex");
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
