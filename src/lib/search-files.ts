import { createHash } from "node:crypto";
import { type SearchIndex, type SearchManifest, searchPaths } from "./search.ts";

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
