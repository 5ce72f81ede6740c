import * as v from "valibot";

const text = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.regex(/^https?:\/\/\S+$/, "is no absolute URL"));
const time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/, "is no time with its zone"));
const day = v.pipe(v.string(), v.isoDate());
const price = v.pipe(v.string(), v.regex(/^\d+(\.\d\d)?$/, "is no price"));
const currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, "is no currency"));
const node = v.looseObject({});
const oneOf = (...names: string[]) => v.picklist(names.map((name) => `https://schema.org/${name}`));

type Values = Record<string, v.GenericSchema>;

/** What a type has, by the names of Google's documentation: `offers.price` is the price of every offer. */
interface Rule {
  /** The page of https://developers.google.com/search/docs/appearance/structured-data/ where the names stand. */
  page: string;
  required: Values;
  recommended: Values;
  /** What we add ourselves. */
  own?: Values;
  /** Why pages may lack one of them. */
  optional?: Record<string, string>;
  /** Recommended properties that no page has, each with its reason. */
  left: Record<string, string>;
}

const offerLeft = {
  "offers.itemCondition": "everything is new, which is the default",
  "offers.shippingDetails": "the fee depends on the whole order and on the member's pass",
  "offers.hasMerchantReturnPolicy": "the terms are a text",
};
const search = { "potentialAction.target": v.pipe(url, v.includes("={q}")), "potentialAction.query-input": text };
const noReviews = "nobody reviews here";
const notInFiles = "no field of the shop's files";

/** The rules of every type that pages have. */
export const rules: Record<string, Rule> = {
  MusicEvent: {
    page: "event",
    required: { name: text, startDate: time, location: node, "location.address": node },
    recommended: {
      description: text,
      endDate: time,
      eventStatus: oneOf("EventScheduled", "EventRescheduled", "EventCancelled"),
      image: url,
      "location.name": text,
      offers: node,
      "offers.availability": oneOf("InStock", "SoldOut"),
      "offers.price": price,
      "offers.priceCurrency": currency,
      "offers.url": url,
      "offers.validFrom": time,
      organizer: node,
      "organizer.name": text,
      "organizer.url": url,
      performer: node,
      "performer.name": text,
      previousStartDate: time,
    },
    own: {
      url,
      doorTime: time,
      eventAttendanceMode: oneOf("OfflineEventAttendanceMode"),
      "location.address.addressLocality": text,
      "location.address.addressCountry": text,
      "offers.validThrough": time,
    },
    optional: {
      endDate: "a stop of a tour has no end",
      doorTime: "nor doors",
      performer: "nor a line-up",
      offers: "nobody can book the show",
      "offers.availability": "the site is built without a server, or booking has not opened",
      previousStartDate: "the show has not moved",
    },
    left: {},
  },
  Product: {
    page: "merchant-listing",
    required: { name: text, image: url, offers: node, "offers.price": price, "offers.priceCurrency": currency },
    recommended: {
      "brand.name": text,
      description: text,
      sku: text,
      "offers.availability": oneOf("InStock", "OutOfStock"),
      "offers.url": url,
    },
    own: { "offers.sku": text },
    optional: { "offers.sku": "a pass has no variants" },
    left: {
      ...offerLeft,
      aggregateRating: noReviews,
      review: noReviews,
      gtin: notInFiles,
      mpn: notInFiles,
      color: "a value of any spec, which has no fixed names",
      size: "a value of any spec, which has no fixed names",
      material: notInFiles,
      pattern: notInFiles,
      isVariantOf: "one page has all variants, each as an offer",
      inProductGroupWithID: "one page has all variants, each as an offer",
    },
  },
  NewsArticle: {
    page: "article",
    required: {},
    recommended: {
      author: node,
      "author.name": text,
      "author.url": url,
      dateModified: day,
      datePublished: day,
      headline: text,
      image: url,
    },
    own: { url, inLanguage: text, publisher: node, "publisher.name": text },
    optional: { "author.url": "people have no pages", dateModified: "the item has not changed" },
    left: {},
  },
  BreadcrumbList: {
    page: "breadcrumb",
    required: {
      itemListElement: node,
      "itemListElement.position": v.number(),
      "itemListElement.name": text,
      "itemListElement.item": url,
    },
    recommended: {},
    optional: { "itemListElement.item": "the last entry is the page itself" },
    left: {},
  },
  ItemList: {
    page: "carousel",
    required: { itemListElement: node, "itemListElement.position": v.number(), "itemListElement.url": url },
    recommended: {},
    left: {},
  },
  Organization: {
    page: "organization",
    required: {},
    recommended: { name: text, url, logo: url, sameAs: url, contactPoint: node },
    own: { "@id": url },
    optional: { sameAs: "the shop names no accounts", contactPoint: "the contact is neither mail nor telephone" },
    left: {
      address: notInFiles,
      alternateName: "the name is the short one",
      description: "WebSite has it",
      email: "contactPoint has it",
      telephone: "contactPoint has it",
    },
  },
  WebSite: {
    page: "site-names",
    required: { name: text, url },
    recommended: { alternateName: text },
    own: { description: text, inLanguage: text, "publisher.@id": url, ...search },
    left: {},
  },
  // No rich result: it has the day of the last change for the sitemap.
  WebPage: {
    page: "search-gallery",
    required: {},
    recommended: {},
    own: { name: text, url, inLanguage: text, dateModified: day },
    optional: { dateModified: "the files say no day" },
    left: {},
  },
};

