import { forms, inForm } from "../../i18n/locale.ts";
import { type Route, routes, shellParam } from "../routes.ts";
import { onlyInHeader } from "./policy.ts";

// The rest of each page's policy stands in its own head.
const headers: Record<string, string> = {
  "Content-Security-Policy": onlyInHeader,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Strict-Transport-Security": "max-age=31536000",
};
const immutable = "public, max-age=31536000, immutable";

/** Rules for hosts that are not ours, all from the one table of URLs. Files that exist come before any rule. */
export function hostingFiles(): Record<string, string> {
  return { _redirects: redirects(), _headers: headerFile(), ".hosting/nginx.conf": nginx() };
}

const shells = Object.values<Route>(routes).filter(({ shell }) => shell);

/** Netlify's and Cloudflare Pages' rewrites; both drop a trailing slash and `.html` by themselves. */
function redirects(): string {
  const rewrites = forms.flatMap((form) =>
    shells.map(({ path }) => {
      const from = inForm(form, path.replace(/\{(\w+)\}/g, ":$1"));
      return `${from} ${inForm(form, path.replace(/\{\w+\}/g, shellParam))} 200`;
    }),
  );
  const missing = forms.filter(Boolean).map((form) => `${form}/* ${form}/404.html 404`);
  return [...rewrites, ...missing, ""].join("\n");
}

function headerFile(): string {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  return ["/*", ...lines, "/_astro/*", `  Cache-Control: ${immutable}`, "/.hosting/*", "  X-Robots-Tag: noindex", ""].join(
    "\n",
  );
}

/** To be included in a `server` block whose `root` is this build. */
function nginx(): string {
  const add = Object.entries(headers).map(([name, value]) => `add_header ${name} "${value}" always;`);
  // A location with an add_header of its own inherits none.
  const cached = (value: string) => [`add_header Cache-Control "${value}";`, ...add];
  const block = (head: string, lines: string[]) => [`${head} {`, ...lines.map((line) => `  ${line}`), "}"];
  const pattern = (path: string) => path.replace(/\{\w+\}/g, "[^/.]+");
  const notFound = forms
    .filter(Boolean)
    .map((form) => block(`location ${form}/`, [`error_page 404 ${form}/404.html;`, ...page("$uri.html")]));

  function page(file: string): string[] {
    return [...cached("no-cache"), `try_files $uri ${file} =404;`];
  }
  return [
    "# Made from the table of URLs by the build.",
    "charset utf-8;",
    "absolute_redirect off;",
    "# With ngx_brotli: brotli_static on;",
    "gzip on;",
    "gzip_types text/css text/javascript application/javascript application/json application/xml image/svg+xml;",
    "error_page 404 /404.html;",
    ...block("location ~ /\\.", ["return 404;"]),
    ...block("location ~ ^/index\\.html$", ["return 308 /$is_args$args;"]),
    ...block("location ~ ^(/.+?)(\\.html)?/$", ["return 308 $1$is_args$args;"]),
    // The page of an error comes by here too, under the address that was asked for.
    ...block("location ~ ^(?<clean>/.+?)(/index)?\\.html$", [
      "if ($request_uri ~ \\.html) { return 308 $clean$is_args$args; }",
      ...cached("no-cache"),
    ]),
    ...block("location ~ ^(/zh-CN|/en-US|)/404$", ["return 404;"]),
    ...block("location ^~ /_astro/", [...cached(immutable), "try_files $uri =404;"]),
    ...shells.flatMap(({ path }) =>
      block(`location ~ ^(?<form>/zh-CN|/en-US|)${pattern(path)}$`, [
        ...cached("no-cache"),
        `try_files $uri.html $form${path.replace(/\{\w+\}/g, shellParam)}.html =404;`,
      ]),
    ),
    ...notFound.flat(),
    ...block("location = /", [...cached("no-cache"), "try_files /index.html =404;"]),
    ...block("location /", page("$uri.html")),
    "",
  ].join("\n");
}
