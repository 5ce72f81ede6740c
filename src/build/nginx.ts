import { prefixes } from "../../i18n/locale.ts";
import { failureStatuses, type Route, routes, shellParam } from "../routes.ts";
import { immutable, securityHeaders } from "./security-headers.ts";

/** Statuses that have a page of their own in each language. */
const errorPages = [404, ...failureStatuses];
const prefix = `(?:${prefixes.join("|")})`;
/** What visitors type in place of `/x`: `/x/`, `/x.html`, `/x/index.html`, each with a slash or without. */
const otherEnd = "(?:/|(?:/index)?\\.html/?)";
const tryFile = "try_files $uri @gone;";
/** Of `$request_uri`: a slash, a backslash or a control character in disguise, and empty segments, which nginx would tidy up. */
const escapedSeparators = "^[^?]*(?://|\\x5c|%(?:[01].|2f|5c|7f))";

/**
 * A snippet to be included in a `server` block whose `root` is this build. Redirects name a path of plain characters alone, and only one that has a page: what
 * nginx puts into `Location` is decoded, and a backslash or a tab there leads off the site.
 */
export function nginxSnippet(): string {
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
    // By RFC 8615, for programs: the tokens of certificates, security.txt.
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
    ...shellRoutes.flatMap(shellBlocks),
    ...block(`location ~ "^(?<clean>(?:/[\\w.~@-]+?)+?)${otherEnd}$"`, [
      ...security,
      `if (-f "$document_root$clean.html") { return 308 $clean$is_args$args; }`,
      "return 404;",
    ]),
    ...block(`location ~ "^/_astro/"`, [...cached(immutable), tryFile]),
    ...block("location = /build.json", [...cached("no-cache"), tryFile]),
    ...block(`location ~ "\\.ics$"`, ["types { text/calendar ics; }", ...cached(anHour), tryFile]),
    ...block(`location ~ "\\.[A-Za-z0-9]{1,8}$"`, [...cached(anHour), "try_files $uri $uri.html @gone;"]),
    ...block("location = /", [...cached("no-cache"), "try_files /index.html =404;"]),
    ...block("location /", [...cached("no-cache"), "try_files $uri.html $uri =404;"]),
    ...block("location @gone", notFound),
    "",
  ].join("\n");
}

const anHour = "public, max-age=3600";
const compressed = [
  "text/css text/javascript application/javascript application/json",
  "text/plain text/calendar text/xml application/xml image/svg+xml",
].join(" ");
const shellRoutes = Object.values<Route>(routes).filter(({ shell }) => shell);

/** An error is shown in the language of its address. The pages of errors come by here a second time, and are let through. */
function refusals(): string[] {
  return [
    `set $prefix "";`,
    `if ($uri ~ "^(${prefixes.filter(Boolean).join("|")})(?:/|$)") { set $prefix $1; }`,
    ...errorPages.map((status) => `error_page ${status} $prefix/${status}.html;`),
    "set $typed $request_uri;",
    `if ($uri ~ "/(?:${errorPages.join("|")})\\.html$") { set $typed ""; }`,
    `if ($typed ~* "${escapedSeparators}") { return 404; }`,
    `if ($uri ~ "[\\x00-\\x1f\\x5c\\x7f]") { return 404; }`,
  ];
}

/** A URL whose parameter was unknown at build: the page that was built for it, or the route's shell. */
function shellBlocks({ path }: Route): string[] {
  const url = (parameter: string) => prefix + path.replace(/\{\w+\}/g, parameter);
  return [
    ...block(`location ~ "^(?<clean>${url("[\\w~@-]+")})${otherEnd}$"`, [...security, "return 308 $clean$is_args$args;"]),
    // No parameter of ours holds a dot: a picture that is gone is no order.
    ...block(`location ~ "^${url("[^/.]+")}$"`, [
      ...cached("no-cache"),
      `try_files $uri.html $prefix${path.replace(/\{\w+\}/g, shellParam)}.html =404;`,
    ]),
  ];
}

/** In each location: one with an add_header of its own inherits none, and in the server they would come on top of a proxied API's. */
const security = Object.entries(securityHeaders).map(([name, value]) => `add_header ${name} "${value}" always;`);

function cached(lifetime: string, always = ""): string[] {
  return [`add_header Cache-Control "${lifetime}"${always};`, ...security];
}

/** For what programs ask: nobody reads a page that says it is not there. */
const notFound = ["types { }", "default_type text/plain;", ...cached("no-cache", " always"), `return 404 "Not found\\n";`];

function block(head: string, lines: string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), "}"];
}
