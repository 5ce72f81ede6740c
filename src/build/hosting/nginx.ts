import { prefixes } from "../../../i18n/locale.ts";
import { failureStatuses, hashedFolders, type Route, revalidatedPaths, routes, sharedPaths, shellParam } from "../../routes.ts";
import { onlyInHeader } from "../content-security-policy.ts";

export const resourcePolicy = "Cross-Origin-Resource-Policy";

/** Headers of every response of a static host. The rest of each page's policy stands in its head. */
export const securityHeaders: Record<string, string> = {
  "Content-Security-Policy": onlyInHeader,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  [resourcePolicy]: "same-origin",
  "Strict-Transport-Security": "max-age=31536000",
};

/** For files with a content hash in their name. */
export const immutable = "public, max-age=31536000, immutable";

/** Statuses with an error page in each language. */
const errorPages = [404, ...failureStatuses];
const prefix = `(?:${prefixes.join("|")})`;
/** Other spellings of `/x`: `/x/`, `/x.html`, `/x/index.html`, with or without a trailing slash. */
const otherEnd = "(?:/|(?:/index)?\\.html/?)";
const tryFile = "try_files $uri @gone;";
/** Matches a `$request_uri` with an escaped slash, backslash or control character, or an empty segment, which nginx would normalise. */
const escapedSeparators = "^[^?]*(?://|\\x5c|%(?:[01].|2f|5c|7f))";

/**
 * Returns a snippet for a `server` block whose `root` is this build. Redirects go only to existing pages with a plain path:
 * nginx decodes the `Location`, and a backslash or tab in it leads off the site.
 */
export function nginxSnippet(redirects: Record<string, string>): string {
  return [
    "# Made from the table of URLs by the build.",
    "charset utf-8;",
    "charset_types text/css text/plain text/xml text/javascript application/javascript text/calendar;",
    "absolute_redirect off;",
    "# With ngx_brotli: brotli_static on;",
    "gzip on;",
    "gzip_vary on;",
    `gzip_types ${compressed};`,
    ...refusals(),
    // RFC 8615: certificate tokens, security.txt.
    ...block("location ^~ /.well-known/", [
      "default_type text/plain;",
      ...cached("no-cache"),
      `if ($uri ~ "[^/]/\\.") { return 404; }`,
      tryFile,
    ]),
    ...block(`location ~ "/\\.(?!well-known/)|^/_(?:headers|redirects)$|\\.br$"`, notFound),
    ...block(`location ~ "^${prefix}/(?:${errorPages.join("|")})\\.html$"`, ["internal;", ...cached("no-cache", " always")]),
    ...errorPages.flatMap((status) => block(`location ~ "^${prefix}/${status}$"`, [`return ${status};`])),
    ...block(`location ~ "^/index(?:\\.html)?/?$"`, [...security, "return 308 /$is_args$args;"]),
    ...Object.entries(redirects).flatMap(([from, to]) =>
      block(`location = "${from}"`, [...security, `return 308 ${to}$is_args$args;`]),
    ),
    ...shellRoutes.flatMap(shellBlocks),
    ...block(`location ~ "^(?<clean>(?:/[\\w.~@-]+?)+?)${otherEnd}$"`, [
      ...security,
      `if (-f "$document_root$clean.html") { return 308 $clean$is_args$args; }`,
      "return 404;",
    ]),
    ...block(`location ~ "^/(?:${hashedFolders.join("|")})/"`, [...cached(immutable), tryFile]),
    ...block(`location ~ "^/(?:${toPattern(revalidatedPaths)})"`, [...cached("no-cache"), tryFile]),
    ...block(`location ~ "\\.webmanifest$"`, ["types { application/manifest+json webmanifest; }", ...cached(anHour), tryFile]),
    ...block(`location ~ "\\.ics$"`, ["types { text/calendar ics; }", ...cached(anHour), tryFile]),
    ...block(`location ~ "\\.[A-Za-z0-9]{1,8}$"`, [...cached(anHour), "try_files $uri $uri.html @gone;"]),
    ...block("location = /", [...cached("no-cache"), "try_files /index.html =404;"]),
    ...block("location /", [...cached("no-cache"), "try_files $uri.html $uri =404;"]),
    ...block("location @gone", notFound),
    "",
  ].join("\n");
}

const toPattern = (starts: readonly string[]) => starts.map((start) => start.replace(/\.\w+$/, "\\$&$")).join("|");
const anHour = "public, max-age=3600";
const compressed = [
  "text/css text/javascript application/javascript application/json application/manifest+json",
  "text/plain text/calendar text/xml application/xml image/svg+xml",
].join(" ");
const shellRoutes = Object.values<Route>(routes).filter(({ shell }) => shell);

/** Shows an error in the URL's language. The internal request for the error page passes a second time. */
function refusals(): string[] {
  return [
    `set $prefix "";`,
    `if ($uri ~ "^(${prefixes.filter(Boolean).join("|")})(?:/|$)") { set $prefix $1; }`,
    ...errorPages.map((status) => `error_page ${status} $prefix/${status}.html;`),
    "set $resource_policy same-origin;",
    `if ($uri ~ "^/(?:${toPattern(sharedPaths)})") { set $resource_policy cross-origin; }`,
    "set $typed $request_uri;",
    `if ($uri ~ "/(?:${errorPages.join("|")})\\.html$") { set $typed ""; }`,
    `if ($typed ~* "${escapedSeparators}") { return 404; }`,
    `if ($uri ~ "[\\x00-\\x1f\\x5c\\x7f]") { return 404; }`,
  ];
}

/** Serves the page built for a URL's parameter, or else the route's shell. */
function shellBlocks({ path }: Route): string[] {
  const url = (parameter: string) => prefix + path.replace(/\{\w+\}/g, parameter);
  return [
    ...block(`location ~ "^(?<clean>${url("[\\w~@-]+")})${otherEnd}$"`, [...security, "return 308 $clean$is_args$args;"]),
    // Parameters hold no dot, so a missing picture gets no shell.
    ...block(`location ~ "^${url("[^/.]+")}$"`, [
      ...cached("no-cache"),
      `try_files $uri.html $prefix${path.replace(/\{\w+\}/g, shellParam)}.html =404;`,
    ]),
  ];
}

/** Repeated in each location: a location with its own add_header inherits none, and in `server` they would add to a proxied API's headers. */
const security = Object.entries({ ...securityHeaders, [resourcePolicy]: "$resource_policy" }).map(
  ([name, value]) => `add_header ${name} "${value}" always;`,
);

function cached(lifetime: string, always = ""): string[] {
  return [`add_header Cache-Control "${lifetime}"${always};`, ...security];
}

/** A plain-text 404 for programs. */
const notFound = ["types { }", "default_type text/plain;", ...cached("no-cache", " always"), `return 404 "Not found\\n";`];

function block(head: string, lines: string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), "}"];
}
