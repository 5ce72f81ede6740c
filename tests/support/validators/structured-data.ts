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
  /** Those of the recommended ones that the shop has a value for. */
  recommended: Values;
  /** What we add ourselves. */
  own?: Values;
  /** Why pages may lack one of them. */
  optional?: Record<string, string>;
}

const search = { "potentialAction.target": v.pipe(url, v.includes("={q}")), "potentialAction.query-input": text };

const show = {
  page: "event",
  required: { name: text, startDate: time, location: node, "location.address": node },
  recommended: {
    description: text,
    eventStatus: oneOf("EventScheduled", "EventRescheduled", "EventCancelled"),
    image: url,
    "location.name": text,
    organizer: node,
    "organizer.name": text,
    "organizer.url": url,
  },
  own: {
    url,
    eventAttendanceMode: oneOf("OfflineEventAttendanceMode"),
    "location.address.addressLocality": text,
    "location.address.addressCountry": text,
  },
};

/** The rules of every kind of node that pages have. */
export const rules: Record<string, Rule> = {
  MusicEvent: {
    ...show,
    recommended: {
      ...show.recommended,
      endDate: time,
      offers: node,
      "offers.availability": oneOf("InStock", "SoldOut", "PreOrder"),
      "offers.price": price,
      "offers.priceCurrency": currency,
      "offers.url": url,
      "offers.validFrom": time,
      performer: node,
      "performer.name": text,
      previousStartDate: time,
    },
    own: { ...show.own, doorTime: time, "offers.validThrough": time },
    optional: {
      offers: "a show without booking has no price in the files, not even that of free entry",
      "offers.availability": "the site is built without a server, which knows whether an open show is full",
      previousStartDate: "the show has not moved",
    },
  },
  "MusicEvent of a tour": {
    ...show,
    recommended: { ...show.recommended, previousStartDate: time },
    own: { ...show.own, superEvent: node, "superEvent.name": text },
    optional: { previousStartDate: "the stop has not moved" },
  },
  Product: {
    page: "merchant-listing",
    required: { name: text, image: url, offers: node, "offers.price": price, "offers.priceCurrency": currency },
    recommended: {
      "brand.name": text,
      description: text,
      sku: text,
      "offers.availability": oneOf("InStock", "OutOfStock", "PreOrder"),
      "offers.url": url,
    },
    own: { "offers.sku": text, "offers.availabilityStarts": time },
    optional: { "offers.sku": "a pass has no variants", "offers.availabilityStarts": "it is no pre-order" },
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
  },
  ItemList: {
    page: "carousel",
    required: { itemListElement: node, "itemListElement.position": v.number(), "itemListElement.url": url },
    recommended: {},
  },
  Organization: {
    page: "organization",
    required: {},
    recommended: { name: text, url, logo: url, sameAs: url, contactPoint: node },
    own: { "@id": url },
    optional: { sameAs: "the shop names no accounts", contactPoint: "the contact is neither mail nor telephone" },
  },
  WebSite: {
    page: "site-names",
    required: { name: text, url },
    recommended: { alternateName: text },
    own: { description: text, inLanguage: text, "publisher.@id": url, ...search },
  },
  // No rich result: it has the day of the last change for the sitemap.
  WebPage: {
    page: "search-gallery",
    required: {},
    recommended: {},
    own: { name: text, url, inLanguage: text, dateModified: day },
    optional: { dateModified: "the files say no day" },
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

/** Returns the kind of a node, which has the rule: its type, and for a stop that it is part of a tour. */
export const getKind = (of: Node) => `${of["@type"]}${of.superEvent ? " of a tour" : ""}`;

function findNodeFaults(of: Node): string[] {
  const rule = rules[getKind(of)];
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
