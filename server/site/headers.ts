import { parseAccept } from "hono/utils/accept";
import { getMimeType, mimes } from "hono/utils/mime";

/** Headers of every response of the site. */
export const securityHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Sent over HTTPS alone: browsers ignore it elsewhere. */
export const strictTransport = "max-age=31536000";

/** XML names its charset itself. */
const types = { ...mimes, svg: "image/svg+xml", xml: "application/xml" };

export function getContentType(path: string): string {
  return getMimeType(path, types) ?? "application/octet-stream";
}

/** Returns the Cache-Control of a file: names under /_astro contain a hash; pages and build.json are revalidated each time. */
export function getCacheControl(path: string): string {
  if (path.startsWith("_astro/")) return "public, max-age=31536000, immutable";
  if (path.endsWith(".html") || path === "build.json") return "no-cache";
  return "public, max-age=3600";
}

/** Returns whether an Accept-Encoding header allows brotli: by name or by `*`, which `hono/accepts` ignores, with a weight above 0. */
export function acceptsBrotli(header = ""): boolean {
  const encodings = parseAccept(header);
  const find = (name: string) => encodings.find(({ type }) => type.toLowerCase() === name);
  return ((find("br") ?? find("*"))?.q ?? 0) > 0;
}

/** Returns whether an If-None-Match header contains the tag; compares weakly, since caches may weaken tags. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === "*" || tag === etag;
  });
}
