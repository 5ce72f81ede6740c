import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { getAudioCache, readAudio } from "../../content/audio/inspect.ts";
import type { Catalogue } from "../../content/catalogue.ts";
import { getPictureCache } from "../../content/picture/record.ts";
import { readShop } from "../../content/read.ts";
import { kindNames } from "../../content/schema/kinds.ts";
import type { Shop } from "../../content/shop.ts";
import { toCatalogue } from "../../content/to-catalogue.ts";
import { toWidths } from "../../lib/picture.ts";
import { listAudio, writeAudio } from "../audio.ts";
import { type BuiltPages, findCards, findPictures, type PictureFile } from "../built-page.ts";
import {
  forEach,
  formatCards,
  formatMissing,
  formatPrepared,
  listFiles,
  missingCardsFile,
  type ProductPictures,
  productPicturesFile,
  toSum,
  withoutNewCardsVariable,
} from "../files.ts";
import { applyEdits, findTags } from "../html.ts";
import { drawCards, placeCards, readCardFile } from "./card.ts";
import { PictureEncoder, removeUnused } from "./encode.ts";
import { takeMissing } from "./poster/fonts.ts";

const types = { webp: "image/webp", avif: "image/avif", svg: "image/svg+xml" };
/** Texts besides pages that name pictures. */
const texts = new Set([".xml", ".json", ".js"]);

/** Writes the pictures that pages and the catalogue name, and the audio that published texts name; in development serves them on request. */
export function media(pages: BuiltPages): AstroIntegration {
  let content = process.env.CONTENT_DIR;
  return {
    name: "media",
    hooks: {
      "astro:config:done": ({ config }) => {
        content ||= fileURLToPath(new URL("content", config.srcDir));
      },
      "astro:server:setup": ({ server, logger }) => {
        const encoder = new PictureEncoder(getPictureCache());
        server.middlewares.use(async (request, response, next) => {
          const [file] = request.url?.startsWith("/pictures/") ? findPictures(request.url) : [];
          const content = file
            ? await encoder.read(file).catch((error: Error) => {
                logger.error(error.message);
                return null;
              })
            : null;
          if (!file || !content) return next();
          response.setHeader("Content-Type", types[file.raster?.type ?? "svg"]);
          response.end(content);
        });
        server.middlewares.use(async (request, response, next) => {
          const [card] = request.url?.startsWith("/cards/") ? findCards(request.url) : [];
          const file = card && (await readCardFile(...card, getPictureCache(), (hash) => encoder.readWhole(hash)));
          if (!file) return next();
          response.setHeader("Content-Type", card[0].endsWith(".jpg") ? "image/jpeg" : "image/png");
          response.end(file);
        });
        server.middlewares.use(async (request, response, next) => {
          const file = request.url?.startsWith("/audio/") ? await readAudio(request.url, getAudioCache()) : null;
          if (!file) return next();
          response.setHeader("Content-Type", "audio/mpeg");
          response.end(file);
        });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const began = performance.now();
        const dist = fileURLToPath(dir);
        const shop = await readWithoutNews(content ?? "");
        const encoder = new PictureEncoder(getPictureCache());
        const catalogue = shop && toCatalogue(shop, new Date());
        const count = await writePictures(dist, pages, catalogue ? listPictures(catalogue) : [], encoder, (text) =>
          logger.info(text),
        );
        if (catalogue) await writeProductPictures(dist, catalogue);
        const cardsBegan = performance.now();
        const { count: cards, drawn } = await writeCards(dist, pages, encoder);
        const ms = performance.now() - cardsBegan;
        const audio = Array.from(pages.values(), ({ audio }) => audio).flat();
        await writeAudio(dist, [...audio, ...(shop ? listAudio(shop) : [])], getAudioCache());
        await removeUnused(getPictureCache());
        logger.info(`${count} files of pictures in ${((performance.now() - began) / 1000).toFixed(1)} s`);
        logger.info(formatCards(cards, drawn, ms));
        for (const [character, text] of takeMissing()) logger.warn(formatMissing(character, text));
      },
    },
  };
}

/** Reads what the catalogue and members' pages show. News, of which a shop may have thousands, has a page each. */
async function readWithoutNews(folder: string): Promise<Shop | null> {
  const caches = { pictureCache: getPictureCache(), audioCache: getAudioCache() };
  return (await readShop(folder, { ...caches, only: kindNames.filter((kind) => kind !== "news") })).shop;
}

/** Returns the addresses that the API gives, of pages that the build may not know. */
function listPictures(catalogue: Catalogue): string[] {
  return findPictures(JSON.stringify(catalogue)).map(({ url }) => url);
}

/** Records the pictures that orders show, for the builds after this one. */
async function writeProductPictures(dist: string, { goods, packages }: Catalogue): Promise<void> {
  const toEntries = (kind: string, products: Catalogue["goods" | "packages"]) =>
    products.map(({ uid, images }) => [
      `${kind}/${uid}`,
      [...new Set(Object.values(images).flatMap(([first]) => first?.url ?? []))],
    ]);
  const pictures: ProductPictures = Object.fromEntries([...toEntries("goods", goods), ...toEntries("package", packages)]);
  const file = join(dist, productPicturesFile);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(pictures));
}

/** How often to say how many pictures are prepared, in ms. */
const reportInterval = 3000;

