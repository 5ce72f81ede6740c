import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** A file as it goes over the wire. */
export interface Content {
  body: Uint8Array<ArrayBuffer>;
  /** Strong: a hash of these very bytes. */
  etag: string;
}

/** One finished build: which files it has, their contents as they are asked for, and each page's policy. */
export interface Build {
  has(path: string): boolean;
  read(path: string): Promise<Content>;
  policyOf(page: string): string;
}

const maxCachedFile = 512 * 1024;
const maxCached = 32 * 1024 * 1024;
/** A swap is two renames: for a moment there is no folder, or another than the one just opened. */
const swapMoment = 250;

/** Follows a folder that builds are swapped into. `current()` is null as long as no build is there. */
export function followBuilds(dir: string): { current(): Promise<Build | null> } {
  let known: { stamp: string; build: Promise<Build> } | null = null;
  return {
    async current() {
      const deadline = performance.now() + swapMoment;
      do {
        const stamp = stampOf(dir);
        if (stamp) {
          if (known?.stamp !== stamp) known = { stamp, build: openBuild(dir) };
          const opened = await known.build.catch(() => null);
          if (opened) return opened;
        }
        // Nothing there, and never was: no swap is under way.
        if (!known) return null;
        if (stamp === known.stamp) known.stamp = "";
        await new Promise((resolve) => setTimeout(resolve, 10));
      } while (performance.now() < deadline);
      known = null;
      return null;
    },
  };
}

/** build.json is written last: a folder without it is no build. Its inode and times tell one build from the next. */
function stampOf(dir: string): string {
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
  // What starts with a dot is for hosts, not for visitors: but for the folder that RFC 8615 sets apart.
  for (const path of files) if (/(^|\/)\./.test(path.replace(/^\.well-known\//, ""))) files.delete(path);

  const cache = new Map<string, Content>();
  let cached = 0;
  return {
    has: (path) => files.has(path),
    policyOf: (page) => policies?.(page) ?? "default-src 'none'; frame-ancestors 'none'",
    async read(path) {
      const found = cache.get(path);
      if (found) {
        // Oldest first: what is used moves to the end.
        cache.delete(path);
        cache.set(path, found);
        return found;
      }
      const body = await readFile(join(dir, path));
      const content = { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
      if (body.byteLength <= maxCachedFile) {
        if (!cache.has(path)) cached += body.byteLength;
        cache.set(path, content);
        for (const [oldest, { body: dropped }] of cache) {
          if (cached <= maxCached) break;
          cache.delete(oldest);
          cached -= dropped.byteLength;
        }
      }
      return content;
    },
  };
}

/** `{policies: string[], pages: {"news.html": <index>}}`: many pages share one policy. */
function parsePolicies(json: string): (page: string) => string | undefined {
  const { policies, pages }: { policies: string[]; pages: Record<string, number> } = JSON.parse(json);
  return (page) => policies[pages[page] ?? -1];
}
