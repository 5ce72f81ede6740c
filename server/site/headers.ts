import { secureHeaders } from "hono/secure-headers";
import { parseAccept } from "hono/utils/accept";
import { getMimeType, mimes } from "hono/utils/mime";
import { hashedFolders, revalidatedPaths, sharedPaths } from "#src/routes.ts";

/** Sets the security headers of every response of the site, but for that of HTTPS alone. */
export const setSecurityHeaders = secureHeaders({
  referrerPolicy: "strict-origin-when-cross-origin",
  permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
  strictTransportSecurity: false,
  // Isolation by origin, and headers for old browsers and plug-ins.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Returns whether pages of other sites may show what is at a path. */
export const isShared = (path: string): boolean => sharedPaths.some((start) => path.startsWith(`/${start}`));

/** XML names its charset itself. */
const types = { ...mimes, svg: "image/svg+xml", xml: "application/xml" };

export function getContentType(path: string): string {
  return getMimeType(path, types) ?? "application/octet-stream";
}

const hashed = new RegExp(`^(${hashedFolders.join("|")})/`);

/** Returns the Cache-Control of a file: pages, and what names the present build, are revalidated each time. */
export function getCacheControl(path: string): string {
  if (hashed.test(path)) return "public, max-age=31536000, immutable";
  if (path.endsWith(".html") || revalidatedPaths.some((start) => path.startsWith(start))) return "no-cache";
  return "public, max-age=3600";
}

/** Returns whether an Accept-Encoding header allows brotli: by name or by `*`, which `hono/accepts` ignores, with a weight above 0. */
export function acceptsBrotli(header = ""): boolean {
  const encodings = parseAccept(header);
  const find = (name: string) => encodings.find(({ type }) => type.toLowerCase() === name);
  return ((find("br") ?? find("*"))?.q ?? 0) > 0;
}

/**
 * Returns whether an If-None-Match header contains the tag; compares weakly, since caches may weaken tags. `hono/etag` replaces a finished response by the 304 one,
 * which costs 136 % of it, and costs 6 % of a page.
 */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === "*" || tag === etag;
  });
}

/** A part of a file: `end` is the first byte after it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Returns the range of a Range header, which is empty when the file has none of it; null for several ranges and for what is none (RFC 9110, 14.2). */
export function parseRange(header: string | undefined, size: number): ByteRange | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "") return last === "" ? null : { start: Math.max(0, size - Number(last)), end: size };
  if (last !== "" && Number(last) < Number(first)) return null;
  return { start: Number(first), end: last === "" ? size : Math.min(size, Number(last) + 1) };
}
