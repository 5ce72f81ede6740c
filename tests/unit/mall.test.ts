import { describe, expect, it } from "vitest";
import { goods as texts } from "#i18n/goods.ts";
import type { Goods } from "#src/api/goods.ts";
import { getExpiryOnRenewal } from "#src/api/package.ts";
import { toItemKey } from "#src/api/render-key.ts";
import { getCardSize, soldOutLast, toCard, toSlug } from "#src/features/goods/card.ts";
import { compare, getMembershipChange, getOffer, getUnavailableReason } from "#src/features/package/membership-change.ts";
import { toSrcset } from "#src/lib/picture.ts";
import { toTint } from "#src/lib/tint.ts";
import { createItem, createPackage } from "#tests/support/contract/samples.ts";

const t = texts["en-US"];
const withStocks = (goods_uid: string, stocks: number[], rest: Partial<Goods> = {}) => {
  const skus = stocks.map((stock, index) => ({
    sku_uid: `${goods_uid}-${index}`,
    values: [],
    pay_fen: 9800 + index * 100,
    stock,
  }));
  return createItem({ goods_uid, skus, price_fen: 9800, ...rest });
};

describe("an item card", () => {
  it("shows a from price when variants differ in price", () => {
    expect(toCard(withStocks("a", [50]), t)).toMatchObject({ price: "¥98", before: "", after: "", tag: "", stock: undefined });
    expect(toCard(withStocks("a", [50, 50]), t)).toMatchObject({ before: "from ", after: "" });
    expect(toCard(withStocks("a", [50, 50]), texts["zh-CN"])).toMatchObject({ before: "", after: "起" });
  });

  it("shows the lowest price of the variants that are not sold out", () => {
    expect(toCard(withStocks("a", [0, 50]), t)).toMatchObject({ price: "¥99", before: "", after: "" });
    expect(toCard(withStocks("a", [0, 50, 50]), t)).toMatchObject({ price: "¥99", before: "from ", after: "" });
    expect(toCard(withStocks("a", [0, 0]), t)).toMatchObject({ price: "¥98", before: "", after: "" });
  });

  it("shows a low stock and a sold-out tag", () => {
    expect(toCard(withStocks("a", [3, 4]), t)).toMatchObject({ tag: "7 left", stock: "low" });
    expect(toCard(withStocks("a", [0, 0]), t)).toMatchObject({ tag: "Sold out", stock: "out" });
  });

  it("shows a tag of a pre-order until it is sent, while it is in stock", () => {
    const [ahead, past] = [1, -1].map((step) => new Date(Date.now() + step * 3600_000).toISOString());
    const draw = (stocks: number[], ships_at?: string | null) => toCard(withStocks("a", stocks, { ships_at }), t);
    expect(draw([50], ahead)).toMatchObject({ tag: "Pre-order", stock: undefined, ships: ahead });
    expect(draw([7], ahead)).toMatchObject({ tag: "Pre-order · 7 left", stock: "low", ships: ahead });
    expect(draw([0], ahead)).toMatchObject({ tag: "Sold out", ships: undefined });
    for (const none of [past, null, undefined]) expect(draw([50], none)).toMatchObject({ tag: "", ships: undefined });
  });

  it("shows the list price when it is higher", () => {
    expect(toCard(withStocks("a", [50], { list_price_fen: 12_800 }), t).listPrice).toBe("¥128");
    expect(toCard(withStocks("a", [50], { list_price_fen: 9800 }), t).listPrice).toBe("");
  });
});

describe("a grid of cards", () => {
  // Of twelve columns; a large card takes six in two rows.
  const columns = (size: string) =>
    size.includes("feature") ? 12 : size.includes("whole") ? 12 : size.includes("most") ? 8 : size.includes("third") ? 4 : 3;
  const phoneColumns = (size: string) => (size.includes("wide") ? 2 : 1);
  const counts = Array.from({ length: 41 }, (_, index) => index + 1);

  it.each(counts)("leaves no hole with %i cards, on wide screens and on phones", (count) => {
    const sizes = Array.from({ length: count }, (_, index) => getCardSize(index, count));
    for (const [width, of] of [
      [columns, 12],
      [phoneColumns, 2],
    ] as const)
      expect(sizes.reduce((total, size) => total + width(size), 0) % of).toBe(0);
  });
});

