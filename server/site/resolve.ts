import { failureStatuses, getShell } from "../../src/routes.ts";

/** Statuses of pages. */
export type PageStatus = 200 | 404 | (typeof failureStatuses)[number];

/** What a pathname asks for, in files of a build. */
export type Answer =
  | { kind: "file"; file: string; status: PageStatus }
  | { kind: "redirect"; to: string }
  | { kind: "no-page"; file: string | null }
  | { kind: "no-asset" };

type Has = (file: string) => boolean;

/** Resolves a pathname (as it came, still encoded) against the files of a build. Never throws, never names a file that is not in the build. */
export function resolve(pathname: string, has: Has): Answer {
  const path = decode(pathname.replace(/(?<=.)\/$/, ""));
  if (path === null) return noPage(pathname, has);
  if (isKeptBack(path)) return { kind: "no-asset" };
  const clean = path.replace(/(?:\/index)?\.html$|^\/index$/, "") || "/";
  const page = pageOf(clean, has);
  const hasSlash = pathname.length > 1 && pathname.endsWith("/");
  if (page) {
    // Made from what was decoded: a name in disguise leads to the plain one.
    if (clean !== path || hasSlash) return { kind: "redirect", to: clean.split("/").map(encodeURIComponent).join("/") };
    return { kind: "file", file: page, status: statusOf(clean) };
  }
  const file = path.slice(1);
  if (!hasSlash && has(file)) return { kind: "file", file, status: 200 };
  if (/\.(?!html$)[a-z0-9]{1,8}$/i.test(path) || path.startsWith("/_astro/")) return { kind: "no-asset" };
  return noPage(pathname, has);
}

/** What lies in a build for hosts: rules, and what is sent in place of a file to whoever takes it compressed. */
function isKeptBack(path: string): boolean {
  return /^\/_(headers|redirects)$|\.br$/.test(path);
}

/** The decoded path, or null when it is not one that we would ever write: empty or dotted segments, slashes in disguise, control characters. */
function decode(pathname: string): string | null {
  if (pathname === "/") return "/";
  try {
    const segments = pathname.slice(1).split("/").map(decodeURIComponent);
    // The one dotted name that visitors' programs ask for, by RFC 8615.
    const named = segments[0] === ".well-known" ? segments.slice(1) : segments;
    return named.some((segment) => segment === "" || segment.startsWith(".") || /[/\\\p{Cc}]/u.test(segment))
      ? null
      : `/${segments.join("/")}`;
  } catch {
    return null;
  }
}

function pageOf(path: string, has: Has): string | null {
  // No parameter of ours holds a dot: a picture that is gone is no order.
  const shell = path.includes(".") ? null : getShell(path);
  const pages = [path, ...(shell ? [shell] : [])].map((page) => page.slice(1) || "index");
  return pages.flatMap((page) => [`${page}.html`, `${page}/index.html`]).find(has) ?? null;
}

/** The error pages have addresses of their own; they say what they are there too. */
function statusOf(path: string): PageStatus {
  const digits = /^(?:\/zh-CN|\/en-US)?\/(\d{3})$/.exec(path)?.[1];
  return ([404, ...failureStatuses] as const).find((status) => String(status) === digits) ?? 200;
}

function noPage(pathname: string, has: Has): Answer {
  return { kind: "no-page", file: errorPage(pathname, 404, has) };
}

/** The page that says an error in the language of the address, or null when the build has none. */
export function errorPage(pathname: string, status: PageStatus, has: Has): string | null {
  const prefix = /^\/(zh-CN|en-US)(?=\/|$)/.exec(pathname)?.[1];
  return [prefix ? `${prefix}/${status}.html` : "", `${status}.html`].find((file) => file && has(file)) ?? null;
}
