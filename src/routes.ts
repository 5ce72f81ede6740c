import type { Locale } from "#i18n/locale.ts";
import { canonicalPrefix, getLocale, type Prefix, prefixes, splitPrefix, withPrefix } from "#i18n/locale.ts";

type Layout = "default" | "home" | "login" | "mall";

export interface Route {
  /** Without prefix; parameters in braces. */
  path: string;
  layout: Layout;
  /** The page needs a session: without one it redirects to the login, which leads back. */
  session?: true;
  /** Parameters unknown at build: one file per prefix serves every URL. `fallback`: known parameters have files of their own. */
  shell?: "always" | "fallback";
  /** Kept out of search engines and the sitemap. */
  noindex?: true;
}

/** The table of URLs. Dev server, API server, hosting files, sitemap and tests read it. */
export const routes = {
  home: { path: "/", layout: "home" },
  eventList: { path: "/event", layout: "default" },
  /** The campaign that is open next. */
  campaign: { path: "/event/spring", layout: "default" },
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
  /** Its results are made in the browser, of other pages: nothing for search engines to list. */
  search: { path: "/search", layout: "default", noindex: true },
  terms: { path: "/about/terms", layout: "default" },
  privacy: { path: "/about/privacy", layout: "default" },
  /** Shown without a connection in the place of a page that the device has not stored. */
  offline: { path: "/offline", layout: "default", noindex: true },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamName<Rest> : never;
/** The parameters of a route's path. */
type Params<Name extends RouteName> = Record<ParamName<(typeof routes)[Name]["path"]>, string>;
type LinkArgs<Name extends RouteName> = [ParamName<(typeof routes)[Name]["path"]>] extends [never]
  ? [params?: Record<string, never>, query?: Record<string, string>]
  : [params: Params<Name>, query?: Record<string, string>];

/** HTTP statuses of a server's failures. */
export const failureStatuses = [500, 501, 502, 503, 504] as const;
/** HTTP statuses of requests that the server does not carry out. */
export const refusalStatuses = [400, 405, 414, 431] as const;
/** HTTP statuses with an error page of their own, in each prefix. */
export const errorStatuses = [404, ...refusalStatuses, ...failureStatuses] as const;
export type ErrorStatus = (typeof errorStatuses)[number];

/** The file name of a shell in place of a parameter. No parameter may equal it. */
export const shellParam = "_";

/** Returns the query parameter of the variant's value at `index`, which a form sends without JavaScript. Scripts send the variant itself as `sku`. */
export const specParam = (index: number) => `spec-${index}`;

export function getRoute(name: RouteName): Route {
  return routes[name];
}

/** Returns the URL of a route in a prefix, with parameters and query encoded. */
export function link<Name extends RouteName>(prefix: Prefix, name: Name, ...[params, query]: LinkArgs<Name>): string {
  const values: Record<string, string> = params ?? {};
  const path = routes[name].path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ""));
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : "";
  return withPrefix(prefix, path) + search;
}

/** Returns the URL of the page that sells a product: an item where it has a variant, else a package. */
export function productLink(prefix: Prefix, { uid, sku_uid }: { uid: string; sku_uid: string | null }): string {
  return sku_uid === null ? link(prefix, "vip", { uid }) : link(prefix, "item", { uid }, { sku: sku_uid });
}

/** Returns the id in the address of a campaign's own page. `/event/spring` is the page of whichever campaign is open next, so that one named `spring` stands under `/event/spring-tour`. */
export const toCampaignPage = (id: string) => (param(link("", "event", { id }), "id") ? id : `${id}-tour`);

/** Returns the canonical URL of a route in a language. */
export function canonicalLink<Name extends RouteName>(locale: Locale, name: Name, ...args: LinkArgs<Name>): string {
  return link(canonicalPrefix(locale), name, ...args);
}

/** Paths without a page of their own, with the page that is meant. */
const shortPaths = { "/user": "userInfo", "/user/order": "userOrderList", "/mall/order": "userOrderList" } as const;

/** The redirects of these paths in each prefix. */
export const shortRedirects: Readonly<Record<string, string>> = Object.fromEntries(
  prefixes.flatMap((prefix) =>
    Object.entries(shortPaths).map(([path, name]) => [withPrefix(prefix, path), link(prefix, name)]),
  ),
);

export interface Match {
  prefix: Prefix;
  name: RouteName;
  params: Record<string, string>;
}

const patterns = Object.entries(routes).map(([name, { path }]) => ({
  name: name as RouteName,
  keys: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ""),
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`),
  fixed: path.split("/").filter((part) => part && !part.startsWith("{")).length,
}));
// A fixed segment precedes a parameter: /event/spring before /event/{id}.
patterns.sort((a, b) => b.fixed - a.fixed);

/** Returns the route of a pathname, or null. Invalid percent-encoding matches nothing. */
export function matchRoute(pathname: string): Match | null {
  const { prefix, path } = splitPrefix(pathname);
  for (const { name, keys, pattern } of patterns) {
    const match = pattern.exec(path);
    if (!match) continue;
    const params: Record<string, string> = {};
    try {
      keys.forEach((key, index) => {
        params[key] = decodeURIComponent(match[index + 1] ?? "");
      });
    } catch {
      return null;
    }
    return { prefix, name, params };
  }
  return null;
}

/** Returns one parameter of a pathname; "" without it. A static host may serve a shell under a path with a slash at its end. */
export function param(pathname: string, key: string): string {
  return matchRoute(getHere({ pathname }).path)?.params[key] ?? "";
}

/** Returns the pathname of the shell that serves a URL, or null when its route has none. */
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

/** Parses `Astro.url` or `location`: `/en-US/mall.html` of a build is `/mall` in the prefix `/en-US`. */
export function getHere({ pathname }: { pathname: string }): Here {
  const clean = pathname.replace(/(?:\/index)?\.html$/, "").replace(/(.)\/$/, "$1") || "/";
  const { prefix, path } = splitPrefix(clean);
  return { prefix, locale: getLocale(prefix), path };
}

/** Paths of the API server; `folders` are first segments, with paths below them. Every other path is the site's. */
export const apiPaths = {
  folders: ["v1", "cashier", "pay"],
  files: ["healthz", "readyz", "docs", "openapi.json", ".well-known/jwks.json"],
};

/** Returns whether a path is the API server's. */
export function isApiPath(pathname: string): boolean {
  const [, first = "", ...below] = pathname.split("/");
  return apiPaths.folders.includes(first) || (below.length === 0 && apiPaths.files.includes(first));
}

/** Folders of the site whose files have a hash of their content in their names: they may be cached for ever. */
export const hashedFolders = ["_astro", "pictures", "cards", "audio", "search-index"] as const;

/** Folders and files of the site that pages of others show too: feed readers, chats. */
export const sharedPaths = ["cards/", "pictures/", "icons/", "icon.svg"] as const;

/** Folders and files of the site that name the present build, as pages do: their copies are revalidated each time. */
export const revalidatedPaths = ["build.json", "sw.js", "search/"] as const;

/** Paths of what readers and calendars subscribe to, by language. */
export const feeds = {
  news: (locale: Locale) => `/feed/${locale}.xml`,
  calendar: (locale: Locale) => `/calendar/${locale}.ics`,
};
