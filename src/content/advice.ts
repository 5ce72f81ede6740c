import { type Locale, locales } from "#i18n/locale.ts";
import { findEmoji } from "#src/lib/emoji.ts";
import { formatYuan } from "#src/lib/format.ts";
import { matchRoute } from "#src/routes.ts";
import { formatTime } from "./format.ts";
import { isPublished } from "./publish.ts";
import { givenRights } from "./schema/package.ts";
import { getFacts, getText, type Shop, type ShopEntry } from "./shop.ts";
import { audioName } from "./shop-files.ts";
import { adviseOnTemplates } from "./templates.ts";

// What an author may want to change. Nothing of it fails a build.

const languages: Record<Locale, string> = { "zh-CN": "Chinese", "en-US": "English" };
/** Characters from which on a list cuts a text or a card grows. */
const long = { title: { "zh-CN": 30, "en-US": 70 }, summary: { "zh-CN": 80, "en-US": 180 } } as const;
/** What a page shows, and one language may lack. */
const optionalWords = ["way", "programme", "terms", "badge", "short", "steps"];

interface Publication {
  draft?: boolean | undefined;
  publish_at?: Date | undefined;
}
type Words = { title: string; summary: string };
const firstFile = <Data>(entry: ShopEntry<Data>) => getText(entry, "zh-CN").file;

/** Returns advice on a shop without faults: `<file>: <advice>`. `isOnSite` says which shows the last build has, where there is one. */
export function getAdvice(shop: Shop, now = new Date(), isOnSite: (eventId: string) => boolean = () => true): string[] {
  const { event, news, goods, package: packages, campaign, about } = shop;
  return [
    ...adviseOnTemplates(shop),
    ...[event, news, goods, packages, campaign, about].flatMap((entries: readonly ShopEntry<Words>[]) =>
      entries.flatMap(adviseOnWords),
    ),
    ...adviseOnCovers(event, "the show gets a poster of its title"),
    ...adviseOnCovers(goods, "the item gets a poster of its title"),
    ...adviseOnCovers(campaign, "the tour gets a pattern"),
    ...[...event, ...news, ...goods, ...packages, ...campaign].flatMap((entry) => [
      ...adviseOnEmoji(entry),
      ...adviseOnPublication(entry, now),
    ]),
    ...event.flatMap((entry) => [...adviseOnBooking(entry, now), ...adviseOnTimes(entry, now, isOnSite)]),
    ...adviseOnPlan(shop, now),
    ...[...event, ...news, ...campaign].flatMap(adviseOnDoublePictures),
    ...[...goods, ...packages].flatMap(adviseOnPrices),
    ...packages.flatMap(adviseOnRights),
    ...packages.flatMap((entry) => adviseOnEarlyBooking(entry, event, now)),
    ...packages.flatMap(adviseOnPassText),
    ...campaign.flatMap((entry) => adviseOnStops(entry, now)),
    ...adviseOnLinks(shop, now),
    ...shop.remarks,
    ...shop.unusedFiles.map((path) =>
      audioName.test(path)
        ? `${path}: no text names this audio, such as: audio: [{title: …, file: …}]`
        : `${path}: no text names this picture, such as: cover: {file: …, alt: …}`,
    ),
  ];
}

function adviseOnWords(entry: ShopEntry<Words>): string[] {
  const missing = locales.filter((locale) => !entry.texts.some((text) => text.locale === locale));
  const [first, second] = entry.texts;
  const folder = firstFile(entry).replace(/[^/]*$/, "");
  return [
    ...missing.map(
      (locale) => `${folder}index.${locale}.md: is not there: ${languages[locale]} pages show the text in the other language`,
    ),
    ...entry.texts.flatMap(({ file, locale, data }) =>
      (["title", "summary"] as const).flatMap((field) => {
        const length = [...data[field]].length;
        const max = long[field][locale];
        return length > max ? [`${file}: ${field}: has ${length} characters; up to ${max} fit into lists`] : [];
      }),
    ),
    ...(first && second
      ? optionalWords.flatMap((field) => {
          const [one, other] = [first, second].map(({ data }) =>
            Object.entries(data).some(([key, value]) => key === field && value !== undefined),
          );
          return one === other ? [] : [`${(one ? second : first).file}: ${field}: is missing, but the other language has it`];
        })
      : []),
  ];
}

function adviseOnCovers(entries: readonly ShopEntry<{ cover: { isPoster?: true | undefined } }>[], gets: string): string[] {
  return entries.filter((entry) => getFacts(entry).cover.isPoster).map((entry) => `${firstFile(entry)}: has no cover: ${gets}`);
}

function adviseOnEmoji({ texts }: ShopEntry<{ title: string; cover: { isPoster?: true | undefined } }>): string[] {
  return texts.flatMap(({ file, data: { title, cover } }) => {
    const [first] = findEmoji(title);
    return first && cover.isPoster
      ? [`${file}: title: the poster of the title lacks ${first}, which no font of it has: a cover of your own may show it`]
      : [];
  });
}

function adviseOnPublication(entry: ShopEntry<Publication>, now: Date): string[] {
  const { draft, publish_at } = getFacts(entry);
  if (isPublished({ draft, publish_at }, now)) return [];
  return [
    `${firstFile(entry)}: is not on the site: ${draft ? "draft is true" : `publish_at is ${publish_at && formatTime(publish_at)}`}`,
  ];
}

function adviseOnBooking(entry: Shop["event"][number], now: Date): string[] {
  const { booking, status, starts_at } = getFacts(entry);
  if (status === "cancelled" || starts_at < now || booking) return [];
  return [`${firstFile(entry)}: has no booking: nobody can book a place`];
}

