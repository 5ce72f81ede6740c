import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { locales } from "#i18n/locale.ts";

/** Changes when the same picture would be written or described in another way: every address changes with it. */
const pipeline = "2";

const facts = v.object({
  /** First 12 hex digits of the SHA-256 of the pipeline and the content. */
  hash: v.string(),
  kind: v.picklist(["raster", "svg"]),
  /** Of the largest WebP, or the SVG. */
  url: v.string(),
  /** In pixels, of the picture at `url`. */
  width: v.number(),
  height: v.number(),
  /** One of the palette, or "none". */
  tint: v.string(),
});

/** What pages and the catalogue say of a picture. */
export type PictureFacts = v.InferOutput<typeof facts>;

const posterSpec = v.object({
  kind: v.picklist(["event", "news", "goods", "package", "campaign"]),
  /** Decides on layout and colours. */
  id: v.string(),
  title: v.string(),
  /** Such as 2027-03-20. */
  date: v.optional(v.string()),
  /** City, venue. */
  location: v.optional(v.string()),
  /** Line-up, category. */
  by: v.optional(v.string()),
  /** Of a pass's level, in its rosette. */
  letter: v.optional(v.string()),
  locale: v.picklist(locales),
});

/** What a poster without a picture is drawn from. */
export type PosterSpec = v.InferOutput<typeof posterSpec>;

const record = v.object({
  facts,
  /** Where the picture comes from: a file, or what a poster is drawn from. */
  source: v.union([v.object({ path: v.string() }), v.object({ poster: posterSpec })]),
});

/** What the cache of a shop keeps of a picture, so that its address leads back to it. */
export type PictureRecord = v.InferOutput<typeof record>;

/** Returns the folder in which builds keep the pictures of a shop. */
export function getPictureCache(): string {
  return join(process.env.SHOP_CACHE_DIR || "node_modules/.cache", "pictures");
}

/** Returns the part of an address that stands for some content. */
export function toHash(content: Buffer | string): string {
  return createHash("sha256").update(pipeline).update(content).digest("hex").slice(0, 12);
}

/** Returns what `cache` holds of a picture. */
export const readRecord = (cache: string, hash: string): Promise<PictureRecord | null> => readEntry(record, cache, hash);

/** Returns an entry of a cache; null without one, and for one of another form. */
export async function readEntry<Schema extends v.GenericSchema>(
  schema: Schema,
  cache: string,
  hash: string,
): Promise<v.InferOutput<Schema> | null> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(join(cache, `${hash}.json`), "utf8")));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Writes what `cache` holds of a picture. Processes may do so at once. */
export async function writeRecord(cache: string, entry: PictureRecord): Promise<void> {
  await replaceFile(cache, `${entry.facts.hash}.json`, JSON.stringify(entry));
}

/** Writes a file of a cache so that readers see all of it or nothing. */
export async function replaceFile(folder: string, name: string, content: string | Buffer): Promise<void> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `${name}.${randomUUID()}.tmp`);
  await writeFile(temporary, content);
  await rename(temporary, join(folder, name));
}
