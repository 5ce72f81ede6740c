// Returns the texts of the rule files of static hosts: Netlify and Cloudflare Pages (`_redirects`, `_headers`), and nginx.

import { prefixes } from "#i18n/locale.ts";
import { hashedFolders, revalidatedPaths, sharedPaths } from "#src/routes.ts";
import { cloudflareRedirects } from "./cloudflare.ts";
import { nginxSnippet } from "./nginx.ts";
import { resourcePolicy, securityHeaders } from "./security-headers.ts";
import { caseRedirects, redirectEnds, shellRules } from "./shell-rules.ts";

/** Returns the texts of the rule files, by path. `files`: all that visitors may load of the build; `redirects`: the new path of each old one; `warn` receives what a host cannot have; `publicFiles`: those that are served as they are. */
export function hostingFiles(
  files: readonly string[],
  redirects: Record<string, string> = {},
  warn: (message: string) => void = console.warn,
  publicFiles: readonly string[] = [],
): Record<string, string> {
  return {
    _redirects: netlifyRedirects(redirects),
    _headers: headerFile(),
    // If several rules match, Cloudflare joins their values of a header. `! <name>` removes the value of earlier rules.
    ".hosting/cloudflare/_headers": headerFile([`  ! ${resourcePolicy}`]),
    ".hosting/nginx.conf": nginxSnippet(redirects, publicFiles),
    ".hosting/cloudflare/_redirects": cloudflareRedirects(files, redirects, warn),
    ".hosting/redirects.json": JSON.stringify(redirects),
    ".hosting/public.json": JSON.stringify(publicFiles),
    // GitHub Pages would leave out folders that begin with an underscore.
    ".nojekyll": "",
  };
}

/** Returns Netlify's rules. Files take precedence over them, a trailing slash changes nothing, and a placeholder is a whole segment: shells have no rule for `.html`. */
function netlifyRedirects(redirects: Record<string, string>): string {
  const moved = Object.entries(redirects).flatMap(([from, to]) => redirectEnds(from, to, ["", ".html"]));
  const shells = shellRules().map(({ from, to }) => `${from} ${to} 200`);
  const notFound = prefixes.filter(Boolean).map((prefix) => `${prefix}/* ${prefix}/404.html 404`);
  // Below those of the right case, which are meant where a host ignores the case. An asterisk matches the prefix alone, too.
  return [...moved, ...shells, ...notFound, ...caseRedirects("/*", "/:splat"), ""].join("\n");
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
