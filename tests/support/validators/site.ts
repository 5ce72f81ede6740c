import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuiltPage, builtFiles, builtPages } from "../content/site.ts";

/** A built site, as the validators read it. */
export interface Site {
  pages: readonly BuiltPage[];
  files: ReadonlySet<string>;
  /** Old paths with their new ones. */
  redirects: Readonly<Record<string, string>>;
  origin: string;
  /** Feeds, calendars, sitemaps, robots.txt and manifests. */
  texts: ReadonlyMap<string, string>;
}

export function readSite(dist: string): Site {
  const files = builtFiles(dist);
  const read = (file: string) => readFileSync(join(dist, file), "utf8");
  const texts = new Map(files.filter((file) => /\.(xml|ics|txt|webmanifest)$/.test(file)).map((file) => [file, read(file)]));
  const origin = new URL(/<loc>([^<]+)/.exec(texts.get("sitemap-index.xml") ?? "")?.[1] ?? "").origin;
  const redirects: Record<string, string> = JSON.parse(read(".hosting/redirects.json"));
  return { pages: builtPages(dist), files: new Set(files), redirects, origin, texts };
}
