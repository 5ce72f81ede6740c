import sitemap from "@astrojs/sitemap";
import type { AstroIntegration } from "astro";
import { canonicalPrefix, locales, withPrefix } from "../../i18n/locale.ts";
import { getHere, getRoute, link, matchRoute, shellParam } from "../routes.ts";
import type { BuiltPage, BuiltPages } from "./built-page.ts";

function isListed(url: string): boolean {
  const { pathname } = new URL(url);
  const match = matchRoute(pathname === "/" ? pathname : pathname.replace(/\/$/, ""));
  if (!match || match.prefix === "/zh-CN") return false;
  return !getRoute(match.name).noindex && !Object.values(match.params).includes(shellParam);
}

function getPage(pages: BuiltPages, url: string): BuiltPage {
  const { pathname } = new URL(url);
  const file = pathname === "/" ? "index.html" : `${decodeURI(pathname).slice(1).replace(/\/$/, "")}.html`;
  const page = pages.get(file);
  if (!page) throw new Error(`the sitemap lists ${url}, which the build has not rendered`);
  return page;
}

/** Returns the day of the latest news item, which changes every page of the list: the others move. */
function findLatestNews(pages: BuiltPages, url: string): string | undefined {
  const { prefix } = getHere(new URL(url));
  const { first } = getPage(pages, new URL(link(prefix, "newsList"), url).href);
  return first && getPage(pages, first).published;
}

/** Returns the day of the last change and the pictures, as the structured data has them. Only what the shop's files say is true: other pages have no day. */
function getFacts(pages: BuiltPages, url: string): { lastmod?: string; img?: { url: string }[] } {
  const page = getPage(pages, url);
  const name = matchRoute(getHere(new URL(url)).path)?.name;
  const isNewsList = name === "newsList" || name === "newsPage";
  const changed = isNewsList ? findLatestNews(pages, url) : page.changed;
  return {
    ...(changed && { lastmod: changed }),
    ...(page.images.length > 0 && { img: page.images.map((url) => ({ url })) }),
  };
}

/** Writes the sitemap: every indexable page, once per language, with its alternates, the day of its last change where there is one, and its pictures. */
export function siteMap(pages: BuiltPages, site: string): AstroIntegration {
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
      return { ...item, links, ...getFacts(pages, item.url) };
    },
  });
}
