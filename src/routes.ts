import { canonicalPrefix, getLocale, type Locale, type Prefix, splitPrefix, withPrefix } from "../i18n/locale.ts";

export type Layout = "default" | "home" | "login" | "mall";

export interface Route {
  /** Without a prefix; parameters stand in braces. */
  path: string;
  layout: Layout;
  /** The page needs a session: without one, login, and back afterwards. */
  session?: true;
  /** The parameter is unknown at build: one file per prefix serves every URL. `fallback`: known ones have files of their own. */
  shell?: "always" | "fallback";
  /** Kept out of search engines and the sitemap. */
  noindex?: true;
}

/** The one table of URLs. The dev server, the host, hosting files, the sitemap and the tests read it. */
export const routes = {
  home: { path: "/", layout: "home" },
  eventList: { path: "/event", layout: "default" },
  spring: { path: "/event/spring", layout: "default" },
  event: { path: "/event/{id}", layout: "default" },
  mall: { path: "/mall", layout: "mall" },
  item: { path: "/mall/item/{uid}", layout: "mall", shell: "fallback" },
  orderBak: { path: "/mall/order_bak/{uid}", layout: "mall", session: true, shell: "always", noindex: true },
  orderEvent: { path: "/mall/order_event/{uid}", layout: "mall", session: true, shell: "always", noindex: true },
  orderConfirm: { path: "/mall/order/confirm/{uid}", layout: "mall", session: true, shell: "always", noindex: true },
  order: { path: "/mall/order/{order_sn}", layout: "mall", session: true, shell: "always", noindex: true },
  vip: { path: "/mall/vip/{uid}", layout: "mall", shell: "fallback" },
  newsList: { path: "/news", layout: "default" },
  newsPage: { path: "/news/page/{page}", layout: "default" },
  news: { path: "/news/{id}", layout: "default" },
  userInfo: { path: "/user/info", layout: "default", session: true, noindex: true },
  login: { path: "/user/login", layout: "login", noindex: true },
  userOrderList: { path: "/user/order/list", layout: "default", session: true, noindex: true },
  userOrder: { path: "/user/order/{order_sn}", layout: "default", session: true, shell: "always", noindex: true },
  ui: { path: "/user/ui", layout: "default", noindex: true },
  terms: { path: "/about/terms", layout: "default" },
  privacy: { path: "/about/privacy", layout: "default" },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
type Named<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;
/** The parameters that a route's path names. */
export type Params<Name extends RouteName> = Record<Named<(typeof routes)[Name]["path"]>, string>;
type LinkArgs<Name extends RouteName> = [Named<(typeof routes)[Name]["path"]>] extends [never]
  ? [params?: Record<string, never>, query?: Record<string, string>]
  : [params: Params<Name>, query?: Record<string, string>];

/** Answers that have a page of their own, in each prefix: it says what failed where no page of the table can be shown. */
export const failureStatuses = [500, 501, 502, 503, 504] as const;
export type FailureStatus = (typeof failureStatuses)[number];

/** The file name that stands in a URL for every parameter of a shell. No parameter may look like it. */
export const shellParam = "_";

/** The query parameter that carries one value of a variant with several sides, counted from 0: what a form sends before a script is there. A script sends the variant itself, as `sku`. */
export const specParam = (place: number) => `spec-${place}`;

export function getRoute(name: RouteName): Route {
  return routes[name];
}

/** The URL of a route in the visitor's own prefix, parameters and query encoded. */
export function link<Name extends RouteName>(here: Prefix, name: Name, ...[params, query]: LinkArgs<Name>): string {
  const given: Record<string, string> = params ?? {};
  const path = routes[name].path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(given[key] ?? ""));
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : "";
  return withPrefix(here, path) + search;
}

/** The URL of the page that sells a product: of an item when it has a variant, else of a package. */
export function productLink(here: Prefix, { uid, sku_uid }: { uid: string; sku_uid: string | null }): string {
  return sku_uid === null ? link(here, "vip", { uid }) : link(here, "item", { uid }, { sku: sku_uid });
}

/** The URL of a route as search engines know it. */
export function canonicalLink<Name extends RouteName>(locale: Locale, name: Name, ...args: LinkArgs<Name>): string {
  return link(canonicalPrefix(locale), name, ...args);
}

export interface Match {
  prefix: Prefix;
  name: RouteName;
  params: Record<string, string>;
}

const patterns = Object.entries(routes).map(([name, { path }]) => ({
  name: name as RouteName,
  keys: [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? ""),
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`),
  fixed: path.split("/").filter((part) => part && !part.startsWith("{")).length,
}));
// A fixed segment beats a parameter: /event/spring before /event/{id}.
patterns.sort((a, b) => b.fixed - a.fixed);

/** The route that a pathname belongs to, or null. A parameter that is no valid percent-encoding matches nothing. */
export function matchRoute(pathname: string): Match | null {
  const { prefix, path } = splitPrefix(pathname);
  for (const { name, keys, pattern } of patterns) {
    const found = pattern.exec(path);
    if (!found) continue;
    const params: Record<string, string> = {};
    try {
      keys.forEach((key, index) => {
        params[key] = decodeURIComponent(found[index + 1] ?? "");
      });
    } catch {
      return null;
    }
    return { prefix, name, params };
  }
  return null;
}

/** One parameter of the page at a pathname; "" when the pathname has none of that name. */
export function param(pathname: string, key: string): string {
  return matchRoute(pathname)?.params[key] ?? "";
}

/** The pathname of the shell's page that serves a URL, or null when its route has no shell. */
export function getShell(pathname: string): string | null {
  const match = matchRoute(pathname);
  if (!match || !getRoute(match.name).shell) return null;
  return withPrefix(match.prefix, routes[match.name].path.replace(/\{\w+\}/g, shellParam));
}

export interface Here {
  prefix: Prefix;
  locale: Locale;
  /** Without prefix and without `.html`. */
  path: string;
}

/** Where a page stands, from `Astro.url` or `location`: `/en-US/mall.html` of a build is `/mall` in the prefix `/en-US`. */
export function getHere({ pathname }: { pathname: string }): Here {
  const clean = pathname.replace(/(?:\/index)?\.html$/, "").replace(/(.)\/$/, "$1") || "/";
  const { prefix, path } = splitPrefix(clean);
  return { prefix, locale: getLocale(prefix), path };
}

/** A path without prefix, put into the visitor's. */
export function toPath(prefix: Prefix, path: string): string {
  return withPrefix(prefix, path);
}