const day = 24 * 3600_000;
/** How long before a show its booking may close, and how long a show may last, in ms, before a date is likely to be wrong. */
const longest = { closed: 14 * day, show: 4 * day };

/** The most natural wrong date is a year early or late. */
function adviseOnTimes(entry: Shop["event"][number], now: Date, isOnSite: (eventId: string) => boolean): string[] {
  const { booking, status, starts_at, ends_at, aliases = [], ...publication } = getFacts(entry);
  if (status === "cancelled") return [];
  const file = firstFile(entry);
  const advice: string[] = [];
  if (ends_at <= now && isPublished(publication, now) && ![entry.id, ...aliases].some(isOnSite))
    advice.push(`${file}: starts_at: is ${formatTime(starts_at)}: a new show that is over stands among the past ones`);
  if (ends_at.getTime() - starts_at.getTime() > longest.show)
    advice.push(`${file}: ends_at: is ${formatTime(ends_at)}, and starts_at ${formatTime(starts_at)}: is that what you mean?`);
  if (booking && booking.closes_at <= now && starts_at.getTime() - booking.closes_at.getTime() > longest.closed)
    advice.push(
      `${file}: booking, closes_at: is ${formatTime(booking.closes_at)}: booking is closed, and the show is on ${formatTime(starts_at)}`,
    );
  return advice;
}

/** The banner of a cancelled show has neither date nor link; that of one that is over is gone. */
function adviseOnPlan({ site, event }: Shop, now: Date): string[] {
  const id = site["zh-CN"].plan?.event;
  const entry = event.find((entry) => entry.id === id);
  if (!entry) return [];
  const { status, ends_at } = getFacts(entry);
  const reason = status === "cancelled" ? "cancelled" : ends_at <= now ? "over" : null;
  return reason ? [`site.yaml: plan, event: ${id} is ${reason}: name another show, or leave plan out`] : [];
}

function adviseOnDoublePictures({ texts }: ShopEntry<{ pictures: readonly { url: string }[] }>): string[] {
  return texts.flatMap(({ file, pictures, data }) =>
    data.pictures.flatMap(({ url }, index) =>
      pictures.includes(url)
        ? [`${file}: pictures ${index + 1}: stands in the text too, so the page has it twice: leave it out of one of them`]
        : [],
    ),
  );
}

/** Fen from which on a price may be a slip of the decimal point. */
const highPrice = 1_000_000;

interface Priced {
  price?: number | undefined;
  skus?: readonly { price: number }[] | undefined;
}

function adviseOnPrices(entry: ShopEntry<Priced>): string[] {
  const { price, skus } = getFacts(entry);
  const highest = Math.max(price ?? 0, ...(skus ?? []).map((sku) => sku.price));
  return highest > highPrice ? [`${firstFile(entry)}: price: is ${formatYuan(highest)}: is that what you mean?`] : [];
}

function adviseOnRights(entry: Shop["package"][number]): string[] {
  return getFacts(entry).rights.flatMap(({ kind, title }) =>
    givenRights.has(kind) || kind === "at_the_door"
      ? []
      : [
          `${firstFile(entry)}: rights: ${title} is given at the door: the software knows ${[...givenRights].join(", ")}, not ${kind}`,
        ],
  );
}

/** A promise of a pass that no show keeps any more. */
function adviseOnEarlyBooking(entry: Shop["package"][number], events: Shop["event"], now: Date): string[] {
  const { rights, level, draft } = getFacts(entry);
  if (draft || !rights.some(({ kind }) => kind === "early_booking")) return [];
  const isPossible = events.some((event) => {
    const { draft, status, booking } = getFacts(event);
    const canBeBooked = !draft && status !== "cancelled" && booking !== undefined && booking.closes_at > now;
    return canBeBooked && booking.early?.some((early) => early.level <= level);
  });
  return isPossible
    ? []
    : [
        `${firstFile(entry)}: rights: early_booking is kept by no show that can still be booked: those that open early are cancelled or over`,
      ];
}

function adviseOnPassText({ texts }: Shop["package"][number]): string[] {
  return texts.flatMap(({ file, body }) =>
    body.trim() === "" ? [] : [`${file}: has a text, which no page shows: pages of passes show the fields alone`],
  );
}

function adviseOnStops(entry: Shop["campaign"][number], now: Date): string[] {
  const { stops, closes_at } = getFacts(entry);
  if (closes_at <= now) return [];
  return stops.filter(({ starts_at }) => starts_at <= now).map(({ stop }) => `${firstFile(entry)}: stops: ${stop} is over`);
}

/** A link to what is not on the site yet leads nowhere. */
function adviseOnLinks({ event, news, goods, package: packages, campaign, about }: Shop, now: Date): string[] {
  const hidden = new Set<string>();
  const pages: Record<string, readonly ShopEntry<Publication>[]> = {
    event: [...event, ...campaign],
    news,
    item: goods,
    vip: packages,
  };
  for (const [page, entries] of Object.entries(pages))
    for (const entry of entries) if (!isPublished(getFacts(entry), now)) hidden.add(`${page}/${entry.id}`);
  if (hidden.size === 0) return [];
  return [event, news, about].flatMap((entries: readonly ShopEntry<unknown>[]) =>
    entries.flatMap(({ texts }) =>
      texts.flatMap(({ file, links }) =>
        links.flatMap((url) => {
          const match = matchRoute(url.replace(/[?#].*/, ""));
          const id = Object.values(match?.params ?? {})[0];
          return match && hidden.has(`${match.name}/${id}`) ? [`${file}: links to ${url}, which is not on the site yet`] : [];
        }),
      ),
    ),
  );
}
