import { prefixes, withPrefix } from "../../../i18n/prefix.ts";
import { type Route, routes, shellParam } from "../../routes.ts";
import { cloudflareRedirects } from "./cloudflare.ts";
import { nginxSnippet } from "./nginx.ts";
import { immutable, securityHeaders } from "./security-headers.ts";

/** Returns the rule files for static hosts, by path in the build. `files` are the built ones. */
export function hostingFiles(files: readonly string[]): Record<string, string> {
  return {
    _redirects: redirects(),
    _headers: headerFile(),
    ".hosting/nginx.conf": nginxSnippet(),
    ".hosting/cloudflare/_redirects": cloudflareRedirects(files),
  };
}

const shells = Object.values<Route>(routes).filter(({ shell }) => shell);

/** Returns Netlify's rewrites, which come after files. Netlify strips a trailing slash and `.html` itself. */
function redirects(): string {
  const rewrites = prefixes.flatMap((prefix) =>
    shells.map(({ path }) => {
      const from = withPrefix(prefix, path.replace(/\{(\w+)\}/g, ":$1"));
      return `${from} ${withPrefix(prefix, path.replace(/\{\w+\}/g, shellParam))} 200`;
    }),
  );
  const notFound = prefixes.filter(Boolean).map((prefix) => `${prefix}/* ${prefix}/404.html 404`);
  return [...rewrites, ...notFound, ""].join("\n");
}

function headerFile(): string {
  const lines = Object.entries(securityHeaders).map(([name, value]) => `  ${name}: ${value}`);
  return ["/*", ...lines, "/_astro/*", `  Cache-Control: ${immutable}`, "/.hosting/*", "  X-Robots-Tag: noindex", ""].join(
    "\n",
  );
}
