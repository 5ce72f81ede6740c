import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { locales } from "../../i18n/locale.ts";
import { type SearchIndex, type SearchManifest, searchPaths } from "../lib/search.ts";

/** Splits an index into files, by path, in a folder named by their content, and its manifest. */
export function splitIndex({ shards, chunks, counts }: SearchIndex): { manifest: SearchManifest; files: Map<string, string> } {
  const hash = createHash("sha256")
    .update(JSON.stringify([shards, chunks]))
    .digest("hex")
    .slice(0, 16);
  const folder = `/search-index/${hash}`;
  const files = new Map([
    ...shards.map((text, index) => [searchPaths.shard(folder, index), text] as const),
    ...chunks.map((text, index) => [searchPaths.chunk(folder, index), text] as const),
  ]);
  return { manifest: { folder, shards: shards.length, counts }, files };
}

/** Replaces the whole index of each language, as the pages have written it, by its files. */
export async function writeSearchIndex(dist: string): Promise<void> {
  for (const locale of locales) {
    const path = join(dist, searchPaths.manifest(locale));
    const { manifest, files } = splitIndex(JSON.parse(await readFile(path, "utf8")));
    await mkdir(join(dist, manifest.folder), { recursive: true });
    await Promise.all(Array.from(files, ([file, text]) => writeFile(join(dist, file), text)));
    await writeFile(path, JSON.stringify(manifest));
  }
}
