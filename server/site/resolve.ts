import { splitPrefix, withPrefix } from "#i18n/locale.ts";
import { failureStatuses, getShell } from "#src/routes.ts";

export type PageStatus = 200 | 404 | (typeof failureStatuses)[number];

/** The result of resolving a pathname against the files of a build. */
export type Resolution =
  | { kind: "file"; file: string; status: PageStatus }
  | { kind: "redirect"; to: string }
  | { kind: "no-page"; file: string | null }
  | { kind: "no-asset" };

type Has = (file: string) => boolean;

const noRedirects: ReadonlyMap<string, string> = new Map();

/** Resolves an encoded pathname against the files of a build, and `redirects` of old paths. Never throws; returns files of the build only. */
export function resolvePath(pathname: string, has: Has, redirects = noRedirects): Resolution {
  const path = decode(pathname.replace(/(?<=.)\/$/, ""));
  if (path === null) return toNoPage(pathname, has);
  if (isForHosts(path)) return { kind: "no-asset" };
  const clean = path.replace(/(?:\/index)?\.html$|^\/index$/, "") || "/";
  const moved = redirects.get(clean);
  if (moved !== undefined) return { kind: "redirect", to: moved };
  const page = findPage(clean, has);
  const hasSlash = pathname.length > 1 && pathname.endsWith("/");
  if (page) {
    // Encodes the decoded path, so that unusual encodings redirect to the canonical one.
    if (clean !== path || hasSlash) return { kind: "redirect", to: clean.split("/").map(encodeURIComponent).join("/") };
    return { kind: "file", file: page, status: getStatus(clean) };
  }
  const file = path.slice(1);
  if (!hasSlash && has(file)) return { kind: "file", file, status: 200 };
  if (/\.(?!html$)[a-z0-9]{1,8}$/i.test(path) || path.startsWith("/_astro/")) return { kind: "no-asset" };
  return toNoPage(pathname, has);
}

/** Returns whether a file is for static hosts: rules, and compressed copies, which are sent in place of their originals. */
function isForHosts(path: string): boolean {
  return /^\/_(headers|redirects)$|\.br$/.test(path);
}

/** Decodes a pathname; null for paths that no build contains: empty or dotted segments, encoded slashes, control characters. */
function decode(pathname: string): string | null {
  if (pathname === "/") return "/";
  try {
    const segments = pathname.slice(1).split("/").map(decodeURIComponent);
    // The dotted name that RFC 8615 reserves for clients.
    const checked = segments[0] === ".well-known" ? segments.slice(1) : segments;
    return checked.some((segment) => segment === "" || segment.startsWith(".") || /[/\\\p{Cc}]/u.test(segment))
      ? null
      : `/${segments.join("/")}`;
  } catch {
    return null;
  }
}

function findPage(path: string, has: Has): string | null {
  // Parameters contain no dots: a missing image is not an order.
  const shell = path.includes(".") ? null : getShell(path);
  const pages = [path, ...(shell ? [shell] : [])].map((page) => page.slice(1) || "index");
  return pages.flatMap((page) => [`${page}.html`, `${page}/index.html`]).find(has) ?? null;
}

/** Returns the status of a page: error pages return their own status under their own URLs too. */
function getStatus(path: string): PageStatus {
  const digits = /^\/(\d{3})$/.exec(splitPrefix(path).path)?.[1];
  return ([404, ...failureStatuses] as const).find((status) => String(status) === digits) ?? 200;
}

function toNoPage(pathname: string, has: Has): Resolution {
  return { kind: "no-page", file: findErrorPage(pathname, 404, has) };
}

/** Returns the error page in the URL's language, or null when the build has none. */
export function findErrorPage(pathname: string, status: PageStatus, has: Has): string | null {
  const { prefix } = splitPrefix(pathname);
  return [withPrefix(prefix, `/${status}.html`), `/${status}.html`].map((file) => file.slice(1)).find(has) ?? null;
}