type Node = Record<string, unknown>;
type Value = [path: string, value: unknown];
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Returns all values of a property with their paths; undefined where it is missing. A missing parent has no properties. */
export function findValues(of: unknown, path: string): Value[] {
  let found: Value[] = [["", of]];
  for (const [depth, name] of path.split(".").entries()) {
    found = found.flatMap(([parent, node]): Value[] => {
      if (!isNode(node)) return [];
      const value = node[name];
      const at = depth === 0 ? name : `${parent}.${name}`;
      if (!Array.isArray(value)) return [[at, value]];
      return value.length === 0 ? [[at, undefined]] : value.map((item, index): Value => [`${at}.${index}`, item]);
    });
  }
  return found;
}

function findNodeFaults(of: Node): string[] {
  const rule = rules[String(of["@type"])];
  if (!rule) return ["@type is no type that pages have"];
  const { required, recommended, own = {}, optional = {} } = rule;
  const faults = Object.entries({ ...required, ...recommended, ...own }).flatMap(([path, schema]) =>
    findValues(of, path).flatMap(([at, value]) => {
      if (value === undefined)
        return path in optional ? [] : [`${at} is missing${path in required ? ", which Google requires" : ""}`];
      const [issue] = v.safeParse(schema, value).issues ?? [];
      return issue ? [`${at} is ${JSON.stringify(value).slice(0, 80)}: ${issue.message}`] : [];
    }),
  );
  return [...faults, ...findContradictions(of)];
}

/** Returns what single properties do not show. */
function findContradictions({ eventStatus, previousStartDate, startDate, endDate, itemListElement, ...of }: Node): string[] {
  const isMoved = eventStatus === "https://schema.org/EventRescheduled";
  const positions = findValues({ itemListElement }, "itemListElement.position").map(([, position]) => position);
  const items = toList(itemListElement);
  return [
    ...(isMoved === (previousStartDate === undefined) ? ["previousStartDate goes with EventRescheduled"] : []),
    ...(endDate !== undefined && Date.parse(String(endDate)) <= Date.parse(String(startDate))
      ? ["endDate is not after startDate"]
      : []),
    ...(itemListElement !== undefined && positions.some((position, index) => position !== index + 1)
      ? ["itemListElement does not count from 1"]
      : []),
    ...(of["@type"] === "BreadcrumbList" && items.length < 2 ? ["itemListElement has fewer than two entries"] : []),
    ...(of["@type"] === "BreadcrumbList" && items.slice(0, -1).some((item) => isNode(item) && item.item === undefined)
      ? ["itemListElement.item is missing before the last entry"]
      : []),
  ];
}

/** Returns what search engines would reject of a page's structured data, with the property; nothing where it is right. */
export function findGraphFaults(json: string): string[] {
  const { "@context": context, "@graph": nodes }: Node = JSON.parse(json);
  if (context !== "https://schema.org") return ["@context is not https://schema.org"];
  if (!Array.isArray(nodes) || nodes.length === 0) return ["@graph is empty"];
  return nodes.flatMap((of, index) => findNodeFaults(of).map((fault) => `@graph.${index} (${of["@type"]}): ${fault}`));
}

/** What the sitemap has of a page's nodes. */
interface Facts {
  "@type"?: string;
  dateModified?: string;
  datePublished?: string;
  image?: string | string[];
  itemListElement?: { url?: string }[];
}

/** Returns the nodes of a page's structured data; none without it. */
export function readGraph(html: string): Facts[] {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  return json ? JSON.parse(json)["@graph"] : [];
}
