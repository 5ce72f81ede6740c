// Astro integration that writes the media files of a site: pictures in all widths, share cards, audio. The dev server serves them on request.

import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { getMimeType } from "hono/utils/mime";
import { getAudioCache, readAudio } from "#src/content/audio/inspect.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { getPictureCache } from "#src/content/picture/record.ts";
import { readShop } from "#src/content/read.ts";
import { kindNames } from "#src/content/schema/kinds.ts";
import type { Shop } from "#src/content/shop.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { buildRecord } from "#src/lib/build-record.ts";
import { findCards, findPictures, listWidths, type PictureFile } from "#src/lib/media-address.ts";
import {
  forEach,
  formatCards,
  formatMissing,
  formatPrepared,
  type ProductPictures,
  productPicturesFile,
  writeInto,
} from "./files.ts";
import { PictureEncoder, removeUnused } from "./picture/encode.ts";
import { takeMissing } from "./picture/fonts.ts";
import { readCardFile, writeCards } from "./picture/share-card.ts";

/** Writes only the media that pages and published texts refer to. Adds the hashes of pictures that are larger as AVIF to `largerAsAvif`. */
export function media(largerAsAvif: Set<string>): AstroIntegration {
  let content = process.env.CONTENT_DIR;
  return {
    name: "media",
    hooks: {
      "astro:config:done": ({ config }) => {
        content ||= fileURLToPath(new URL("content", config.srcDir));
      },
      "astro:server:setup": ({ server, logger }) => {
        const encoder = new PictureEncoder(getPictureCache());
        server.middlewares.use(async ({ url = "" }, response, next) => {
          const [path = ""] = url.split("?");
          const file = await readMedia(path, encoder).catch((error: Error) => {
            logger.error(error.message);
            return null;
          });
          if (!file) return next();
          response.setHeader("Content-Type", getMimeType(path) ?? "");
          response.end(file);
        });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const began = performance.now();
        const dist = fileURLToPath(dir);
        const shop = await readWithoutNews(content ?? "");
        const encoder = new PictureEncoder(getPictureCache());
        const catalogue = shop && toCatalogue(shop, new Date());
        const { pictures, cards, audio } = buildRecord;
        const count = await writePictures(dist, pictures, encoder, (text) => logger.info(text), largerAsAvif);
        if (catalogue) await writeProductPictures(dist, catalogue);
        const cardsBegan = performance.now();
        const drawn = await writeCards(dist, findCards([...cards].join(" ")), encoder);
        const ms = performance.now() - cardsBegan;
        await writeAudio(dist, audio, getAudioCache());
        await removeUnused(getPictureCache());
        logger.info(`${count} files of pictures in ${((performance.now() - began) / 1000).toFixed(1)} s`);
        logger.info(formatCards(cards.size, drawn, ms));
        for (const [character, text] of takeMissing()) logger.warn(formatMissing(character, text));
      },
    },
  };
}

/** Returns the picture, share card or audio file with this path; null if the shop has none. */
async function readMedia(path: string, encoder: PictureEncoder): Promise<Buffer | null> {
  if (path.startsWith("/audio/")) return readAudio(path, getAudioCache());
  const [picture] = path.startsWith("/pictures/") ? findPictures(path) : [];
  if (picture) return encoder.read(picture);
  const [card] = path.startsWith("/cards/") ? findCards(path) : [];
  return card ? readCardFile(...card, getPictureCache(), (hash) => encoder.readWhole(hash)) : null;
}

/** Reads a shop without its news: a shop may have thousands, and none are in the catalogue. */
async function readWithoutNews(folder: string): Promise<Shop | null> {
  const caches = { pictureCache: getPictureCache(), audioCache: getAudioCache() };
  return (await readShop(folder, { ...caches, only: kindNames.filter((kind) => kind !== "news") })).shop;
}

/** Writes the list of pictures that orders show, the first of each item and pass: later builds keep those that the shop has removed. */
async function writeProductPictures(dist: string, { goods, packages }: Catalogue): Promise<void> {
  const toEntries = (kind: string, products: Catalogue["goods" | "packages"]) =>
    products.map(({ uid, images }) => [
      `${kind}/${uid}`,
      [...new Set(Object.values(images).flatMap(([first]) => first?.url ?? []))],
    ]);
  const pictures: ProductPictures = Object.fromEntries([...toEntries("goods", goods), ...toEntries("package", packages)]);
  await writeInto(dist, productPicturesFile, JSON.stringify(pictures));
}

/** Number of pictures in work at a time. It is low because decoded pictures are large. */
const atOnce = 2;
/** Time between two reports of the progress, in ms. */
const reportInterval = 3000;

/** Reports how many pictures are encoded, of those that the cache lacks. Returns a function that counts one. */
function reportProgress(
  pictures: Iterable<[hash: string, PictureFile[]]>,
  encoder: PictureEncoder,
  report: (text: string) => void,
) {
  const waiting = new Set<string>();
  for (const [hash, files] of pictures) if (!files.every((file) => encoder.isPrepared(file))) waiting.add(hash);
  const total = waiting.size;
  let reported = Number.NEGATIVE_INFINITY;
  const print = () => {
    if (performance.now() - reported < reportInterval) return;
    reported = performance.now();
    report(formatPrepared(total - waiting.size, total));
  };
  if (total > 0) print();
  return (hash: string) => {
    if (waiting.delete(hash)) print();
  };
}

/** Writes all widths of the pictures with these URLs, reports the progress, and returns the number of files. Adds the hashes of pictures that are larger as AVIF to `largerAsAvif`. Throws when the shop lacks a picture. */
export async function writePictures(
  dist: string,
  urls: Iterable<string>,
  encoder: PictureEncoder,
  report: (text: string) => void,
  largerAsAvif = new Set<string>(),
): Promise<number> {
  const pictures = new Map<string, PictureFile[]>();
  for (const file of [...urls].flatMap((url) => findPictures(url).flatMap(listWidths)))
    pictures.set(file.hash, [...(pictures.get(file.hash) ?? []), file]);
  const count = reportProgress(pictures, encoder, report);
  let fileCount = 0;
  const write = async ([hash, files]: [string, PictureFile[]]) => {
    const isAvif = ({ raster }: PictureFile) => raster?.type === "avif";
    if (files.some(isAvif) && !(await encoder.isSmallerAsAvif(hash))) largerAsAvif.add(hash);
    for (const file of files) {
      if (isAvif(file) && largerAsAvif.has(hash)) continue;
      const content = await encoder.read(file);
      if (!content) throw new Error(`${file.url} is no picture of the shop`);
      await writeInto(dist, file.url, content);
      fileCount += 1;
    }
    count(hash);
  };
  await forEach([...pictures], write, atOnce);
  return fileCount;
}

export async function writeAudio(dist: string, urls: Iterable<string>, cache: string): Promise<void> {
  for (const url of new Set(urls)) {
    const file = await readAudio(url, cache);
    if (!file) throw new Error(`${url} is no audio of the shop any more: build again`);
    await writeInto(dist, url, file);
  }
}
