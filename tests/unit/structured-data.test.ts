import { expect, it } from "vitest";
import { findListDays } from "#src/build/site-map.ts";
import { describeSite } from "#src/layouts/frame-links.ts";
import {
  describeEvent,
  describeGoods,
  describeList,
  describeNews,
  describeStops,
  toGraphJson,
  toPageFacts,
} from "#src/layouts/structured-data.ts";
import { toSitemapFacts } from "#src/lib/build-record.ts";
import { readGraph } from "#tests/support/content/structured-data.ts";
import { createItem } from "#tests/support/contract/samples.ts";
import { findGraphFaults } from "#tests/support/validators/structured-data.ts";

const findFaults = (node: object) => findGraphFaults(JSON.stringify({ "@context": "https://schema.org", "@graph": [node] }));

const words = { shop: "label", title: "Label", brand: "Label", description: "A label.", postage: { fee: 0, free_from: 0 } };
const site = { ...words, accent: { light: "#00774a", dark: "#2be38e" } };

it.each([
  ["1 River Street\nhello@label.example", { "@type": "ContactPoint", email: "hello@label.example" }],
  ["https://label.example/contact\n+86 21 6000 0000", { "@type": "ContactPoint", telephone: "+862160000000" }],
  ["1 River Street", undefined],
])("the contact %j is that of the organization where it has a mail address or phone number", (contact, contactPoint) => {
  const page = toPageFacts({ prefix: "/en-US", locale: "en-US", path: "/" });
  const [organization] = describeSite(page, { ...site, contact });
  expect(Object(organization).contactPoint).toEqual(contactPoint);
});

const at = (hour: number) => new Date(Date.UTC(2027, 2, 20, hour));
const picture = { url: "/pictures/a.svg", width: 1, height: 1, alt: "" };

const texts = { title: "Entrance", summary: "The first one.", venue: "Depot", city: "Shanghai", line_up: ["Choir"] };
const booking = { places: 40, opens_at: at(2), closes_at: at(10) };
const facts = { ...texts, starts_at: at(12), doors_at: at(11), ends_at: at(14), cover: picture, pictures: [] };

it.each([
  ["an open show", "open", 8, "scheduled", "InStock"],
  ["a moved show", "open", 8, "moved", "InStock"],
  ["a full show", "full", 8, "scheduled", "SoldOut"],
  ["a show that opens later", "not_open", 1, "scheduled", "InStock"],
  ["a show of a site without a server", null, 8, "scheduled", undefined],
  ["a show that the operator has closed", "closed", 8, "scheduled", "SoldOut"],
  ["a show whose booking is over by the files", "open", 10, "scheduled", "SoldOut"],
  ["a past show", null, 15, "scheduled", "SoldOut"],
  ["a cancelled show", null, 8, "cancelled", "SoldOut"],
] as const)("offers places of %s, which is %s at %s o'clock and %s, as %s", (_, state, hour, status, expected) => {
  const data = { ...facts, booking, status, ...(status === "moved" && { moved_from: at(0) }) };
  const page = toPageFacts({ prefix: "", locale: "zh-CN", path: "/event/entrance" });
  const event = describeEvent(page, site, { data }, state && { status: state }, at(hour));
  expect(Object(event).offers).toMatchObject({ price: "0", priceCurrency: "CNY", validFrom: "2027-03-20T10:00+08:00" });
  expect(Object(event).offers.availability?.split("/").at(-1)).toBe(expected);
  expect(findFaults(Object(event))).toEqual([]);
});

it.each([
  [{ status: "scheduled" }, "EventScheduled", undefined],
  [{ status: "cancelled" }, "EventCancelled", undefined],
  [{ status: "moved", moved_from: at(0) }, "EventRescheduled", "2027-03-20T08:00+08:00"],
] as const)("describes a stop of a tour with %j as %s, with the old start %s", (status, expected, old) => {
  const stop = { ...texts, ...status, stop: "kunming", starts_at: at(12), places: 40 };
  const [show] = describeStops(page, site, { data: { ...texts, cover: picture, stops: [stop] } }).map(Object);
  expect([show.eventStatus, show.previousStartDate]).toEqual([`https://schema.org/${expected}`, old]);
  expect(findFaults(show)).toEqual([]);
});

