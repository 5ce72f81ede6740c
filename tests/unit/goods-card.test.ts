import { describe, expect, it } from "vitest";
import { goods as texts } from "../../i18n/goods.ts";
import type { Goods } from "../../src/api/goods.ts";
import { toItemKey } from "../../src/api/render-key.ts";
import { soldOutLast, toCard, toSlug } from "../../src/features/goods/card.ts";

const t = texts["en-US"];
const createItem = (uid: string, stocks: number[], rest: Partial<Goods> = {}): Goods => ({
  goods_uid: uid,
  title: uid,
  summary: "",
  detail: [],
  images: [],
  category: "Records",
  price_fen: 9800,
  sold: 0,
  list_price_fen: null,
  limit_per_member: 5,
  on_sale: true,
  specs: [],
  skus: stocks.map((stock, index) => ({ sku_uid: `${uid}-${index}`, values: [], pay_fen: 9800 + index * 100, stock })),
  ...rest,
});

describe("an item card", () => {
  it("shows a from price when variants differ in price", () => {
    expect(toCard(createItem("a", [50]), t)).toMatchObject({ price: "¥98", from: ["", ""], tag: "", soldOut: false });
    expect(toCard(createItem("a", [50, 50]), t).from).toEqual(["from ", ""]);
    expect(toCard(createItem("a", [50, 50]), texts["zh-CN"]).from).toEqual(["", "起"]);
  });

  it("shows a low stock and a sold-out tag", () => {
    expect(toCard(createItem("a", [3, 4]), t).tag).toBe("7 left");
    expect(toCard(createItem("a", [0, 0]), t)).toMatchObject({ tag: "Sold out", soldOut: true });
  });

  it("shows the list price when it is higher", () => {
    expect(toCard(createItem("a", [50], { list_price_fen: 12_800 }), t).listPrice).toBe("¥128");
    expect(toCard(createItem("a", [50], { list_price_fen: 9800 }), t).listPrice).toBe("");
  });
});

describe("the item list", () => {
  it("keeps the server's order with sold-out items last", () => {
    const list = [createItem("a", [0]), createItem("b", [1]), createItem("c", [0]), createItem("d", [2])];
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
    const before = toItemKey(createResponse(createItem("a", [300])));
    expect(toItemKey(createResponse(createItem("a", [299])))).toBe(before);
    expect(toItemKey(createResponse(createItem("a", [20])))).not.toBe(before);
    expect(toItemKey(createResponse(createItem("a", [300], { on_sale: false })))).not.toBe(before);
    expect(toItemKey(createResponse(createItem("a", [300]), 0))).not.toBe(before);
    expect(toItemKey({})).not.toBe(before);
  });
});
