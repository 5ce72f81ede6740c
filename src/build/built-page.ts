import { toWidths } from "../lib/picture.ts";

/** What the steps after rendering need to know of a page, so that none of them reads it again. */
export interface BuiltPage {
  policy: string;
  /** SHA-256 of the file. */
  sum: string;
  /** Addresses of pictures; those of narrower WebP files follow from the widest. */
  pictures: string[];
  cards: string[];
  audio: string[];
  /** The day of the last change. */
  changed?: string;
  /** The day on which an article came out. */
  published?: string;
  /** The addresses of the entries of a list. */
  entries?: string[];
  /** The pictures that search engines list. */
  images: string[];
}

/** The pages of a build by file, such as `news/tape.html`. */
export type BuiltPages = Map<string, BuiltPage>;

export type RasterType = "webp" | "avif";

/** One file that pages and the catalogue may name. */
export interface PictureFile {
  /** From the root of the site. */
  url: string;
  hash: string;
  /** Null for an SVG. */
  raster: { width: number; type: RasterType } | null;
}

/** Copies a part of a text: a slice would keep the whole text in memory. */
const copy = (part: string) => Buffer.from(part).toString();

/** Returns the addresses of pictures in a text. */
export function findPictures(text: string): PictureFile[] {
  const address = /\/pictures\/([0-9a-f]{12})\.\w+(?:\.svg|\/(\d+)\.(webp|avif))/g;
  return Array.from(text.matchAll(address), ([url, hash = "", width, type]) => ({
    url: copy(url),
    hash: copy(hash),
    raster: type === "webp" || type === "avif" ? { width: Number(width), type } : null,
  }));
}

/** Returns the addresses of share cards in a text, each with its hash. */
export function findCards(text: string): Map<string, string> {
  const address = /\/cards\/([0-9a-f]{12})\.(png|jpg)/g;
  return new Map(Array.from(text.matchAll(address), ([url, hash = ""]) => [copy(url), copy(hash)]));
}

/** Returns the addresses of audio in a text, each once. */
function findAudio(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/\/audio\/[0-9a-f]{12}\.mp3/g), ([url]) => copy(url)))];
}

export function describePage(html: string, policy: string, sum: string): BuiltPage {
  const nodes = readGraph(html);
  const [changed] = nodes.flatMap(({ dateModified, datePublished }) => dateModified ?? datePublished ?? []);
  const published = nodes.find(({ datePublished }) => datePublished)?.datePublished;
  const entries = nodes[0]?.itemListElement?.flatMap(({ url }) => url ?? []);
  return {
    policy,
    sum,
    pictures: [...listWidest(html)],
    cards: [...findCards(html).keys()],
    audio: findAudio(html),
    ...(changed && { changed }),
    ...(published && { published }),
    ...(entries && { entries }),
    images: [...new Set(nodes.flatMap(({ image = [] }) => image))],
  };
}

function listWidest(html: string): Set<string> {
  const files = findPictures(html);
  const widest = new Map<string, number>();
  for (const { hash, raster } of files)
    if (raster?.type === "webp") widest.set(hash, Math.max(raster.width, widest.get(hash) ?? 0));
  const isNarrower = ({ hash, raster }: PictureFile) => {
    const width = widest.get(hash) ?? 0;
    return raster?.type === "webp" && raster.width < width && toWidths(width).includes(raster.width);
  };
  return new Set(files.filter((file) => !isNarrower(file)).map(({ url }) => url));
}

/** What the sitemap has of a page's nodes. */
interface Facts {
  "@type"?: string;
  dateModified?: string;
  datePublished?: string;
  image?: string | string[];
  itemListElement?: { url?: string }[];
}

/** Returns the nodes of a page's structured data; none without it. */
export function readGraph(html: string): Facts[] {
  const tag = '<script type="application/ld+json">';
  const start = html.indexOf(tag);
  return start < 0 ? [] : JSON.parse(html.slice(start + tag.length, html.indexOf("</script>", start)))["@graph"];
}
