import { shellOf } from "../src/routes.ts";

/** What a pathname asks for, in files of a build. */
export type Answer =
  | { kind: "file"; file: string; status: 200 | 404 | 500 }
  | { kind: "redirect"; to: string }
  | { kind: "no-page"; file: string | null }
  | { kind: "no-asset" };

type Has = (file: string) => boolean;

/** Resolves a pathname (as it came, still encoded) against the files of a build. Never throws, never names a file that is not in the build. */
export function resolve(pathname: string, has: Has): Answer {
  const path = decode(pathname.replace(/(?<=.)\/$/, ""));
  if (path === null) return { kind: "no-page", file: notFoundPage(pathname, has) };
  const clean = path.replace(/(?:\/index)?\.html$/, "") || "/";
  const page = pageOf(clean, has);
  if (page) {
    const wanted = pathname.replace(/(?<=.)\/$/, "").replace(/(?:\/index)?\.html$/, "") || "/";
    if (wanted !== pathname) return { kind: "redirect", to: wanted };
    return { kind: "file", file: page, status: statusOf(clean) };
  }
  const file = path.slice(1);
  if (pathname.endsWith("/") ? false : has(file)) return { kind: "file", file, status: 200 };
  if (/\.[a-z0-9]{1,8}$/i.test(path) || path.startsWith("/_astro/")) return { kind: "no-asset" };
  return { kind: "no-page", file: notFoundPage(pathname, has) };
}

/** The decoded path, or null when it is not one that we would ever write: empty or dotted segments, slashes in disguise, control characters. */
function decode(pathname: string): string | null {
  if (pathname === "/") return "/";
  try {
    const segments = pathname.slice(1).split("/").map(decodeURIComponent);
    return segments.some((segment) => segment === "" || segment.startsWith(".") || /[/\\\p{Cc}]/u.test(segment))
      ? null
      : `/${segments.join("/")}`;
  } catch {
    return null;
  }
}

function pageOf(path: string, has: Has): string | null {
  // No parameter of ours holds a dot: a picture that is gone is no order.
  const shell = path.includes(".") ? null : shellOf(path);
  const pages = [path, ...(shell ? [shell] : [])].map((page) => page.slice(1) || "index");
  return pages.flatMap((page) => [`${page}.html`, `${page}/index.html`]).find(has) ?? null;
}

/** The error pages have addresses of their own; they say what they are there too. */
function statusOf(path: string): 200 | 404 | 500 {
  if (/^(\/zh-CN|\/en-US)?\/404$/.test(path)) return 404;
  return /^(\/zh-CN|\/en-US)?\/500$/.test(path) ? 500 : 200;
}

function notFoundPage(pathname: string, has: Has): string | null {
  return errorPage(pathname, "404", has);
}

/** The page that says an error in the language of the address, or null when the build has none. */
export function errorPage(pathname: string, status: "404" | "500", has: Has): string | null {
  const form = /^\/(zh-CN|en-US)(?=\/|$)/.exec(pathname)?.[1];
  return [form ? `${form}/${status}.html` : "", `${status}.html`].find((file) => file && has(file)) ?? null;
}
