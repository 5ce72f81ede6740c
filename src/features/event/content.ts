import { type CollectionEntry, getCollection } from "astro:content";
import { type Locale, locales } from "../../../i18n/locale.ts";
import { groupByLocale, type LocalizedEntry } from "../../content/translations.ts";

/** An event in one language; `locale` says in which, `folder` is its id in URLs. */
export type EventText = LocalizedEntry<CollectionEntry<"event">, Locale>;

async function read(): Promise<Map<Locale, Map<string, EventText>>> {
  const entries = await getCollection("event");
  return groupByLocale(
    entries.sort((a, b) => a.data.starts_at.getTime() - b.data.starts_at.getTime()),
    locales,
  );
}

let built: ReturnType<typeof read> | undefined;
/** A build reads all events once; in development they change while the server runs. */
async function eventsByFolder(locale: Locale): Promise<Map<string, EventText>> {
  built = import.meta.env.DEV ? read() : (built ?? read());
  return (await built).get(locale) ?? new Map();
}

/** Every event once, whatever languages it is written in. */
export async function eventIds(): Promise<string[]> {
  return [...(await eventsByFolder("zh-CN")).keys()];
}

/** An event in the asked language, or in the other one. Fails when there is none: an id comes from `eventIds`. */
export async function eventText(id: string, locale: Locale): Promise<EventText> {
  const text = (await eventsByFolder(locale)).get(id);
  if (!text) throw new Error(`src/content/event/${id} has no text`);
  return text;
}

/** All events in the asked language, the earliest first. */
export async function events(locale: Locale): Promise<EventText[]> {
  return [...(await eventsByFolder(locale)).values()];
}

/** Our events by the activity that is booked for them: where their page is, and their sheet. */
export async function eventsByActivity(locale: Locale): Promise<Record<string, { id: string; poster: string }>> {
  const known = (await events(locale)).flatMap(({ folder, data: { activity, poster } }) =>
    activity ? [[activity, { id: folder, poster }] as const] : [],
  );
  return Object.fromEntries(known);
}
