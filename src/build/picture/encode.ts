// Reads pictures in any width and format from a cache by content hash: encodes or draws what is missing, removes what is unused.

import { existsSync, statSync } from "node:fs";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import memoize from "memoize";
import sharp from "sharp";
import { maxPixels } from "#src/content/picture/inspect.ts";
import { type PictureFacts, type PictureRecord, readRecord, replaceFile, toHash } from "#src/content/picture/record.ts";
import type { PictureFile, RasterType } from "#src/lib/media-address.ts";
import { largestWidth, toWidths } from "#src/lib/picture.ts";
import { drawPoster } from "./poster/poster.ts";

const options = { webp: { quality: 74, effort: 4, smartSubsample: true }, avif: { quality: 48, effort: 2 } } as const;

export class PictureEncoder {
  readonly #cache: string;
  /** Writes all widths of a picture into the cache. A second call for the same picture waits for the first. */
  readonly #encode = memoize((record: PictureRecord, type: RasterType) => this.#write(record, type), {
    cacheKey: ([{ facts }, type]) => `${facts.hash}.${type}`,
  });
  #decoded: Promise<unknown> = Promise.resolve();

  constructor(cache: string) {
    this.#cache = cache;
  }

  /** Returns the content of a file; null if the shop has no such picture. Throws if the source has changed since the shop was read. */
  async read({ hash, raster }: PictureFile): Promise<Buffer | null> {
    const record = await readRecord(this.#cache, hash);
    if (!record) return null;
    if (!raster) return this.#readSvg(record);
    const { width, type } = raster;
    const { facts } = record;
    if (facts.kind === "svg" || !toWidths(facts.width).includes(width)) return null;
    await this.#encode(record, type);
    return readFile(join(this.#cache, hash, `${width}.${type}`));
  }

  /** Returns a picture in its largest width, as SVG or WebP; null if the shop has none with this hash. */
  async readWhole(hash: string): Promise<Buffer | null> {
    const record = await readRecord(this.#cache, hash);
    if (!record) return null;
    const { kind, width } = record.facts;
    const raster = { width: toWidths(width).at(-1) ?? width, type: "webp" } as const;
    return this.read({ url: record.facts.url, hash, raster: kind === "svg" ? null : raster });
  }

  /** Returns whether a picture, in all widths together, is smaller as AVIF than as WebP. */
  async isSmallerAsAvif(hash: string): Promise<boolean> {
    const record = await readRecord(this.#cache, hash);
    if (!record || record.facts.kind === "svg") return false;
    const sum = async (type: RasterType) => {
      await this.#encode(record, type);
      const files = toWidths(record.facts.width).map((width) => stat(join(this.#cache, hash, `${width}.${type}`)));
      return (await Promise.all(files)).reduce((total, { size }) => total + size, 0);
    };
    return (await sum("avif")) < (await sum("webp"));
  }

  /** Returns whether the cache has a file, or it needs no encoding. */
  isPrepared({ hash, raster }: PictureFile): boolean {
    return !raster || existsSync(join(this.#cache, hash, `${raster.width}.${raster.type}`));
  }

  async #readSvg({ facts, source }: PictureRecord): Promise<Buffer> {
    if ("path" in source) return readSource(source.path, facts.hash);
    const name = `${facts.hash}.svg`;
    const drawn = await readFile(join(this.#cache, name)).catch(() => null);
    if (drawn) {
      await markUsed(join(this.#cache, name));
      return drawn;
    }
    const svg = Buffer.from(await drawPoster(source.poster, facts));
    await replaceFile(this.#cache, name, svg);
    return svg;
  }

  async #write({ facts, source }: PictureRecord, type: RasterType): Promise<void> {
    const folder = join(this.#cache, facts.hash);
    const widths = toWidths(facts.width);
    const found = await Promise.all(widths.map((width) => stat(join(folder, `${width}.${type}`)).catch(() => null)));
    if (found.every(Boolean) || !("path" in source)) return markUsed(folder);
    // Decodes one picture at a time: 50 megapixels take 400 MB.
    const decoding = this.#decoded.then(() => decode(source.path, facts));
    this.#decoded = decoding.catch(() => undefined);
    const { data, info } = await decoding;
    const raw = { width: info.width, height: info.height, channels: info.channels };
    for (const width of widths) {
      const scaled = sharp(data, { raw }).resize(width);
      const file = type === "webp" ? scaled.webp(options.webp) : scaled.avif(options.avif);
      await replaceFile(folder, `${width}.${type}`, await file.toBuffer());
    }
  }
}

/** Decodes a picture in its largest width, and rotates it by its EXIF orientation. sharp drops all metadata: EXIF with the location, XMP and colour profiles. */
async function decode(path: string, { hash, width, height }: PictureFacts) {
  return sharp(await readSource(path, hash), { limitInputPixels: maxPixels, failOn: "error" })
    .autoOrient()
    .resize(Math.min(largestWidth, width), height, { fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** How long unused files stay in the cache, in ms. */
const maxIdle = 30 * 24 * 3600_000;

/** Marks a file or folder of the cache as used: sets its modification time, by which `removeUnused` decides. */
export async function markUsed(path: string): Promise<void> {
  const now = new Date();
  // Another build may have removed it.
  await utimes(path, now, now).catch(() => {});
}

/** Removes encoded pictures and drawn cards that no build has used for 30 days. A build that needs them again recreates them. */
export async function removeUnused(cache: string): Promise<void> {
  for (const folder of [cache, join(cache, "cards")])
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.endsWith(".json") || name === "cards") continue;
      const file = statSync(join(folder, name), { throwIfNoEntry: false });
      if (file && Date.now() - file.mtimeMs > maxIdle) await rm(join(folder, name), { recursive: true, force: true });
    }
}

async function readSource(path: string, hash: string): Promise<Buffer> {
  const bytes = await readFile(path).catch(() => null);
  if (!bytes || toHash(bytes) !== hash) throw new Error(`${path} has changed since the shop was read: build again`);
  return bytes;
}
