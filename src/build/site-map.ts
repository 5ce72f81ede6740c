import sitemap from "@astrojs/sitemap";
import type { AstroIntegration } from "astro";
import { canonicalPrefix, locales, withPrefix } from "../../i18n/locale.ts";
import { getHere, getRoute, link, matchRoute, shellParam } from "../routes.ts";
import type { BuiltPage, BuiltPages } from "./built-page.ts";

function isListed(url: string): boolean {
  const { pathname } = new URL(url);
  const match = matchRoute(pathname === "/" ? pathname : pathname.replace(/\/$/, ""));
  // The tour that is open next has a page of its own, which stays.
  if (!match || match.prefix === "/zh-CN" || match.name === "campaign") return false;
  return !getRoute(match.name).noindex && !Object.values(match.params).includes(shellParam);
}

const findPage = (pages: BuiltPages, path: string) =>
  pages.get(path === "/" ? "index.html" : `${decodeURI(path).slice(1).replace(/\/$/, "")}.html`);

function getPage(pages: BuiltPages, url: string): BuiltPage {
  const page = findPage(pages, new URL(url).pathname);
  if (!page) throw new Error(`the sitemap lists ${url}, which the build has not rendered`);
  return page;
}

const findLatest = (days: readonly (string | undefined)[]) =>
  days
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1);

/** Returns the days on which the lists of news have changed, by path: with an entry of their own, or with one that is new there or on a page before, as it moves all that follow. */
export function findListDays(pages: BuiltPages): Map<string, string> {
  const days = new Map<string, string>();
  for (const prefix of locales.map(canonicalPrefix)) {
    let newest: string | undefined;
    let path = link(prefix, "newsList");
    for (let page = findPage(pages, path), number = 2; page; page = findPage(pages, path), number++) {
      const entries = (page.entries ?? []).map((url) => getPage(pages, url));
      newest = findLatest([newest, ...entries.map(({ published }) => published)]);
      const day = findLatest([newest, ...entries.map(({ changed }) => changed)]);
      if (day) days.set(path, day);
      path = link(prefix, "newsPage", { page: String(number) });
    }
  }
  return days;
}

/** Writes the sitemap: every indexable page, once per language, with its alternates, the day of its last change where there is one, and its pictures. */
export function siteMap(pages: BuiltPages, site: string): AstroIntegration {
  let listDays: Map<string, string> | undefined;
  return sitemap({
    // Astro does not know pages that stay as they were. It is read when all are there.
    get customPages() {
      return Array.from(pages.keys(), (file) => new URL(file.replace(/^index\.html$|\.html$/, ""), site).href);
    },
    filter: isListed,
    namespaces: { news: false, video: false },
    serialize: (item) => {
      const { path } = getHere(new URL(item.url));
      const toUrl = (locale: (typeof locales)[number]) => new URL(withPrefix(canonicalPrefix(locale), path), item.url).href;
      const links = [...locales.map((lang) => ({ lang, url: toUrl(lang) })), { lang: "x-default", url: toUrl("zh-CN") }];
      listDays ??= findListDays(pages);
      const { changed, images } = getPage(pages, item.url);
      // As the structured data has them. Only what the shop's files say is true: other pages have no day.
      const lastmod = listDays.get(new URL(item.url).pathname) ?? changed;
      return { ...item, links, ...(lastmod && { lastmod }), ...(images.length > 0 && { img: images.map((url) => ({ url })) }) };
    },
  });
}
