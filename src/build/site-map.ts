// Astro integration that writes the sitemap: every indexable page but the alias /event/spring, once per language, with alternates, last change and pictures.

import sitemap from "@astrojs/sitemap";
import type { AstroIntegration } from "astro";
import { canonicalPrefix, locales, withPrefix } from "#i18n/locale.ts";
import { buildRecord, type PageFacts } from "#src/lib/build-record.ts";
import { getHere, getRoute, link, matchRoute, shellParam } from "#src/routes.ts";

type Pages = ReadonlyMap<string, PageFacts>;

function isListed(url: string): boolean {
  const { pathname } = new URL(url);
  const match = matchRoute(pathname === "/" ? pathname : pathname.replace(/\/$/, ""));
  // Leaves out `campaign`, which shows the next open tour: that tour also has a permanent page of its own.
  if (!match || match.prefix === "/zh-CN" || match.name === "campaign") return false;
  return !getRoute(match.name).noindex && !Object.values(match.params).includes(shellParam);
}

function getFacts(pages: Pages, path: string): PageFacts {
  const facts = pages.get(path);
  if (!facts) throw new Error(`the sitemap lists ${path}, which the build has not rendered`);
  return facts;
}

const toPath = (url: string) => {
  const { prefix, path } = getHere(new URL(url));
  return withPrefix(prefix, path);
};

const findLatest = (days: readonly (string | undefined)[]) =>
  days
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1);

/** Returns the date of the last change of each page of the news list, by path: the latest day on which an entry on the page changed, or an entry on this or an earlier page was published, which moves all later entries. */
export function findListDays(pages: Pages): Map<string, string> {
  const days = new Map<string, string>();
  for (const prefix of locales.map(canonicalPrefix)) {
    let newest: string | undefined;
    let path = link(prefix, "newsList");
    for (let page = pages.get(path), number = 2; page; page = pages.get(path), number++) {
      const entries = page.entries.map((url) => getFacts(pages, toPath(url)));
      newest = findLatest([newest, ...entries.map(({ published }) => published)]);
      const day = findLatest([newest, ...entries.map(({ changed }) => changed)]);
      if (day) days.set(path, day);
      path = link(prefix, "newsPage", { page: String(number) });
    }
  }
  return days;
}

export function siteMap(): AstroIntegration {
  let listDays: Map<string, string> | undefined;
  return sitemap({
    filter: isListed,
    namespaces: { news: false, video: false },
    serialize: (item) => {
      const { path } = getHere(new URL(item.url));
      const toUrl = (locale: (typeof locales)[number]) => new URL(withPrefix(canonicalPrefix(locale), path), item.url).href;
      const links = [...locales.map((lang) => ({ lang, url: toUrl(lang) })), { lang: "x-default", url: toUrl("zh-CN") }];
      listDays ??= findListDays(buildRecord.pages);
      const own = toPath(item.url);
      const { changed, images } = getFacts(buildRecord.pages, own);
      // Days and pictures are those of the structured data. Pages without a date in the shop's files have no `lastmod`.
      const lastmod = listDays.get(own) ?? changed;
      return { ...item, links, ...(lastmod && { lastmod }), ...(images.length > 0 && { img: images.map((url) => ({ url })) }) };
    },
  });
}
