import { toWidths } from "./picture.ts";

export type RasterType = "webp" | "avif";

/** One file of a picture that pages and the catalogue may name. */
export interface PictureFile {
  /** From the root of the site. */
  url: string;
  hash: string;
  /** Null for an SVG. */
  raster: { width: number; type: RasterType } | null;
}

/** Returns the addresses of pictures in a text. */
export function findPictures(text: string): PictureFile[] {
  const address = /\/pictures\/([0-9a-f]{12})\.\w+(?:\.svg|\/(\d+)\.(webp|avif))/g;
  return Array.from(text.matchAll(address), ([url, hash = "", width, type]) => ({
    url,
    hash,
    raster: type === "webp" || type === "avif" ? { width: Number(width), type } : null,
  }));
}

/** Returns all widths of a picture, of which pages name the largest. */
export function listWidths(file: PictureFile): PictureFile[] {
  const { url, hash, raster } = file;
  if (!raster) return [file];
  const folder = url.slice(0, url.lastIndexOf("/"));
  const { type } = raster;
  return toWidths(raster.width).map((width) => ({ url: `${folder}/${width}.${type}`, hash, raster: { width, type } }));
}

/** Returns the addresses of share cards in a text, each with its hash. */
export function findCards(text: string): Map<string, string> {
  return new Map(Array.from(text.matchAll(/\/cards\/([0-9a-f]{12})\.(?:png|jpg)/g), ([url, hash = ""]) => [url, hash]));
}

/** Returns the addresses of audio in a text. */
export const findAudio = (text: string): string[] => Array.from(text.matchAll(/\/audio\/[0-9a-f]{12}\.mp3/g), ([url]) => url);
