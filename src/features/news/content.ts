import { type CollectionEntry, getCollection } from "astro:content";
import { type Locale, locales } from "../../../i18n/locale.ts";
import { groupByLocale, type LocalizedEntry } from "../../content/translations.ts";

/** A news item in one language; `locale` says in which, `folder` is its id in URLs. */
export type NewsText = LocalizedEntry<CollectionEntry<"news">, Locale>;

interface Shelf {
  byFolder: Map<string, NewsText>;
  /** The latest first. */
  list: NewsText[];
  at: Map<string, number>;
}

async function read(): Promise<Map<Locale, Shelf>> {
  const entries = await getCollection("news");
  // Of one day, by name: an order that does not hang on the disk.
  const sorted = entries.sort((a, b) => b.data.date.getTime() - a.data.date.getTime() || (a.id < b.id ? -1 : 1));
  const shelf = (byFolder: Map<string, NewsText>): Shelf => ({
    byFolder,
    list: [...byFolder.values()],
    at: new Map([...byFolder.keys()].map((folder, index) => [folder, index])),
  });
  return new Map(Array.from(groupByLocale(sorted, locales), ([locale, byFolder]) => [locale, shelf(byFolder)]));
}

let built: ReturnType<typeof read> | undefined;
/** A build reads all news once; in development they change while the server runs. */
async function shelf(locale: Locale): Promise<Shelf> {
  built = import.meta.env.DEV ? read() : (built ?? read());
  return (await built).get(locale) ?? { byFolder: new Map(), list: [], at: new Map() };
}

/** Every news item once, whatever languages it is written in. */
export async function newsIds(): Promise<string[]> {
  return [...(await shelf("zh-CN")).byFolder.keys()];
}

/** A news item in the asked language, or in the other one. Fails when there is none: an id comes from `newsIds`. */
export async function newsText(id: string, locale: Locale): Promise<NewsText> {
  const text = (await shelf(locale)).byFolder.get(id);
  if (!text) throw new Error(`src/content/news/${id} has no text`);
  return text;
}

/** All news in the asked language, the latest first. */
export async function newsList(locale: Locale): Promise<readonly NewsText[]> {
  return (await shelf(locale)).list;
}

/** What was written after an item and before it. */
export async function adjacentNews(id: string, locale: Locale): Promise<{ newer: NewsText | null; older: NewsText | null }> {
  const { list, at } = await shelf(locale);
  const index = at.get(id) ?? -1;
  return index < 0 ? { newer: null, older: null } : { newer: list[index - 1] ?? null, older: list[index + 1] ?? null };
}

/** News items on one page of the list. */
export const pageSize = 12;

export async function newsPages(): Promise<number> {
  return Math.max(1, Math.ceil((await newsIds()).length / pageSize));
}
