import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import sharp, { type Metadata, type Sharp } from "sharp";
import { largestWidth } from "#src/lib/picture.ts";
import { describeMissing } from "../missing-file.ts";
import { type Format, isAnimated, readFormat } from "./format.ts";
import { type PictureFacts, readRecord, toHash, writeRecord } from "./record.ts";
import { readSvg } from "./svg.ts";
import { readTint } from "./tint.ts";

/** What is wrong with a picture, as a sentence that begins after its name. */
export interface PictureFault {
  fault: string;
}

export const maxPixels = 50_000_000;
const maxBytes = 100 * 2 ** 20;
const maxSvgBytes = 512 * 2 ** 10;
/** The highest picture that WebP and browsers draw without trouble. */
const largestHeight = 8000;
/** How often the longer side may have the shorter one in it: pages draw a picture as wide as their column. */
const longest = { height: 20, width: 100 };

/** With what its author may want to change, as a sentence that begins after its name. */
type InspectedPicture = PictureFacts & { advice?: string };
const frozen = { advice: "moves, but pages show its first frame alone: export the frame that matters, such as cover.jpg" };

/**
 * Reads a picture beside a text: its size once turned upright, its address and its dominant colour. Unchanged pictures are not decoded again when `cache` is
 * given, a folder of the shop. `inspected` has those that the same reading has found elsewhere, by hash.
 */
export async function inspectPicture(
  path: string,
  cache?: string,
  inspected = new Map<string, PictureFacts>(),
): Promise<InspectedPicture | PictureFault> {
  const file = await stat(path).catch(() => null);
  if (!file) return { fault: await describeMissing(path, "picture", /\.(jpe?g|png|webp|avif|svg)$/i) };
  if (!file.isFile()) return { fault: "is a folder: name the picture in it, such as cover.jpg" };
  if (file.size > maxBytes) return { fault: `has ${toMegabytes(file.size)} MB: a picture has 100 MB at most` };
  const bytes = await readFile(path);
  const format = readFormat(path, bytes);
  if (typeof format === "object") return format;
  const facts = await readFacts(path, bytes, format, cache, inspected);
  if ("fault" in facts) return facts;
  const fault = findShapeFault(facts);
  if (fault) return { fault };
  return isAnimated(format, bytes) ? { ...facts, ...frozen } : facts;
}

function findShapeFault({ width, height }: { width: number; height: number }): string | null {
  if (height > longest.height * width) return `is more than ${longest.height} times as high as wide: crop it, or divide it`;
  return width > longest.width * height ? `is more than ${longest.width} times as wide as high: crop it` : null;
}

async function readFacts(
  path: string,
  bytes: Buffer,
  format: Format,
  cache: string | undefined,
  inspected: Map<string, PictureFacts>,
): Promise<PictureFacts | PictureFault> {
  const hash = toHash(bytes);
  const same = inspected.get(hash);
  if (same) return same;
  const source = { path: resolve(path) };
  const cached = cache ? await readRecord(cache, hash) : null;
  if (cache && cached) {
    inspected.set(hash, cached.facts);
    // The file has moved, or another one was the same picture.
    if (!("path" in cached.source) || cached.source.path !== source.path) await writeRecord(cache, { ...cached, source });
    return cached.facts;
  }
  const facts = await decode(bytes, format, hash).catch((error: Error) => ({ fault: error.message }));
  if ("fault" in facts) return facts;
  inspected.set(hash, facts);
  if (cache) await writeRecord(cache, { facts, source });
  return facts;
}

async function decode(bytes: Buffer, format: Format, hash: string): Promise<PictureFacts> {
  if (format === "svg") return inspectSvg(bytes, hash);
  const { width, height } = (await readHeader(bytes)).autoOrient;
  const largest = Math.min(largestWidth, width);
  const scaled = Math.max(1, Math.round((height * largest) / width));
  if (scaled > largestHeight)
    throw new Error(
      `is ${width} × ${height} pixels, which is too high: crop it to ${Math.floor((width * largestHeight) / largest)} pixels of height`,
    );
  const tint = await readTint(openPicture(bytes).autoOrient()).catch(throwUnreadable);
  return { hash, kind: "raster", url: `/pictures/${hash}.${tint}/${largest}.webp`, width: largest, height: scaled, tint };
}

async function inspectSvg(bytes: Buffer, hash: string): Promise<PictureFacts> {
  if (bytes.length > maxSvgBytes)
    throw new Error(`has ${Math.round(bytes.length / 1024)} KB: an SVG has 512 KB at most, export it as PNG or WebP`);
  const { width, height, embedded } = readSvg(readUtf8(bytes));
  for (const picture of embedded) {
    const metadata = await readHeader(picture);
    // It is published as it is.
    if (metadata.exif || metadata.xmp)
      throw new Error("holds a photograph with its metadata, such as where it was taken: save the photograph without them");
  }
  const fault = findShapeFault({ width, height });
  // It could not be drawn for its colour either: its shorter side would have no pixel.
  if (fault) throw new Error(fault);
  const tint = await readTint(sharp(bytes, { limitInputPixels: maxPixels, density: toDensity(width, height) })).catch(
    throwUnreadable,
  );
  return { hash, kind: "svg", url: `/pictures/${hash}.${tint}.svg`, width, height, tint };
}

/** Opens a picture that nobody has checked. */
function openPicture(bytes: Buffer): Sharp {
  // Warnings are common in photographs of phones; what is cut off is an error.
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: "error" }).timeout({ seconds: 60 });
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  // Without a limit, so that the sentence can name the size: no pixel is decoded.
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata().catch(throwUnreadable);
  const { width, height } = metadata;
  if (width * height > maxPixels)
    throw new Error(
      `has ${Math.round((width * height) / 1_000_000)} megapixels (${width} × ${height}): a picture has 50 at most, make it smaller, such as 4000 pixels wide`,
    );
  return metadata;
}

/** Draws large SVGs small: the colour needs no more. */
function toDensity(width: number, height: number): number {
  return Math.min(72, Math.max(1, (72 * 256) / Math.max(width, height)));
}

function readUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("is not in UTF-8: save the SVG as UTF-8");
  }
}

function throwUnreadable(error: Error): never {
  throw new Error(`is damaged or cut off and cannot be read (${error.message.split("\n")[0]}): export it again`);
}

const toMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
