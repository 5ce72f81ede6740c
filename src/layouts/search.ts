import { getCollection } from "astro:content";
import type { SearchAction, WithActionConstraints } from "schema-dts";
import { event as eventTexts } from "#i18n/event.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { newsKind } from "#i18n/news.ts";
import { search as texts } from "#i18n/search.ts";
import { fetchAtBuild } from "#src/api/fetch-at-build.ts";
import { goodsLists } from "#src/api/goods.ts";
import { packageLists } from "#src/api/package.ts";
import { groupByLocale } from "#src/content/translations.ts";
import { getCampaignLink, getCampaigns, getCurrentCampaign, getStops } from "#src/features/campaign/content.ts";
import { getEvents } from "#src/features/event/content.ts";
import { splitByEnd } from "#src/features/event/ended-events.ts";
import { getNews } from "#src/features/news/content.ts";
import { formatDate } from "#src/lib/date.ts";
import { joinNames, joinTexts, toPlainText } from "#src/lib/format.ts";
import { toSrcset } from "#src/lib/picture.ts";
import { createIndex, type SearchEntry } from "#src/lib/search.ts";
import { splitIndex } from "#src/lib/search-files.ts";
import { canonicalLink, link } from "#src/routes.ts";

/** An entry of the content in one of its languages. */
interface Text {
  locale: Locale;
  rendered?: { html: string };
}

interface WayText {
  text: string;
  lang?: string | undefined;
  /** Of a show. */
  day?: Date | undefined;
}

const getTitles = (pieces: readonly { title: string }[] = []) => pieces.map(({ title }) => title);
const getBody = ({ rendered }: Text) => toPlainText(rendered?.html ?? "");
const toLang = (text: Text | undefined, locale: Locale) => (text && text.locale !== locale ? text.locale : "");

/** Returns the address of the smallest file of a picture. */
const toThumbnail = (picture: { url: string } | undefined) =>
  picture ? (toSrcset(picture.url)?.split(" ")[0] ?? picture.url) : "";

/** Returns the index of all that visitors can find in a language, of which the pages are built; goods and passes are the server's. */
export async function getSearchIndex(locale: Locale) {
  const index = createIndex({
    event: [...(await getShows(locale)), ...(await getTours(locale))],
    news: await getArticles(locale),
    mall: [...(await getGoods(locale)), ...(await getPasses(locale))],
    page: await getDocuments(locale),
  });
  return splitIndex(index);
}

async function getShows(locale: Locale): Promise<SearchEntry[]> {
  const { upcoming, past } = splitByEnd(await getEvents(locale), new Date());
  return [...upcoming, ...past].map((event) => {
    const { title, summary, city, venue, way, line_up, programme = [], terms, starts_at, ends_at, cover, audio } = event.data;
    const notice = event.data.status === "cancelled" ? [eventTexts[event.locale].cancelled] : [];
    const facts = [...notice, venue, joinNames(line_up, event.locale)].join("\u00a0· ");
    return {
      path: link("", "event", { id: event.folder }),
      title,
      label: city,
      facts,
      summary,
      date: formatDate(starts_at),
      ends: ends_at.toISOString(),
      picture: toThumbnail(cover),
      lang: toLang(event, locale),
      lead: joinTexts(city, facts, summary),
      body: joinTexts(
        way,
        programme.map(({ what }) => what),
        terms,
        getTitles(audio),
        getBody(event),
      ),
    };
  });
}

async function getTours(locale: Locale): Promise<SearchEntry[]> {
  const current = await getCurrentCampaign(locale);
  return (await getCampaigns(locale)).map((campaign) => {
    const { title, summary, short, steps, stops, cover } = campaign.data;
    const [first, last] = [getStops(campaign.data)[0], stops.at(-1)];
    const facts = joinNames(
      getStops(campaign.data).map(({ city }) => city),
      campaign.locale,
    );
    return {
      path: getCampaignLink({ prefix: "" }, campaign.folder, current),
      title,
      label: texts[campaign.locale].tour,
      facts,
      summary,
      date: first ? formatDate(first.starts_at) : undefined,
      // A stop has no hour at which it ends.
      ends: last ? new Date(last.starts_at.getTime() + 86_400_000).toISOString() : undefined,
      picture: toThumbnail(cover.bare ?? cover),
      lang: toLang(campaign, locale),
      lead: joinTexts(facts, summary, short),
      body: joinTexts(
        stops.map(({ city, venue }) => `${city} ${venue}`),
        steps,
        getBody(campaign),
      ),
    };
  });
}

