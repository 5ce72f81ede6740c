import { type CollectionEntry, getCollection } from "astro:content";
import { type Locale, locales } from "#i18n/locale.ts";
import { groupByLocale, type LocalizedEntry } from "#src/content/translations.ts";

/** A news item in the language `locale`; `folder` is its id in URLs. */
export type NewsText = LocalizedEntry<CollectionEntry<"news">, Locale>;

interface NewsIndex {
  byFolder: Map<string, NewsText>;
  /** The latest first. */
  list: NewsText[];
  /** Positions in `list`, by folder. */
  positions: Map<string, number>;
}

async function readNews(): Promise<Map<Locale, NewsIndex>> {
  const entries = await getCollection("news");
  // Same day: by id, for an order that does not depend on the file system.
  const sorted = entries.sort((a, b) => b.data.date.getTime() - a.data.date.getTime() || (a.id < b.id ? -1 : 1));
  const toIndex = (byFolder: Map<string, NewsText>): NewsIndex => ({
    byFolder,
    list: [...byFolder.values()],
    positions: new Map([...byFolder.keys()].map((folder, index) => [folder, index])),
  });
  return new Map(Array.from(groupByLocale(sorted, locales), ([locale, byFolder]) => [locale, toIndex(byFolder)]));
}

let cache: ReturnType<typeof readNews> | undefined;
/** Caches all news during a build; in development they change while the server runs. */
async function getIndex(locale: Locale): Promise<NewsIndex> {
  cache = import.meta.env.DEV ? readNews() : (cache ?? readNews());
  return (await cache).get(locale) ?? { byFolder: new Map(), list: [], positions: new Map() };
}

/** Returns the ids of all news items, whatever languages they are written in. */
export async function getNewsIds(): Promise<string[]> {
  return [...(await getIndex("zh-CN")).byFolder.keys()];
}

/** Returns a news item in the given language, else in the other one. Throws for an unknown id: ids come from `getNewsIds`. */
export async function getNewsItem(id: string, locale: Locale): Promise<NewsText> {
  const text = (await getIndex(locale)).byFolder.get(id);
  if (!text) throw new Error(`news/${id} has no text`);
  return text;
}

/** Returns the latest news about an event. */
export async function getLatestEventNews(event: string, locale: Locale): Promise<NewsText | undefined> {
  return (await getIndex(locale)).list.find(({ data }) => data.event === event);
}

/** Returns all news, each in the given language if written in it, the latest first. */
export async function getNews(locale: Locale): Promise<readonly NewsText[]> {
  return (await getIndex(locale)).list;
}

/** An item beside another one in the list, on a side; the one next to it is its neighbour. */
interface AdjacentNews {
  news: NewsText;
  side: "newer" | "older";
  isNeighbour: boolean;
}

/** Returns two other items, where there are as many: the next newer and the next older, at an end of the list the two nearest. */
export async function getAdjacentNews(id: string, locale: Locale): Promise<AdjacentNews[]> {
  const { list, positions } = await getIndex(locale);
  const index = positions.get(id) ?? 0;
  const nearest = [index - 1, index + 1, index + 2, index - 2].filter((at) => list[at]).slice(0, 2);
  return nearest
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const news = list[at];
      return news ? { news, side: at < index ? "newer" : "older", isNeighbour: Math.abs(at - index) === 1 } : [];
    });
}

/** Returns what the share card of an item shows beside its title: a poster of the title would say it twice. */
export const toCard = ({ cover }: Pick<NewsText["data"], "cover">) => (cover.isPoster ? {} : { picture: cover.url });

/** News items per page of the list. */
export const pageSize = 12;

export async function countPages(): Promise<number> {
  return Math.max(1, Math.ceil((await getNewsIds()).length / pageSize));
}

/** Returns the reading time of a text in minutes: 400 Chinese characters or 220 English words each, at least one. */
export function readingMinutes(text: string, locale: string): number {
  const minutes = locale === "zh-CN" ? text.replace(/\s/g, "").length / 400 : text.split(/\s+/).length / 220;
  return Math.max(1, Math.round(minutes));
}
