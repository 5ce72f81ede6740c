import type { BreadcrumbList, Graph, ItemList, MusicEvent, NewsArticle, Offer, Product, Thing, WebPage } from "schema-dts";
import { canonicalPrefix, type Locale, withPrefix } from "#i18n/locale.ts";
import type { Activity } from "#src/api/activity.ts";
import type { Goods } from "#src/api/goods.ts";
import type { MemberPackage } from "#src/api/package.ts";
import { formatTime } from "#src/content/format.ts";
import { describeCard } from "#src/content/picture/card.ts";
import type { AboutData, Picture, SiteData } from "#src/content/shop.ts";
import type { CampaignText } from "#src/features/campaign/content.ts";
import type { EventText } from "#src/features/event/content.ts";
import type { NewsText } from "#src/features/news/content.ts";
import { isAhead } from "#src/lib/ahead.ts";
import { type Here, productLink } from "#src/routes.ts";

/** What a page says to search engines, which takes absolute URLs. */
export interface PageFacts {
  locale: Locale;
  /** The site. */
  origin: URL;
  /** The page. */
  url: string;
}

/** Returns the facts of a page: in all prefixes of a language its address is the canonical one. */
export function toPageFacts({ locale, path }: Here, origin = new URL("http://localhost:4321")): PageFacts {
  return { locale, origin, url: new URL(withPrefix(canonicalPrefix(locale), path), origin).href };
}

/** Returns the absolute URL of a path. */
export const toUrl = ({ origin }: PageFacts, path: string) => new URL(path, origin).href;
type Pictures = readonly Pick<Picture, "url">[];
const toImages = (page: PageFacts, pictures: Pictures) => pictures.map(({ url }) => toUrl(page, url));
const toYuan = (fen: number) => (fen / 100).toFixed(2);
const toDay = (date: Date) => date.toISOString().slice(0, 10);

/** Returns a page's nodes as JSON that text from content cannot end. */
export function toGraphJson(nodes: readonly Thing[]): string {
  const graph: Graph = { "@context": "https://schema.org", "@graph": nodes };
  return JSON.stringify(graph).replaceAll("<", "\\u003c");
}

/** Describes the way from a list to the page. */
export function describeTrail(page: PageFacts, list: { name: string; path: string }, name: string): BreadcrumbList {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: list.name, item: toUrl(page, list.path) },
      { "@type": "ListItem", position: 2, name },
    ],
  };
}

/** Describes what a list leads to, by path. */
export function describeList(page: PageFacts, name: string, paths: readonly string[]): ItemList | WebPage {
  if (paths.length === 0) return describePage(page, { title: name });
  return {
    "@type": "ItemList",
    itemListElement: paths.map((path, index) => ({ "@type": "ListItem", position: index + 1, url: toUrl(page, path) })),
  };
}

/** Describes a page that is nothing but text. */
export function describePage(
  { url, locale }: PageFacts,
  { title, updated }: Pick<AboutData, "title"> & Partial<AboutData>,
): WebPage {
  return { "@type": "WebPage", name: title, url, inLanguage: locale, ...(updated && { dateModified: toDay(updated) }) };
}

/** Describes when a page last changed, where its files say a day. */
export const describeChange = (page: PageFacts, title: string, updated: Date | undefined): WebPage[] =>
  updated ? [describePage(page, { title, updated })] : [];

const eventStatuses = {
  scheduled: "https://schema.org/EventScheduled",
  moved: "https://schema.org/EventRescheduled",
  cancelled: "https://schema.org/EventCancelled",
} as const;

interface Occasion {
  starts_at: Date;
  venue: string;
  city: string;
  status: keyof typeof eventStatuses;
  /** The old start of what has moved. */
  moved_from?: Date | undefined;
}

/** Describes where and when; all shows take place in China. */
function describeOccasion({ starts_at, venue, city, status, moved_from }: Occasion) {
  return {
    startDate: formatTime(starts_at),
    eventStatus: eventStatuses[status],
    ...(moved_from && { previousStartDate: formatTime(moved_from) }),
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    location: {
      "@type": "MusicVenue",
      name: venue,
      address: { "@type": "PostalAddress", addressLocality: city, addressCountry: "CN" },
    },
  } as const;
}

const seats = { not_open: "InStock", open: "InStock", full: "SoldOut", closed: "SoldOut" } as const;

/** Returns whether there are places, as of the build; undefined where only the server knows. Until when nobody can take one, the offer's `validFrom` says: no build follows that hour. A cancelled show keeps its offer, as Google's example of one does, and nobody can book it. */
function getSeats({ status, booking }: EventText["data"], activity: Pick<Activity, "status"> | null, now: Date) {
  if (!booking || status === "cancelled" || booking.closes_at <= now) return "SoldOut";
  return activity ? seats[activity.status] : undefined;
}

