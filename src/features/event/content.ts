import { type CollectionEntry, getCollection } from "astro:content";
import { type Locale, locales } from "../../../i18n/locale.ts";
import { groupByLocale, type LocalizedEntry } from "../../content/translations.ts";

/** An event in the language `locale`; `folder` is its id in URLs. */
export type EventText = LocalizedEntry<CollectionEntry<"event">, Locale>;

async function readEvents(): Promise<Map<Locale, Map<string, EventText>>> {
  const entries = await getCollection("event");
  return groupByLocale(
    entries.sort((a, b) => a.data.starts_at.getTime() - b.data.starts_at.getTime()),
    locales,
  );
}

let cache: ReturnType<typeof readEvents> | undefined;
/** Caches all events during a build; in development they change while the server runs. */
async function getEventsByFolder(locale: Locale): Promise<Map<string, EventText>> {
  cache = import.meta.env.DEV ? readEvents() : (cache ?? readEvents());
  return (await cache).get(locale) ?? new Map();
}

/** Returns the ids of all events, whatever languages they are written in. */
export async function getEventIds(): Promise<string[]> {
  return [...(await getEventsByFolder("zh-CN")).keys()];
}

/** Returns an event in the given language, else in the other one. Throws for an unknown id: ids come from `getEventIds`. */
export async function getEvent(id: string, locale: Locale): Promise<EventText> {
  const text = (await getEventsByFolder(locale)).get(id);
  if (!text) throw new Error(`src/content/event/${id} has no text`);
  return text;
}

/** Returns all events, each in the given language if written in it, the earliest first. */
export async function getEvents(locale: Locale): Promise<EventText[]> {
  return [...(await getEventsByFolder(locale)).values()];
}

/** Returns page and poster of the bookable events, by activity uid. */
export async function getEventsByActivity(locale: Locale): Promise<Record<string, { id: string; poster: string }>> {
  const entries = (await getEvents(locale)).flatMap(({ folder, data: { activity, poster } }) =>
    activity ? [[activity, { id: folder, poster }] as const] : [],
  );
  return Object.fromEntries(entries);
}
