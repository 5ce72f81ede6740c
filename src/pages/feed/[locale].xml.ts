import rss from "@astrojs/rss";
import type { APIRoute } from "astro";
import { type Locale, locales } from "../../../i18n/locale.ts";
import { newsKind } from "../../../i18n/news.ts";
import { getSite } from "../../content/site.ts";
import { getNews } from "../../features/news/content.ts";
import { canonicalLink } from "../../routes.ts";

export const getStaticPaths = () => locales.map((locale) => ({ params: { locale }, props: { locale } }));

const escapeAttribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Serves all news of a language as RSS. */
export const GET: APIRoute<{ locale: Locale }> = async ({ props: { locale }, site = new URL("http://localhost:4321") }) => {
  const { title, description } = await getSite(locale);
  const news = await getNews(locale);
  return rss({
    title,
    description,
    site: new URL(canonicalLink(locale, "newsList"), site),
    trailingSlash: false,
    xmlns: { media: "http://search.yahoo.com/mrss/", dc: "http://purl.org/dc/elements/1.1/" },
    customData: `<language>${locale}</language>`,
    items: news.map(({ data, folder }) => ({
      title: data.title,
      description: data.summary,
      // Also the item's guid, so that readers know it again.
      link: new URL(canonicalLink(locale, "news", { id: folder }), site).href,
      pubDate: data.date,
      categories: [newsKind[locale][data.kind]],
      customData: [
        `<media:content medium="image" url="${escapeAttribute(new URL(data.cover.url, site).href)}" width="${data.cover.width}" height="${data.cover.height}"/>`,
        ...(data.author ? [`<dc:creator>${escapeAttribute(data.author)}</dc:creator>`] : []),
      ].join(""),
    })),
  });
};