/** Describes a show at the time of the build. `activity`: its bookable side. Booking costs nothing; what a show without booking costs at the door is not in its files. */
export function describeEvent(
  page: PageFacts,
  site: SiteData,
  { data }: Pick<EventText, "data">,
  activity: Pick<Activity, "status"> | null,
  now = new Date(),
): MusicEvent {
  const { title, summary, doors_at, ends_at, line_up, booking, cover, pictures } = data;
  const left = getSeats(data, activity, now);
  const admission: Offer | undefined = booking && {
    "@type": "Offer",
    url: page.url,
    price: "0",
    priceCurrency: "CNY",
    validFrom: formatTime(booking.opens_at),
    validThrough: formatTime(booking.closes_at),
    ...(left && { availability: `https://schema.org/${left}` }),
  };
  return {
    "@type": "MusicEvent",
    name: title,
    description: summary,
    url: page.url,
    image: toImages(page, [cover, ...pictures]),
    ...describeOccasion(data),
    doorTime: formatTime(doors_at),
    endDate: formatTime(ends_at),
    performer: line_up.map((name) => ({ "@type": "MusicGroup", name }) as const),
    organizer: describeBrand(page, site),
    ...(admission && { offers: admission }),
  };
}

const describeBrand = ({ origin }: PageFacts, { brand }: SiteData) =>
  ({ "@type": "Organization", name: brand, url: origin.href }) as const;

interface Tour {
  data: Pick<CampaignText["data"], "title" | "summary" | "cover" | "stops">;
}

/** Describes each stop of a tour, whose files have its start alone. */
export function describeStops(page: PageFacts, site: SiteData, { data }: Tour): MusicEvent[] {
  const { title, summary, cover, stops } = data;
  return stops.map((stop) => ({
    "@type": "MusicEvent",
    name: `${title} · ${stop.city}`,
    description: summary,
    url: page.url,
    image: toUrl(page, cover.url),
    ...describeOccasion(stop),
    organizer: describeBrand(page, site),
    superEvent: { "@type": "EventSeries", name: title },
  }));
}

const availability = (inStock: boolean) => `https://schema.org/${inStock ? "InStock" : "OutOfStock"}` as const;

/** Describes what items and passes have in common. Where the server gives no pictures, the share card is one. */
async function describeProduct(
  page: PageFacts,
  site: SiteData,
  { title, summary, images = [] }: { title: string; summary: string; images?: Pictures | undefined },
) {
  const pictures = images.length > 0 ? images : [{ url: await describeCard(site, page.locale, title) }];
  return {
    "@type": "Product",
    name: title,
    description: summary,
    image: toImages(page, pictures),
    brand: { "@type": "Brand", name: site.brand },
  } as const;
}

/** Describes an item with an offer for each SKU, as of the build. */
export async function describeGoods(page: PageFacts, site: SiteData, goods: Goods, now = Date.now()): Promise<Product> {
  const starts = isAhead(goods.ships_at, now) ? formatTime(new Date(goods.ships_at)) : undefined;
  return {
    ...(await describeProduct(page, site, goods)),
    sku: goods.goods_uid,
    offers: goods.skus.map(({ sku_uid, values, pay_fen, stock }) => ({
      "@type": "Offer",
      sku: sku_uid,
      ...(values.length > 0 && { name: values.join(" ") }),
      url: toUrl(page, productLink(canonicalPrefix(page.locale), { uid: goods.goods_uid, sku_uid })),
      priceCurrency: "CNY",
      price: toYuan(pay_fen),
      ...(starts && goods.on_sale && stock > 0
        ? ({ availability: "https://schema.org/PreOrder", availabilityStarts: starts } as const)
        : { availability: availability(goods.on_sale && stock > 0) }),
    })),
  };
}

/** Describes a pass with its offer, as of the build. */
export async function describePackage(page: PageFacts, site: SiteData, item: MemberPackage): Promise<Product> {
  return {
    ...(await describeProduct(page, site, item)),
    sku: item.uid,
    offers: {
      "@type": "Offer",
      url: page.url,
      priceCurrency: "CNY",
      price: toYuan(item.pay_fen),
      availability: availability(item.on_sale && item.stock !== 0),
    },
  };
}

/** Returns when a news item came out: at its `publish_at` where that is after the day that it bears. */
export const getReleaseTime = ({ date, publish_at = date }: Pick<NewsText["data"], "date" | "publish_at">): Date =>
  publish_at > date ? publish_at : date;

/** Describes a news item. */
export function describeNews(
  page: PageFacts,
  site: SiteData,
  { data, locale }: Pick<NewsText, "data" | "locale">,
): NewsArticle {
  const publisher = describeBrand(page, site);
  const published = formatTime(getReleaseTime(data)).slice(0, 10);
  const updated = data.updated ? toDay(data.updated) : "";
  return {
    "@type": "NewsArticle",
    headline: data.title,
    description: data.summary,
    url: page.url,
    image: toImages(page, [data.cover, ...data.pictures]),
    datePublished: published,
    // Nobody has seen an earlier change.
    ...(updated >= published && { dateModified: updated }),
    inLanguage: locale,
    author: data.author ? { "@type": "Person", name: data.author } : publisher,
    publisher,
  };
}
