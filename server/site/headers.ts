import { extname } from "node:path";

/** On everything that the site's half of the host answers. */
export const securityHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Only said over https, where a browser heeds it. */
export const strictTransport = "max-age=31536000";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".xml": "application/xml",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".ics": "text/calendar; charset=utf-8",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".gif": "image/gif",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

export function getContentType(path: string): string {
  return types[extname(path)] ?? "application/octet-stream";
}

/** Names under /_astro carry a hash of their content; pages and the build manifest are asked about each time. */
export function getCacheControl(path: string): string {
  if (path.startsWith("_astro/")) return "public, max-age=31536000, immutable";
  if (path.endsWith(".html") || path === "build.json") return "no-cache";
  return "public, max-age=3600";
}

/** Whether an Accept-Encoding header allows brotli: by name or by `*`, with a weight above 0. */
export function acceptsBrotli(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(name, weight ? Number(weight.slice(2)) : 1);
  }
  return (weights.get("br") ?? weights.get("*") ?? 0) > 0;
}

/** Whether an If-None-Match header names this very tag; compared weakly, as caches may have weakened it. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === "*" || tag === etag;
  });
}
