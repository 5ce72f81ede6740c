import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { LRUCache } from "lru-cache";

/** The content of a file as sent to clients. */
interface Content {
  body: Uint8Array<ArrayBuffer>;
  /** Strong ETag: a hash of the body. */
  etag: string;
}

/** One finished build: its files, their contents and each page's Content-Security-Policy. */
export interface Build {
  has(path: string): boolean;
  read(path: string): Promise<Content>;
  getPolicy(page: string): string;
  /** Files that are served under their names, whatever those are. */
  publicFiles: ReadonlySet<string>;
  /** Old paths with their new ones. */
  redirects: ReadonlyMap<string, string>;
}

/** As static hosts send it with every file. */
const publicPolicy = "frame-ancestors 'none'";

// In bytes.
const maxCachedFileSize = 512 * 1024;
const maxCacheSize = 32 * 1024 * 1024;
/** Time that a swap of builds may take, in ms. A swap is two renames, between which the folder does not exist. */
const swapTimeout = 250;

/** Follows a folder whose build may be swapped at any time. Returns a function that resolves to the present build, to null while there is none. */
export function followBuilds(dir: string): () => Promise<Build | null> {
  let latest: { stamp: string; build: Promise<Build> } | null = null;
  return async () => {
    const deadline = performance.now() + swapTimeout;
    do {
      const stamp = getStamp(dir);
      if (stamp) {
        if (latest?.stamp !== stamp) latest = { stamp, build: openBuild(dir) };
        const build = await latest.build.catch(() => null);
        if (build) return build;
      }
      // There was no build before either, so this is not a swap.
      if (!latest) return null;
      if (stamp === latest.stamp) latest.stamp = "";
      await new Promise((resolve) => setTimeout(resolve, 10));
    } while (performance.now() < deadline);
    latest = null;
    return null;
  };
}

/** Identifies a build by the inode and times of build.json, which is written last; "" without a finished build. */
function getStamp(dir: string): string {
  const info = statSync(join(dir, "build.json"), { throwIfNoEntry: false });
  return info ? `${info.ino}-${info.mtimeMs}-${info.ctimeMs}` : "";
}

async function openBuild(dir: string): Promise<Build> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join("/")),
  );
  const policies = files.has(".hosting/headers.json")
    ? parsePolicies(await readFile(join(dir, ".hosting/headers.json"), "utf8"))
    : null;
  const readJson = async <Value>(path: string, otherwise: Value): Promise<Value> =>
    files.has(path) ? JSON.parse(await readFile(join(dir, path), "utf8")) : otherwise;
  const redirects = await readJson<Record<string, string>>(".hosting/redirects.json", {});
  const publicFiles = new Set(await readJson<string[]>(".hosting/public.json", []));
  // Other dotted names are files for static hosts, not for visitors, except the folder of RFC 8615.
  for (const path of files)
    if (!publicFiles.has(path) && /(^|\/)\./.test(path.replace(/^\.well-known\//, ""))) files.delete(path);

  const cache = new LRUCache<string, Content>({
    maxSize: maxCacheSize,
    maxEntrySize: maxCachedFileSize,
    // A size of 0 is none to it.
    sizeCalculation: ({ body }) => body.byteLength || 1,
  });
  return {
    has: (path) => files.has(path),
    publicFiles,
    redirects: new Map(Object.entries(redirects)),
    getPolicy: (page) =>
      policies?.(page) ?? (publicFiles.has(page) ? publicPolicy : "default-src 'none'; frame-ancestors 'none'"),
    async read(path) {
      const hit = cache.get(path);
      if (hit) return hit;
      const body = await readFile(join(dir, path));
      const content = { body, etag: `"${hash("sha256", body, "base64url").slice(0, 22)}"` };
      cache.set(path, content);
      return content;
    },
  };
}

/** Parses `{policies: string[], pages: {"news.html": <index>}}`: pages share policies. */
function parsePolicies(json: string): (page: string) => string | undefined {
  const { policies, pages }: { policies: string[]; pages: Record<string, number> } = JSON.parse(json);
  return (page) => policies[pages[page] ?? -1];
}