/** Returns a function that counts pictures, of which some need encoding, and reports how far that is. */
async function countPrepared(files: Iterable<PictureFile>, encoder: PictureEncoder, report: (text: string) => void) {
  const waiting = new Set<string>();
  const kinds = new Map(Array.from(files, (file) => [`${file.hash}.${file.raster?.type}`, file]));
  for (const { hash, raster } of kinds.values())
    if (raster && !(await encoder.isPrepared(hash, raster.type))) waiting.add(hash);
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

/** Writes the pictures of a site into it and returns how many files. Reports what it prepares. Throws when a page names one that the shop does not have. */
export async function writePictures(
  dist: string,
  pages: BuiltPages,
  urls: readonly string[],
  encoder: PictureEncoder,
  report: (text: string) => void,
): Promise<number> {
  const named = new Map<string, string>();
  for (const url of urls) named.set(url, "the catalogue");
  for (const file of await listFiles(dist)) {
    if (!texts.has(extname(file))) continue;
    for (const { url } of findPictures(await readFile(join(dist, file), "utf8"))) named.set(url, file);
  }
  for (const [file, { pictures }] of pages) for (const url of pictures) named.set(url, file);
  const files = new Map<string, PictureFile & { page: string }>();
  for (const [url, page] of named)
    for (const file of findPictures(url).flatMap(allWidths)) files.set(file.url, { ...file, page });
  const larger = new Set<string>();
  const avif = [...files.values()].filter(({ raster }) => raster?.type === "avif").map(({ hash }) => hash);
  const count = await countPrepared(files.values(), encoder, report);
  await runTwoAtOnce([...new Set(avif)], async (hash) => {
    if (!(await encoder.isSmallerAsAvif(hash))) larger.add(hash);
    count(hash);
  });
  if (larger.size > 0) await removeSources(dist, pages, larger);
  const rest = [...files.values()].filter(({ hash, raster }) => raster?.type !== "avif" || !larger.has(hash));
  // One file of each picture first: all of its widths are encoded together.
  const firsts = new Map(rest.map((file) => [`${file.hash}.${file.raster?.type}`, file]));
  await runTwoAtOnce([...new Set([...firsts.values(), ...rest])], async (file) => {
    const content = await encoder.read(file);
    if (!content) throw new Error(`${file.page} shows ${file.url}, which is no picture of the shop`);
    await mkdir(dirname(join(dist, file.url)), { recursive: true });
    await writeFile(join(dist, file.url), content);
    count(file.hash);
  });
  return rest.length;
}

/**
 * Writes the share cards that pages name, and draws those that the cache lacks; returns how many there are and how many it drew. A first site, which is to stand
 * soon, lists those instead, to be drawn afterwards: their addresses are right, as they are hashes of what is drawn.
 */
async function writeCards(dist: string, pages: BuiltPages, encoder: PictureEncoder): Promise<{ count: number; drawn: number }> {
  const cards = findCards(Array.from(pages.values(), ({ cards }) => cards.join(" ")).join(" "));
  const missing = await placeCards(dist, cards, getPictureCache());
  const { size: count } = cards;
  if (missing.size === 0 || !process.env[withoutNewCardsVariable]) {
    await drawCards(dist, missing, encoder, getPictureCache());
    return { count, drawn: missing.size };
  }
  await mkdir(dirname(join(dist, missingCardsFile)), { recursive: true });
  await writeFile(join(dist, missingCardsFile), [...missing.keys()].join("\n"));
  return { count, drawn: 0 };
}

/** Adds the narrower files: a script computes their addresses from the largest one. */
function allWidths(file: PictureFile): PictureFile[] {
  const { url, hash, raster } = file;
  if (raster?.type !== "webp") return [file];
  return toWidths(raster.width).map((width) => ({
    url: `${dirname(url)}/${width}.webp`,
    hash,
    raster: { width, type: "webp" },
  }));
}

/** Removes the AVIF sources of pictures that are larger as AVIF from all pages, and their addresses from the props of islands. */
async function removeSources(dist: string, pages: BuiltPages, larger: ReadonlySet<string>): Promise<void> {
  const srcset = new RegExp(`(?:/pictures/(?:${[...larger].join("|")})\\.\\w+/\\d+\\.avif \\d+w(?:, )?)+`, "g");
  const isLarger = (text: string) => findPictures(text).some(({ hash }) => larger.has(hash));
  const isRemoved = (url: string) => url.endsWith(".avif") && isLarger(url);
  await forEach([...pages], async ([file, page]) => {
    if (!page.pictures.some(isRemoved)) return;
    const html = await readFile(join(dist, file), "utf8");
    const edits = findTags(html)
      .filter(({ name, attributes }) => name === "source" && attributes.get("type") === types.avif)
      .filter(({ attributes }) => isLarger(attributes.get("srcset") ?? ""))
      .map(({ start, end }) => ({ start, end, text: "" }));
    const edited = Buffer.from(applyEdits(html, edits).replace(srcset, ""));
    pages.set(file, { ...page, sum: toSum(edited), pictures: page.pictures.filter((url) => !isRemoved(url)) });
    // Not into the file, which may be a link to the one of the site before.
    await rm(join(dist, file));
    await writeFile(join(dist, file), edited);
  });
}

/** Decoded pictures are large. */
async function runTwoAtOnce<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all([worker(), worker()]);
}