describe("the item list", () => {
  it("keeps the server's order with sold-out items last", () => {
    const list = [withStocks("a", [0]), withStocks("b", [1]), withStocks("c", [0]), withStocks("d", [2])];
    expect(soldOutLast(list).map(({ goods_uid }) => goods_uid)).toEqual(["b", "d", "a", "c"]);
  });

  it("converts category names to URL slugs", () => {
    expect([toSlug("At the show"), toSlug("Records"), toSlug(" R&B / Soul "), toSlug("唱片")]).toEqual([
      "at-the-show",
      "records",
      "r-b-soul",
      "唱片",
    ]);
  });
});

describe("the render key of an item", () => {
  const createResponse = (info: Goods, fen = 1200) => ({ info, postage: { fen, free_from_fen: 19_900 } });
  it("changes with price, postage and low stock, but not with plentiful stock", () => {
    const before = toItemKey(createResponse(withStocks("a", [300])));
    expect(toItemKey(createResponse(withStocks("a", [299])))).toBe(before);
    expect(toItemKey(createResponse(withStocks("a", [20])))).not.toBe(before);
    expect(toItemKey(createResponse(withStocks("a", [300], { on_sale: false })))).not.toBe(before);
    expect(toItemKey(createResponse(withStocks("a", [300]), 0))).not.toBe(before);
    expect(toItemKey(createResponse(withStocks("a", [300], { ships_at: "2027-03-01T00:00:00Z" })))).not.toBe(before);
    expect(toItemKey({})).not.toBe(before);
  });
});

const [now, later, more] = ["2027-01-01T00:00:00.000Z", "2028-01-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"];

describe("the change of a membership by a package", () => {
  it.each([
    ["a visitor", null, { kind: "visitor" }],
    ["a first package", { current_expires_at: null, new_expires_at: later }, { kind: "fresh", after: later }],
    [
      "a package of the same level",
      { current_expires_at: now, new_expires_at: later },
      { kind: "extended", now, after: later },
    ],
    ["a package of a higher level", { current_expires_at: now, new_expires_at: more }, { kind: "upgraded", now, after: more }],
    ["a package of a lower level", { current_expires_at: now, new_expires_at: null }, { kind: "lower", now }],
  ])("getMembershipChange returns the change for %s", (_, preview, change) => {
    expect(getMembershipChange({ info: createPackage(), preview })).toMatchObject(change);
  });

  it("is none when the member's orders have as many as one member can buy", () => {
    const data = { info: createPackage({ limit: 0 }), preview: { current_expires_at: now, new_expires_at: later } };
    expect(getMembershipChange(data)).toEqual({ kind: "full", now });
    expect(getExpiryOnRenewal(data)).toBeNull();
    expect(getExpiryOnRenewal({ ...data, info: createPackage() })).toBe(later);
    const unlimited = { ...data, info: createPackage({ limit: null }) };
    expect([getMembershipChange(unlimited).kind, getExpiryOnRenewal(unlimited)]).toEqual(["extended", later]);
    expect(getExpiryOnRenewal({ ...data, info: createPackage({ stock: 0 }) })).toBeNull();
  });

  it("is blocked when the package is sold out or off sale", () => {
    expect(getUnavailableReason({ info: createPackage(), preview: null })).toBeNull();
    expect(getUnavailableReason({ info: createPackage({ stock: 0 }), preview: null })).toBe("soldOut");
    expect(getUnavailableReason({ info: createPackage({ on_sale: false, stock: 0 }), preview: null })).toBe("offSale");
  });
});

describe("the offer of a package", () => {
  const at = { current_expires_at: now, new_expires_at: later };
  const first = { current_expires_at: null, new_expires_at: later };
  it.each([
    ["opens it to a visitor", {}, null, { kind: "buy", action: "open" }],
    ["opens it to a member without a pass", {}, first, { kind: "buy", action: "open" }],
    ["renews a pass of the same level", {}, at, { kind: "buy", action: "renew" }],
    ["upgrades a lower pass", {}, { ...at, new_expires_at: more }, { kind: "buy", action: "upgrade" }],
    ["leads to a higher pass", {}, { ...at, new_expires_at: null }, { kind: "own" }],
    ["leads to the passes that reach the limit", { limit: 0 }, at, { kind: "own" }],
    ["is blocked by unpaid orders that reach the limit", { limit: 0 }, first, { kind: "blocked", reason: "full" }],
    ["is blocked when it is sold out", { stock: 0 }, at, { kind: "blocked", reason: "soldOut" }],
    ["is blocked when it is off sale", { on_sale: false }, null, { kind: "blocked", reason: "offSale" }],
    ["leads a holder to the own pass when it is off sale", { on_sale: false, limit: 0 }, at, { kind: "own" }],
  ] as const)("%s", (_, fields, preview, offer) => {
    const data = { info: createPackage(fields), preview };
    expect(getOffer(data, getMembershipChange(data))).toEqual(offer);
  });
});

