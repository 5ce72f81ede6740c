import { expect, it } from "vitest";
import { findGraphFaults, readGraph } from "../../src/build/structured-data.ts";
import { toGraphJson } from "../../src/layouts/structured-data.ts";

const show = {
  "@type": "MusicEvent",
  name: "Entrance",
  description: "The first one.",
  url: "https://example.com/event/entrance",
  image: ["https://example.com/a.svg"],
  startDate: "2027-03-20T19:30+08:00",
  eventStatus: "https://schema.org/EventScheduled",
  eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
  location: { name: "Depot", address: { addressLocality: "Shanghai", addressCountry: "CN" } },
  organizer: { "@type": "Organization", name: "Label" },
  offers: { "@type": "Offer", url: "https://example.com/", price: "268.00", priceCurrency: "CNY" },
};
const findFaults = (node: object) => findGraphFaults(JSON.stringify({ "@context": "https://schema.org", "@graph": [node] }));

it("accepts a show with everything that search engines require", () => {
  expect(findFaults(show)).toEqual([]);
});

it.each([
  ["no name", { name: "" }, "@graph.0.name"],
  ["no place", { location: undefined }, "@graph.0.location"],
  ["a start without a zone", { startDate: "2027-03-20T19:30" }, "@graph.0.startDate"],
  ["a relative picture", { image: ["/a.svg"] }, "@graph.0.image"],
  ["a price in words", { offers: { ...show.offers, price: "268 yuan" } }, "@graph.0.offers.price"],
  ["another start but no old one", { eventStatus: "https://schema.org/EventRescheduled" }, "@graph.0"],
  ["an unknown kind", { "@type": "Show" }, "@graph.0.@type"],
])("names the property of a show with %s", (_, change, property) => {
  expect(findFaults({ ...show, ...change })).toEqual([
    expect.stringMatching(new RegExp(`^${property.replaceAll(".", "\\.")}\\b.*: `)),
  ]);
});

it.each([
  ["a trail of one", { "@type": "BreadcrumbList", itemListElement: [{ "@type": "ListItem", position: 1, name: "News" }] }],
  ["an empty list", { "@type": "ItemList", itemListElement: [] }],
  [
    "a list that counts from 0",
    { "@type": "ItemList", itemListElement: [{ "@type": "ListItem", position: 0, url: show.url }] },
  ],
])("rejects %s", (_, node) => {
  expect(findFaults(node)).toHaveLength(1);
});

it("text from content cannot end the block", () => {
  const name = "</script><script>alert(1)</script>";
  const html = `<script type="application/ld+json">${toGraphJson([{ "@type": "WebPage", name }])}</script>`;
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(readGraph(html)).toEqual([{ "@type": "WebPage", name }]);
});
