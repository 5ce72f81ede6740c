/** What the sitemap has of a page. */
export interface PageFacts {
  /** The day of the last change. */
  changed?: string | undefined;
  /** The day on which an article came out. */
  published?: string | undefined;
  /** The addresses of the entries of a list. */
  entries: string[];
  /** The addresses of the pictures that search engines list. */
  images: string[];
}

/** What content and pages leave for the integrations that write pictures, cards, audio, policies and the sitemap. */
interface BuildRecord {
  /** The largest file of each picture. */
  pictures: Set<string>;
  cards: Set<string>;
  audio: Set<string>;
  /** The inline scripts of pages. */
  scripts: Set<string>;
  /** By path. */
  pages: Map<string, PageFacts>;
  /** Paths, with `/`, of the files that the site serves as they are. */
  publicFiles: Set<string>;
}

declare global {
  var siteRecord: BuildRecord | undefined;
}

globalThis.siteRecord ??= {
  pictures: new Set(),
  cards: new Set(),
  audio: new Set(),
  scripts: new Set(),
  pages: new Map(),
  publicFiles: new Set(),
};

/** Astro bundles content and pages apart from its integrations: they have the process in common, and no module. */
export const buildRecord = globalThis.siteRecord;

/** What nodes of several types of structured data have. */
interface Node {
  dateModified?: string;
  datePublished?: string;
  image?: string | string[];
  itemListElement?: { url?: string }[];
}

/** Returns what the sitemap has of a page with these nodes. */
export function toSitemapFacts(nodes: readonly unknown[]): PageFacts {
  const [first, ...others]: Node[] = nodes.map((node) => ({ ...Object(node) }));
  if (!first) return { entries: [], images: [] };
  const all = [first, ...others];
  const published = all.find(({ datePublished }) => datePublished)?.datePublished;
  return {
    changed: all.flatMap(({ dateModified, datePublished }) => dateModified ?? datePublished ?? [])[0],
    published,
    entries: first.itemListElement?.flatMap(({ url }) => url ?? []) ?? [],
    images: [...new Set(all.flatMap(({ image = [] }) => image))],
  };
}
