import { fixPrefixCase, splitPrefix, withPrefix } from "#i18n/locale.ts";
import { type ErrorStatus, errorStatuses, getShell } from "#src/routes.ts";
import type { Build } from "./builds.ts";

export type PageStatus = 200 | ErrorStatus;

/** The result of resolving a pathname against the files of a build. */
export type Resolution =
  | { kind: "file"; file: string; status: PageStatus }
  | { kind: "redirect"; to: string }
  | { kind: "no-page"; file: string | null }
  | { kind: "no-asset" };

type Has = (file: string) => boolean;

/** Resolves an encoded pathname against the files and redirects of a build. Never throws; returns files of the build only. */
export function resolvePath(pathname: string, build: Pick<Build, "has" | "redirects" | "publicFiles">): Resolution {
  const { has } = build;
  const path = decode(pathname.replace(/(?<=.)\/$/, ""));
  const hasSlash = pathname.length > 1 && pathname.endsWith("/");
  if (path !== null && !hasSlash && build.publicFiles.has(path.slice(1))) return toFile(path.slice(1));
  if (path === null || isHidden(path)) return toNoPage(pathname, has);
  if (isForHosts(path)) return { kind: "no-asset" };
  const inCase = fixPrefixCase(path);
  if (inCase !== path) {
    const to = toUrl(inCase);
    const target = resolvePath(to, build);
    return target.kind === "redirect" ? target : { kind: "redirect", to };
  }
  const clean = path.replace(/(?:\/index)?\.html$|^\/index$/, "") || "/";
  const moved = build.redirects.get(clean);
  if (moved !== undefined) return { kind: "redirect", to: moved };
  const page = findPage(clean, has);
  if (page) {
    if (clean !== path || hasSlash) return { kind: "redirect", to: toUrl(clean) };
    return toFile(page, getStatus(clean));
  }
  const file = path.slice(1);
  if (!hasSlash && has(file)) return toFile(file);
  return isAsset(path) ? { kind: "no-asset" } : toNoPage(pathname, has);
}

const toFile = (file: string, status: PageStatus = 200): Resolution => ({ kind: "file", file, status });

/** Encodes a decoded path, so that unusual encodings redirect to the canonical one. */
const toUrl = (path: string) => path.split("/").map(encodeURIComponent).join("/");

/** Returns whether a path is that of a file, by its ending or folder, and not that of a page. */
export const isAsset = (path: string): boolean => /\.(?!html$)[a-z0-9]{1,8}$/i.test(path) || path.startsWith("/_astro/");

/** Returns whether a file is for static hosts: rules, and compressed copies, which are sent in place of their originals. */
function isForHosts(path: string): boolean {
  return /^\/_(headers|redirects)$|\.br$/.test(path);
}

/** Decodes a pathname; null for paths that no build contains: empty segments, encoded slashes, control characters. */
function decode(pathname: string): string | null {
  if (pathname === "/") return "/";
  try {
    const segments = pathname.slice(1).split("/").map(decodeURIComponent);
    return segments.some((segment) => segment === "" || /[/\\\p{Cc}]/u.test(segment)) ? null : `/${segments.join("/")}`;
  } catch {
    return null;
  }
}

/** Returns whether a segment is dotted, but for the name that RFC 8615 reserves for clients. */
const isHidden = (path: string) => path.replace(/^\/\.well-known(?=\/|$)/, "").includes("/.");

function findPage(path: string, has: Has): string | null {
  // Parameters contain no dots: a missing image is not an order.
  const shell = path.includes(".") ? null : getShell(path);
  const pages = [path, ...(shell ? [shell] : [])].map((page) => page.slice(1) || "index");
  return pages.flatMap((page) => [`${page}.html`, `${page}/index.html`]).find(has) ?? null;
}

/** Returns the status of a page: error pages return their own status under their own URLs too. */
function getStatus(path: string): PageStatus {
  const digits = /^\/(\d{3})$/.exec(splitPrefix(path).path)?.[1];
  return errorStatuses.find((status) => String(status) === digits) ?? 200;
}

function toNoPage(pathname: string, has: Has): Resolution {
  return { kind: "no-page", file: findErrorPage(pathname, 404, has) };
}

/** Returns the error page in the URL's language, or null when the build has none. */
export function findErrorPage(pathname: string, status: PageStatus, has: Has): string | null {
  const { prefix } = splitPrefix(fixPrefixCase(pathname));
  return [withPrefix(prefix, `/${status}.html`), `/${status}.html`].map((file) => file.slice(1)).find(has) ?? null;
}
