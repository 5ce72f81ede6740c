import rss from "@astrojs/rss";
import type { APIRoute } from "astro";
import { type Locale, locales } from "#i18n/locale.ts";
import { newsKind } from "#i18n/news.ts";
import { describeCard } from "#src/content/picture/card.ts";
import { getSite } from "#src/content/site.ts";
import { getNews, type NewsText, toCard } from "#src/features/news/content.ts";
import { getReleaseTime } from "#src/layouts/structured-data.ts";
import { canonicalLink, feeds } from "#src/routes.ts";

export const getStaticPaths = () => locales.map((locale) => ({ params: { locale }, props: { locale } }));

const escapeAttribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Readers keep what they have; each new item makes them load all that a feed holds. */
const maxItems = 100;

/** Serves the latest news of a language as RSS. */
export const GET: APIRoute<{ locale: Locale }> = async ({ props: { locale }, site = new URL("http://localhost:4321") }) => {
  const shop = await getSite(locale);
  const toUrl = (path: string) => new URL(path, site).href;
  const toNewsUrl = (id: string) => toUrl(canonicalLink(locale, "news", { id }));
  /** Readers show no SVG: a drawn cover is the share card of its page. */
  const describePicture = async ({ data }: NewsText) => {
    const { url, width, height } = data.cover;
    if (!url.endsWith(".svg"))
      return `url="${escapeAttribute(toUrl(url))}" type="image/webp" width="${width}" height="${height}"`;
    return `url="${toUrl(await describeCard(shop, locale, data.title, toCard(data)))}" type="image/png" width="1200" height="630"`;
  };
  const toItem = async (news: NewsText) => {
    const { data, folder } = news;
    // A renamed item stays the same to a reader that has it.
    const guid = toNewsUrl(data.aliases?.[0] ?? folder);
    return {
      title: data.title,
      description: data.summary,
      link: toNewsUrl(folder),
      pubDate: getReleaseTime(data),
      categories: [newsKind[locale][data.kind]],
      customData: [
        `<guid isPermaLink="true">${guid}</guid>`,
        `<media:content medium="image" ${await describePicture(news)}/>`,
        ...(data.author ? [`<dc:creator>${escapeAttribute(data.author)}</dc:creator>`] : []),
      ].join(""),
    };
  };
  const latest = (await getNews(locale)).toSorted(
    (a, b) => getReleaseTime(b.data).getTime() - getReleaseTime(a.data).getTime(),
  );
  return rss({
    title: shop.title,
    description: shop.description,
    site: toUrl(canonicalLink(locale, "newsList")),
    trailingSlash: false,
    xmlns: {
      media: "http://search.yahoo.com/mrss/",
      dc: "http://purl.org/dc/elements/1.1/",
      atom: "http://www.w3.org/2005/Atom",
    },
    customData: `<language>${locale}</language><atom:link rel="self" type="application/rss+xml" href="${toUrl(feeds.news(locale))}"/>`,
    items: await Promise.all(latest.slice(0, maxItems).map(toItem)),
  });
};
