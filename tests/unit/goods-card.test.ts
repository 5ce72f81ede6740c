import { describe, expect, it } from "vitest";
import { goods as texts } from "../../i18n/goods.ts";
import type { Goods } from "../../src/api/goods.ts";
import { cardOf, coverOf, slugOf, soldOutLast } from "../../src/features/goods/card.ts";
import { shownOf } from "../../src/features/goods/shown.ts";

const t = texts["en-US"];
const good = (uid: string, stocks: number[], rest: Partial<Goods> = {}): Goods => ({
  ...{ goods_uid: uid, title: uid, summary: "", detail: [], images: [], category: "Records", price_fen: 9800, sold: 0 },
  ...{ list_price_fen: null, limit_per_member: 5, on_sale: true, specs: [] },
  skus: stocks.map((stock, place) => ({ sku_uid: `${uid}-${place}`, values: [], pay_fen: 9800 + place * 100, stock })),
  ...rest,
});

describe("a card", () => {
  it("says from which price on, where there are several", () => {
    expect(cardOf(good("a", [50]), t)).toMatchObject({ price: "¥98", from: ["", ""], tag: "", soldOut: false });
    expect(cardOf(good("a", [50, 50]), t).from).toEqual(["from ", ""]);
    expect(cardOf(good("a", [50, 50]), texts["zh-CN"]).from).toEqual(["", "起"]);
  });

  it("says what is left when it is little, and that nothing is", () => {
    expect(cardOf(good("a", [3, 4]), t).tag).toBe("7 left");
    expect(cardOf(good("a", [0, 0]), t)).toMatchObject({ tag: "Sold out", soldOut: true });
  });

  it("says the price before, where it was higher", () => {
    expect(cardOf(good("a", [50], { list_price_fen: 12_800 }), t).was).toBe("¥128");
    expect(cardOf(good("a", [50], { list_price_fen: 9800 }), t).was).toBe("");
  });

  it("has a picture in any case, the same for the same good", () => {
    const none = coverOf(good("bare", [1]), "en-US");
    expect(none.url).toMatch(/^\/posters\/en-US\/g-parcel-\d+\.svg$/);
    expect(coverOf(good("bare", [1]), "en-US")).toEqual(none);
  });
});

describe("a shelf", () => {
  it("keeps the host's order, but what is sold out comes last", () => {
    const list = [good("a", [0]), good("b", [1]), good("c", [0]), good("d", [2])];
    expect(soldOutLast(list).map(({ goods_uid }) => goods_uid)).toEqual(["b", "d", "a", "c"]);
  });

  it("names kinds the same in every language's URL", () => {
    expect([slugOf("At the show"), slugOf("Records"), slugOf(" R&B / Soul "), slugOf("唱片")]).toEqual([
      "at-the-show",
      "records",
      "r-b-soul",
      "唱片",
    ]);
  });
});

describe("what a page shows", () => {
  const answer = (info: Goods, fen = 1200) => ({ info, postage: { fen, free_from_fen: 19_900 } });
  it("is another when a price, a postage or the last pieces are others, and the same while there is plenty", () => {
    const before = shownOf(answer(good("a", [300])));
    expect(shownOf(answer(good("a", [299])))).toBe(before);
    expect(shownOf(answer(good("a", [20])))).not.toBe(before);
    expect(shownOf(answer(good("a", [300], { on_sale: false })))).not.toBe(before);
    expect(shownOf(answer(good("a", [300]), 0))).not.toBe(before);
    expect(shownOf({})).not.toBe(before);
  });
});
