import * as v from "valibot";

// The properties that Google requires, and those that it recommends and every shop's content has:
// https://developers.google.com/search/docs/appearance/structured-data/search-gallery

const text = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.regex(/^https?:\/\/\S+$/));
const urls = v.pipe(v.array(url), v.nonEmpty());
const time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/));
const day = v.pipe(v.string(), v.isoDate());
const named = v.looseObject({ "@type": text, name: text });
const schemaUrl = (names: readonly string[]) => v.picklist(names.map((name) => `https://schema.org/${name}`));

const offer = v.looseObject({
  "@type": v.literal("Offer"),
  url,
  price: v.pipe(v.string(), v.regex(/^\d+(\.\d\d)?$/)),
  priceCurrency: v.pipe(v.string(), v.length(3)),
  // Unknown where a site is built without a server.
  availability: v.optional(schemaUrl(["InStock", "OutOfStock", "SoldOut"])),
});

const musicEvent = v.pipe(
  v.looseObject({
    "@type": v.literal("MusicEvent"),
    name: text,
    description: text,
    url,
    image: v.union([url, urls]),
    startDate: time,
    doorTime: v.optional(time),
    endDate: v.optional(time),
    previousStartDate: v.optional(time),
    eventStatus: schemaUrl(["EventScheduled", "EventRescheduled", "EventCancelled"]),
    eventAttendanceMode: schemaUrl(["OfflineEventAttendanceMode"]),
    location: v.looseObject({ name: text, address: v.looseObject({ addressLocality: text, addressCountry: text }) }),
    performer: v.optional(v.pipe(v.array(named), v.nonEmpty())),
    organizer: named,
    offers: v.optional(offer),
  }),
  v.check(
    ({ eventStatus, previousStartDate }) => eventStatus.endsWith("/EventRescheduled") === (previousStartDate !== undefined),
    "previousStartDate goes with EventRescheduled",
  ),
);

const trailItem = v.looseObject({ "@type": v.literal("ListItem"), position: v.number(), name: text, item: v.optional(url) });
const listItem = v.looseObject({ "@type": v.literal("ListItem"), position: v.number(), url });
/** A list whose positions count from 1. */
const inOrder = <Item extends v.GenericSchema<unknown, { position: number }>>(item: Item) =>
  v.pipe(
    v.array(item),
    v.nonEmpty(),
    v.check((items) => items.every(({ position }, index) => position === index + 1), "positions count from 1"),
  );

const node = v.variant("@type", [
  musicEvent,
  v.looseObject({
    "@type": v.literal("Product"),
    name: text,
    description: text,
    image: v.optional(urls),
    sku: text,
    brand: named,
    offers: v.union([offer, v.pipe(v.array(offer), v.nonEmpty())]),
  }),
  v.looseObject({
    "@type": v.literal("NewsArticle"),
    headline: text,
    url,
    image: urls,
    datePublished: day,
    inLanguage: text,
    author: named,
    publisher: named,
  }),
  v.looseObject({
    "@type": v.literal("BreadcrumbList"),
    itemListElement: v.pipe(inOrder(trailItem), v.minLength(2)),
  }),
  v.looseObject({ "@type": v.literal("ItemList"), itemListElement: inOrder(listItem) }),
  v.looseObject({ "@type": v.literal("Organization"), "@id": url, name: text, url, logo: url, sameAs: v.optional(urls) }),
  v.looseObject({ "@type": v.literal("WebSite"), name: text, url, inLanguage: text, publisher: v.looseObject({ "@id": url }) }),
  v.looseObject({ "@type": v.literal("WebPage"), name: text, url, inLanguage: text, dateModified: v.optional(day) }),
]);

const graph = v.object({ "@context": v.literal("https://schema.org"), "@graph": v.pipe(v.array(node), v.nonEmpty()) });

/** Returns what search engines would reject of a page's structured data, with the property; nothing where it is right. */
export function findGraphFaults(json: string): string[] {
  const { issues = [] } = v.safeParse(graph, JSON.parse(json));
  return issues.map((issue) => `${v.getDotPath(issue) ?? "graph"}: ${issue.message}`);
}

/** What the sitemap has of a page's nodes. */
interface Facts {
  dateModified?: string;
  datePublished?: string;
  image?: string | string[];
}

/** Returns the nodes of a page's structured data; none without it. */
export function readGraph(html: string): Facts[] {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  return json ? JSON.parse(json)["@graph"] : [];
}
