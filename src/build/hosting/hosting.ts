// Returns the texts of the rule files of static hosts: Netlify and Cloudflare Pages (`_redirects`, `_headers`), and nginx.

import { prefixes, withPrefix } from "#i18n/locale.ts";
import { hashedFolders, type Route, revalidatedPaths, routes, sharedPaths, shellParam } from "#src/routes.ts";
import { nginxSnippet } from "./nginx.ts";
import { resourcePolicy, securityHeaders } from "./security-headers.ts";

/** Cloudflare Pages' limit of rules without a placeholder, https://developers.cloudflare.com/pages/configuration/redirects/ */
const maxStaticRules = 2000;
/** How many of these rules redirects may take. The rest is for pages. */
const maxRedirects = 1000;

interface Rule {
  from: string;
  to: string;
  isFallback: boolean;
}

/**
 * Returns the rules of shells for Cloudflare Pages, where rules take precedence over files, the first match wins, rules without a
 * placeholder must come first, and 404 is no valid status. Each page that a shell's rule would hide therefore gets a rule of its own. If
 * those exceed the limit, items and passes get no shell: one that is newer than the build is a 404 until the next build.
 */
function cloudflareRedirects(files: readonly string[], others: number): string {
  const all = shellRules();
  const own = getHiddenPages(all, files);
  const left = maxStaticRules - Math.min(others, maxRedirects);
  const rules = own.length <= left ? all : all.filter(({ isFallback }) => !isFallback);
  const ownRules = own.length <= left ? own : getHiddenPages(rules, files);
  return [...ownRules.map((path) => `${path} ${path} 200`), ...rules.map(({ from, to }) => `${from} ${to} 200`), ""].join("\n");
}

function shellRules(): Rule[] {
  const shells = Object.values<Route>(routes).filter(({ shell }) => shell);
  return prefixes.flatMap((prefix) =>
    shells.map(({ path, shell }) => ({
      from: withPrefix(prefix, path.replace(/\{(\w+)\}/g, ":$1")),
      to: withPrefix(prefix, path.replace(/\{\w+\}/g, shellParam)),
      isFallback: shell === "fallback",
    })),
  );
}

/** Returns the paths of built pages that one of the rules would hide. */
function getHiddenPages(rules: Rule[], files: readonly string[]): string[] {
  const patterns = rules.map(({ from, to }) => ({ to, pattern: new RegExp(`^${from.replace(/:\w+/g, "[^/]+")}$`) }));
  return files
    .filter((file) => file.endsWith(".html"))
    .map((file) => encodeURI(`/${file.slice(0, -".html".length)}`))
    .filter((path) => patterns.some(({ to, pattern }) => to !== path && pattern.test(path)))
    .sort();
}

/** Returns the texts of the rule files, by path. `files`: all public files of the build; `redirects`: the new path of each old one. */
export function hostingFiles(files: readonly string[], redirects: Record<string, string> = {}): Record<string, string> {
  const moved = Object.entries(redirects).map(([from, to]) => `${from} ${to} 301\n`);
  return {
    _redirects: moved.join("") + rewrites(),
    _headers: headerFile(),
    // If several rules match, Cloudflare joins their values of a header. `! <name>` removes the value of earlier rules.
    ".hosting/cloudflare/_headers": headerFile([`  ! ${resourcePolicy}`]),
    ".hosting/nginx.conf": nginxSnippet(redirects),
    // Cloudflare requires rules without a placeholder before the others.
    ".hosting/cloudflare/_redirects": moved.slice(0, maxRedirects).join("") + cloudflareRedirects(files, moved.length),
    ".hosting/redirects.json": JSON.stringify(redirects),
  };
}

/** Returns Netlify's rewrites. Files take precedence over them, and Netlify itself strips a trailing slash and `.html`. */
function rewrites(): string {
  const rules = shellRules().map(({ from, to }) => `${from} ${to} 200`);
  const notFound = prefixes.filter(Boolean).map((prefix) => `${prefix}/* ${prefix}/404.html 404`);
  return [...rules, ...notFound, ""].join("\n");
}

/** Returns the text of a `_headers` file. `before`: lines to insert before a header that `/*` sets too. */
function headerFile(before: readonly string[] = []): string {
  const lines = Object.entries(securityHeaders).map(([name, value]) => `  ${name}: ${value}`);
  // Cloudflare Pages applies only the last of several rules for the same path.
  const folders = new Set<string>(hashedFolders.map((folder) => `${folder}/`));
  const shared = new Set<string>(sharedPaths);
  const toRule = (start: string) => `/${start}${start.endsWith("/") ? "*" : ""}`;
  return [
    "/*",
    ...lines,
    ...revalidatedPaths.flatMap((start) => [toRule(start), "  Cache-Control: no-cache"]),
    "/*.webmanifest",
    "  Content-Type: application/manifest+json",
    ...[...new Set([...folders, ...shared])].flatMap((start) => [
      toRule(start),
      ...(folders.has(start) ? [`  Cache-Control: public, max-age=31536000, immutable`] : []),
      ...(shared.has(start) ? [...before, `  ${resourcePolicy}: cross-origin`] : []),
    ]),
    "/.hosting/*",
    "  X-Robots-Tag: noindex",
    "",
  ].join("\n");
}
