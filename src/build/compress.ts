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

/** Writes a brotli file beside every text file that shrinks, reusing those in a cache. */
export class Compressor {
  readonly #dist: string;
  readonly #cache: string;
  readonly #hasManyPages: boolean;
  readonly #sums = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(dist: string, cache: string, pages: number) {
    this.#dist = dist;
    this.#cache = cache;
    this.#hasManyPages = pages > manyPages;
  }

  /** Compresses a file, whose path is from the root of the site. */
  async add(file: string, body: Buffer): Promise<void> {
    const sum = createHash("sha256").update(body).digest("hex");
    this.#sums.set(file, sum);
    if (!texts.has(extname(file))) return;
    const quality = this.#hasManyPages && /\.html$|^pictures\//.test(file) ? 5 : 11;
    const name = `${sum}-${quality}`;
    this.#used.add(name);
    const cached = join(this.#cache, name);
    const compressed = await readFile(cached).catch(async () => {
      const fresh = await compressBrotli(body, quality);
      await mkdir(this.#cache, { recursive: true });
      await writeFile(cached, fresh);
      return fresh;
    });
    if (compressed.byteLength < body.byteLength) await writeFile(join(this.#dist, `${file}.br`), compressed);
  }

  /** Empties the cache of what this build did not use. Returns a hash of the whole content. */
  async finish(): Promise<string> {
    const unused = (await readdir(this.#cache).catch(() => [])).filter((name) => !this.#used.has(name));
    await forEach(unused, (name) => rm(join(this.#cache, name), { force: true }));
    const all = createHash("sha256");
    for (const [file, sum] of [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1))) all.update(`${file}\0${sum}\0`);
    return all.digest("hex");
  }
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