describe("the package comparison", () => {
  const rights = (...rows: [icon: string, title: string][]) => ({ rights: rows.map(([icon, title]) => ({ icon, title })) });

  it("has a row for each right by its own title", () => {
    const passes = [rights(["clock", "24-hour early booking"]), rights(["clock", "48-hour early booking"]), rights()];
    expect(compare(passes)).toEqual([
      { title: "24-hour early booking", has: [true, false, false], isAtTheDoor: false },
      { title: "48-hour early booking", has: [false, true, false], isAtTheDoor: false },
    ]);
  });

  it("has one row for a kind of right that each words in its own way", () => {
    const passes = [rights(["clock", "Books two days early"]), rights(["clock", "Books first"]), rights()];
    expect(compare(passes, { clock: "Early booking" })).toEqual([
      { title: "Early booking", has: [true, true, false], own: ["two days early", "first", undefined], isAtTheDoor: false },
    ]);
    const lasting = [rights(["calendar-days", "有效 30 天"]), rights(["calendar-days", "有效 365 天"])];
    expect(compare(lasting, { "calendar-days": "有效期" })[0]?.own).toEqual(["30 天", "365 天"]);
    const hours = ["提前 24 小时订位", "提前 48 小时订位"];
    const early = hours.map((title) => rights(["clock", title]));
    expect(compare(early, { clock: "提前订位" })[0]?.own).toEqual(hours);
    const same = [rights(["clock", "First"]), rights(["clock", "First"])];
    expect(compare(same, { clock: "Early booking" })).toEqual([{ title: "First", has: [true, true], isAtTheDoor: false }]);
  });

  it("marks a right that is given at the door", () => {
    const drink = { icon: "cup", title: "A free drink", at_the_door: true };
    expect(compare([rights(["calendar", "Runs 365 days"]), { rights: [drink] }])).toEqual([
      { title: "Runs 365 days", has: [true, false], isAtTheDoor: false },
      { title: "A free drink", has: [false, true], isAtTheDoor: true },
    ]);
  });

  it("starts with the rights of all packages", () => {
    const [year, delivery] = [["calendar", "Runs 365 days"] as const, ["truck", "Free delivery"] as const];
    expect(compare([rights([...year]), rights([...delivery], [...year])])).toEqual([
      { title: "Runs 365 days", has: [true, true], isAtTheDoor: false },
      { title: "Free delivery", has: [false, true], isAtTheDoor: false },
    ]);
  });
});

describe("the address of a picture alone says", () => {
  it("which widths there are", () => {
    expect(toSrcset("/pictures/0123456789ab.m3/800.webp")).toBe(
      "/pictures/0123456789ab.m3/320.webp 320w, /pictures/0123456789ab.m3/640.webp 640w, /pictures/0123456789ab.m3/800.webp 800w",
    );
    expect(toSrcset("/pictures/0123456789ab.m3/1600.webp", "avif")?.split(", ")).toHaveLength(4);
    expect(toSrcset("/pictures/0123456789ab.m3.svg")).toBeUndefined();
    expect(toSrcset("https://example.com/pictures/0123456789ab.m3/800.webp")).toBeUndefined();
  });

  it("which colour lies behind", () => {
    expect(toTint("/pictures/0123456789ab.m3/800.webp")).toBe("tint-m3");
    expect(toTint("/pictures/0123456789ab.g0.svg")).toBe("tint-g0");
    expect(toTint("/pictures/0123456789ab.none.svg")).toBeUndefined();
    expect(toTint("https://example.com/a.jpg")).toBeUndefined();
  });
});
