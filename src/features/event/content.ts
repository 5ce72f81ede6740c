import { type CollectionEntry, getCollection } from "astro:content";
import { type Locale, locales } from "#i18n/locale.ts";
import { activityInfo, findNextOpen } from "#src/api/activity.ts";
import { joinPlace } from "#src/api/address-line.ts";
import { fetchAtBuild } from "#src/api/fetch-at-build.ts";
import { levelLetters, packageLists } from "#src/api/package.ts";
import { groupByLocale, type LocalizedEntry } from "#src/content/translations.ts";
import { buildRecord } from "#src/lib/build-record.ts";
import { formatWhen, getShortForm } from "#src/lib/date.ts";
import { getTitleSize, joinNames } from "#src/lib/format.ts";
import { toSrcset, withoutAlt } from "#src/lib/picture.ts";
import { toTint } from "#src/lib/tint.ts";
import { type Here, link } from "#src/routes.ts";

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
  if (!text) throw new Error(`event/${id} has no text`);
  return text;
}

/** Returns all events, each in the given language if written in it, the earliest first. */
export async function getEvents(locale: Locale): Promise<EventText[]> {
  return [...(await getEventsByFolder(locale)).values()];
}

/** Returns what stands beside a text about an event. */
export async function getRelatedEvent(id: string, { prefix, locale }: Here) {
  const { data, locale: textLocale } = await getEvent(id, locale);
  const { title, cover, city, starts_at } = data;
  const href = link(prefix, "event", { id });
  return {
    href,
    title,
    locale: textLocale,
    cover,
    days: [{ date: starts_at, form: getShortForm(starts_at, Date.now()) }],
    city,
    transition: `e-${id}`,
    isOver: data.ends_at < new Date() && data.status !== "cancelled",
  };
}

/** Returns the uid of an event's activity, which is the event's id; undefined where nobody can book. */
export function getActivityUid({ folder, data }: EventText): string | undefined {
  return data.booking && data.status !== "cancelled" ? folder : undefined;
}

/** Returns picture and state of the events that take bookings, by activity uid. */
export async function getEventsByActivity(locale: Locale) {
  const entries = (await getEvents(locale)).flatMap(({ folder, data: { booking, cover, status } }) =>
    booking ? [[folder, { cover: withoutAlt(cover), ...(status === "cancelled" ? { isCancelled: true } : {}) }] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Width of the banner's picture, as in HTML. */
const bannerSizes = "(min-width: 60rem) 30vw, 100vw";

/** Returns what the concert banner shows of its event; null without such an event. */
export async function getBanner(id: string | undefined, { prefix, locale }: Here) {
  const event = (await getEvents(locale)).find(({ folder, data }) => folder === id && data.status !== "cancelled");
  if (!event) return null;
  const { data, folder, locale: textLocale } = event;
  const { url, alt, width, height } = data.cover;
  const srcSet = toSrcset(url);
  const art = data.art ?? data.cover;
  if (srcSet) buildRecord.pictures.add(url.replace(/webp$/, "avif"));
  return {
    id: folder,
    date: data.starts_at.toISOString(),
    locale,
    when: formatWhen(data.starts_at, locale, Date.now()),
    where: joinPlace(data.city, data.venue, textLocale),
    ...(textLocale === locale ? {} : { lang: textLocale }),
    eventHref: link(prefix, "event", { id: folder }),
    cover: {
      ...(srcSet ? { className: toTint(url), sizes: bannerSizes, srcSet } : {}),
      src: url,
      alt,
      width,
      height,
    },
    ...(srcSet ? { avif: toSrcset(url, "avif") } : {}),
    art: toSrcset(art.url) ? { srcSet: toSrcset(art.url), sizes: "100vw" } : { srcSet: art.url },
  };
}

/** Returns what the content says of each event that takes bookings, by activity uid. Title, times and state come from the server. */
export async function getEventDetailsByActivity(locale: Locale) {
  const entries = (await getEvents(locale)).flatMap(({ folder, locale: textLocale, data }) => {
    if (!data.booking) return [];
    const details = {
      id: folder,
      locale: textLocale,
      titleSize: getTitleSize(data.title, 18),
      lineUp: joinNames(data.line_up, textLocale),
      cover: data.cover,
      terms: data.terms ?? "",
      way: data.way ?? "",
      doors: data.doors_at.toISOString(),
      isCancelled: data.status === "cancelled",
      movedFrom: (data.status === "moved" && data.moved_from?.toISOString()) || "",
    };
    return [[folder, details] as const];
  });
  return Object.fromEntries(entries);
}

const fetchActivities = () => fetchAtBuild(activityInfo, {}, "zh-CN");

/** Returns an activity as of the build; null without a server, or when the server does not have it. */
export async function fetchActivityAtBuild(uid: string) {
  return (await fetchActivities())?.list.find(({ activity_uid }) => activity_uid === uid) ?? null;
}

/** Returns the next event after a time whose booking was open as of the build; else the one before it that is still to come. */
export async function findNextBookable(uid: string, after: Date, locale: Locale): Promise<EventText | undefined> {
  const events = new Map((await getEvents(locale)).map((event) => [getActivityUid(event), event]));
  const list = (await fetchActivities())?.list.filter(({ activity_uid }) => events.has(activity_uid)) ?? [];
  const next = findNextOpen(list, { activity_uid: uid, starts_at: after.toISOString() }, Date.now());
  return next && events.get(next.activity_uid);
}

/** Returns whether an event's page offers booking. Without a server it does: the browser's call decides. */
export async function isBookable(uid: string): Promise<boolean> {
  return (await fetchActivities()) === undefined || (await fetchActivityAtBuild(uid)) !== null;
}

/**
 * Returns when booking opens for the passes that may book earlier, and then for everyone, without passes. `levelName` names a level of which there is no pass
 * by `{letter}`.
 */
export async function getOpenings({ data: { booking } }: EventText, { prefix, locale }: Here, levelName: string) {
  const packages = (await fetchAtBuild(packageLists, {}, locale))?.list ?? [];
  const early = booking?.early?.toSorted((a, b) => a.opens_at.getTime() - b.opens_at.getTime() || b.level - a.level) ?? [];
  /** The passes that may book from then on: those of the level, and higher ones without an earlier hour. By title, else by the level's letter. */
  const toPasses = (level: number, index: number) => {
    const lowestBefore = Math.min(4, ...early.slice(0, index).map((earlier) => earlier.level));
    const passes = packages
      .filter((other) => other.level >= level && other.level < lowestBefore)
      .map(({ title, uid }) => ({ title, href: link(prefix, "vip", { uid }) }));
    const letter = Object.values(levelLetters)[level - 1] ?? "";
    return passes.length > 0
      ? passes
      : [{ title: levelName.replace("{letter}", letter), href: `${link(prefix, "mall")}#passes` }];
  };
  return [
    ...early.map(({ level, opens_at }, index) => ({ passes: toPasses(level, index), opens_at })),
    ...(booking ? [{ passes: [], opens_at: booking.opens_at }] : []),
  ];
}
