// Fills in nginx.template.conf: a snippet for a `server` block of nginx whose `root` is the output directory.

import { readFileSync } from "node:fs";
import { prefixes } from "#i18n/locale.ts";
import { errorStatuses, hashedFolders, type Route, revalidatedPaths, routes, sharedPaths, shellParam } from "#src/routes.ts";
import { resourcePolicy, securityHeaders } from "./security-headers.ts";

const prefix = `(?:${prefixes.join("|")})`;
/** The security headers, repeated in each location, because one with an `add_header` inherits none. In `server` they would also be added to the responses of a proxied API. */
const security = Object.entries({ ...securityHeaders, [resourcePolicy]: "$resource_policy" })
  .map(([name, value]) => `add_header ${name} "${value}" always;`)
  .join("\n  ");
const toPattern = (starts: readonly string[]) => starts.map((start) => start.replace(/\.\w+$/, "\\$&$")).join("|");
const template = readFileSync(new URL("nginx.template.conf", import.meta.url), "utf8");

/** Names that other locations would redirect or hide: pages without `.html`, and dotted ones. */
const otherwise = /\.html$|(?:^|\/)\.(?!well-known\/)/;

export function nginxSnippet(redirects: Record<string, string>, publicFiles: readonly string[]): string {
  const moved = Object.entries(redirects).map(([from, to]) => toLocation(`= "${from}"`, `return 308 ${to}$is_args$args;`));
  const inCase = prefixes
    .filter(Boolean)
    .map((prefix) =>
      toLocation(
        `~ "^(?!${prefix}(?:/|$))(?i:${prefix})(?<below>(?:/[\\w.~@-]+)*)/?$"`,
        `return 308 ${prefix}$below$is_args$args;`,
      ),
    );
  const asTheyAre = publicFiles
    .filter((file) => otherwise.test(file))
    .map((file) => toLocation(`= "/${file}"`, 'add_header Cache-Control "no-cache";\n  try_files $uri =404;'));
  const values: Record<string, string> = {
    prefix,
    security,
    prefixes: prefixes.filter(Boolean).join("|"),
    errors: errorStatuses.join("|"),
    error_pages: errorStatuses.map((status) => `error_page ${status} $prefix/${status}.html;`).join("\n"),
    error_locations: errorStatuses.map((status) => `location ~ "^${prefix}/${status}$" { return ${status}; }`).join("\n"),
    shared: toPattern(sharedPaths),
    hashed: hashedFolders.join("|"),
    revalidated: toPattern(revalidatedPaths),
    locations: [
      ...asTheyAre,
      ...inCase,
      ...moved,
      ...Object.values<Route>(routes).flatMap((route) => (route.shell ? toShell(route) : [])),
    ].join("\n"),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}

/** Returns the location that serves the page built for a URL's parameter, or else the route's shell; another spelling of the URL redirects to it. */
function toShell({ path }: Route): string {
  const url = (parameter: string) => prefix + path.replace(/\{\w+\}/g, parameter);
  const lines = [
    `add_header Cache-Control "no-cache";`,
    "if ($clean) { return 308 $clean$is_args$args; }",
    `try_files $uri.html $prefix${path.replace(/\{\w+\}/g, shellParam)}.html =404;`,
  ];
  return toLocation(`~ "^${url("[^/.]+")}$"`, lines.join("\n  "));
}

const toLocation = (match: string, lines: string) => `location ${match} {\n  ${security}\n  ${lines}\n}`;