async function getArticles(locale: Locale): Promise<SearchEntry[]> {
  return (await getNews(locale)).map((news) => {
    const { title, summary, author = "", kind, date, cover, audio } = news.data;
    return {
      path: link("", "news", { id: news.folder }),
      title,
      label: newsKind[news.locale][kind],
      facts: author,
      summary,
      date: formatDate(date),
      picture: toThumbnail(cover.bare ?? cover),
      lang: toLang(news, locale),
      lead: summary,
      body: joinTexts(author, getTitles(audio), getBody(news)),
    };
  });
}

async function getGoods(locale: Locale): Promise<SearchEntry[]> {
  const list = (await fetchAtBuild(goodsLists, {}, locale))?.list ?? [];
  const own = groupByLocale(await getCollection("goods"), locales).get(locale);
  return list.map(({ goods_uid, title, category, summary, detail, specs, images }) => ({
    path: link("", "item", { uid: goods_uid }),
    title,
    label: category,
    summary,
    picture: toThumbnail(images[0]),
    lang: toLang(own?.get(goods_uid), locale),
    lead: joinTexts(category, summary),
    body: joinTexts(
      detail,
      specs.flatMap(({ name, values }) => [name, ...values]),
      getTitles(own?.get(goods_uid)?.data.audio),
    ),
  }));
}

async function getPasses(locale: Locale): Promise<SearchEntry[]> {
  const list = (await fetchAtBuild(packageLists, {}, locale))?.list ?? [];
  const own = groupByLocale(await getCollection("package"), locales).get(locale);
  return list.map(({ uid, title, badge, summary, rights, images }) => {
    const lang = toLang(own?.get(uid), locale);
    const label = texts[lang || locale].pass;
    return {
      path: link("", "vip", { uid }),
      title,
      label,
      summary,
      picture: toThumbnail(images?.[0]),
      lang,
      lead: joinTexts(label, summary, badge ?? ""),
      body: joinTexts(getTitles(rights)),
    };
  });
}

async function getDocuments(locale: Locale): Promise<SearchEntry[]> {
  const documents = groupByLocale(await getCollection("about"), locales).get(locale);
  return (["terms", "privacy"] as const).flatMap((name) => {
    const document = documents?.get(name);
    if (!document) return [];
    const { title, summary } = document.data;
    const lang = toLang(document, locale);
    const label = texts[document.locale].page;
    return [{ path: link("", name), title, label, summary, lang, lead: summary, body: getBody(document) }];
  });
}

/** Returns what each way from the search leads to first: the next show, the latest news, what is on sale. */
export async function getWayTexts(locale: Locale): Promise<Record<"event" | "news" | "mall" | "passes", WayText>> {
  const { upcoming } = splitByEnd(await getEvents(locale), new Date());
  const show = upcoming.find(({ data }) => data.status !== "cancelled");
  const [news] = await getNews(locale);
  const goods = (await fetchAtBuild(goodsLists, {}, locale))?.list ?? [];
  const passes = (await fetchAtBuild(packageLists, {}, locale))?.list ?? [];
  const toText = (text: Text | undefined, words: string) => ({ text: words, lang: toLang(text, locale) || undefined });
  return {
    event: { ...toText(show, show?.data.title ?? ""), day: show?.data.starts_at },
    news: toText(news, news?.data.title ?? ""),
    mall: { text: joinNames([...new Set(goods.map(({ category }) => category))], locale) },
    passes: {
      text: joinNames(
        passes.map(({ title }) => title),
        locale,
      ),
    },
  };
}

/** Describes the search of the site, with the place of the query in its address. */
export function describeSearch(locale: Locale, origin: URL): WithActionConstraints<SearchAction> {
  return {
    "@type": "SearchAction",
    target: `${new URL(canonicalLink(locale, "search"), origin).href}?q={q}`,
    "query-input": "required name=q",
  };
}