it("has no offer for a show without booking, whose files do not say that entry is free", () => {
  const page = toPageFacts({ prefix: "", locale: "zh-CN", path: "/event/entrance" });
  const event = describeEvent(page, site, { data: { ...facts, status: "scheduled" } }, null, at(8));
  expect(event).not.toHaveProperty("offers");
  expect(findFaults(Object(event))).toEqual([]);
});

it("text from content cannot end the block", () => {
  const name = "</script><script>alert(1)</script>";
  const html = `<script type="application/ld+json">${toGraphJson([{ "@type": "WebPage", name }])}</script>`;
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(readGraph(html)).toEqual([{ "@type": "WebPage", name }]);
});

const toPage = (node: object) => toSitemapFacts([node]);
const page = toPageFacts({ prefix: "", locale: "zh-CN", path: "/news/tape" });
const day = (date: number) => new Date(Date.UTC(2026, 9, date));
const toNews = (date: number, times: { publish_at?: Date; updated?: Date } = {}) => {
  const own = {
    title: "Tape",
    summary: "It is here.",
    kind: "notice" as const,
    date: day(date),
    cover: picture,
    pictures: [],
    ...times,
  };
  return describeNews(page, site, { data: own, locale: "zh-CN" });
};

it.each([
  ["its date", {}, ["2026-10-05", undefined]],
  ["its date, with a later change", { updated: day(9) }, ["2026-10-05", "2026-10-09"]],
  // In China, it is the next day by then.
  ["the day on which it comes out", { publish_at: new Date("2026-10-14T16:30Z") }, ["2026-10-15", undefined]],
  ["that day, with a change before it", { publish_at: day(15), updated: day(9) }, ["2026-10-15", undefined]],
  ["its date, after it came out", { publish_at: day(1) }, ["2026-10-05", undefined]],
])("a news item has %s", (_, times, expected) => {
  const { datePublished, dateModified } = Object(toNews(5, times));
  expect([datePublished, dateModified]).toEqual(expected);
});

it("a list of news has the day of the last change of its items, and of the newest there or before, in the sitemap", () => {
  const toList = (...ids: string[]) =>
    toPage(
      describeList(
        page,
        "News",
        ids.map((id) => `/news/${id}`),
      ),
    );
  const pages = new Map([
    ["/news", toList("a", "b")],
    ["/news/page/2", toList("c", "late")],
    ["/news/page/3", toList("changed", "e")],
    ["/news/page/4", toList("f")],
    ["/news/a", toPage(toNews(8))],
    ["/news/b", toPage(toNews(7))],
    ["/news/c", toPage(toNews(6))],
    ["/news/late", toPage(toNews(5, { publish_at: day(12) }))],
    ["/news/changed", toPage(toNews(4, { updated: day(20) }))],
    ["/news/e", toPage(toNews(3))],
    ["/news/f", toPage(toNews(2))],
  ]);
  expect([...findListDays(pages)]).toEqual([
    ["/news", "2026-10-08"],
    ["/news/page/2", "2026-10-12"],
    ["/news/page/3", "2026-10-20"],
    ["/news/page/4", "2026-10-12"],
  ]);
});

it.each([
  ["before the day on which it is sent", 2, true, 3, "PreOrder", "2027-03-20T11:00+08:00"],
  ["from that day on", 3, true, 3, "InStock", undefined],
  ["once it is sold out", 2, true, 0, "OutOfStock", undefined],
  ["that is off sale", 2, false, 3, "OutOfStock", undefined],
])("offers a pre-order %s", async (_, hour, on_sale, stock, availability, starts) => {
  const skus = [{ sku_uid: "a", values: [], pay_fen: 100, stock }];
  const images = [picture];
  const item = createItem({ title: "Tape", summary: "Slow", images, on_sale, skus, ships_at: at(3).toISOString() });
  const page = toPageFacts({ prefix: "", locale: "zh-CN", path: "/mall/item/tape" });
  const product = await describeGoods(page, site, item, at(hour).getTime());
  expect(Object(product).offers[0]).toMatchObject({ availability: `https://schema.org/${availability}` });
  expect(Object(product).offers[0].availabilityStarts).toBe(starts);
  expect(findFaults(Object(product))).toEqual([]);
});
