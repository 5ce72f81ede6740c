import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Goods } from "../../src/api/goods.ts";
import { parseSelection, resolveSelection, selectValue } from "../../src/features/goods/item/selection.ts";
import {
  type Choice,
  choose,
  findSku,
  firstChoice,
  getMaxQuantity,
  getSelectionProblem,
  getUnavailableReason,
} from "../../src/features/goods/item/sku.ts";

const made = (specs: Goods["specs"], skus: Goods["skus"], rest: Partial<Goods> = {}): Goods => ({
  ...{ goods_uid: "good", title: "", summary: "", detail: [], images: [], category: "", price_fen: 100 },
  ...{ list_price_fen: null, limit_per_member: 5, on_sale: true, sold: 0, specs, skus, ...rest },
});

const sizes = { name: "size", values: ["S", "M"] };
const inks = { name: "ink", values: ["red", "blue"] };
const sku = (stock: number, ...values: string[]) => ({ sku_uid: values.join("-") || "one", values, pay_fen: 100, stock });

/** Every combination there could be. */
function combinations(specs: Goods["specs"]): string[][] {
  return specs.reduce<string[][]>((all, { values }) => all.flatMap((start) => values.map((value) => [...start, value])), [[]]);
}

/** Any good: up to three specs, any part of their combinations made, any part of that in stock. */
const anyGood = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }).chain((counts) => {
  const specs = counts.map((count, side) => ({
    name: `spec ${side}`,
    values: Array.from({ length: count }, (_, index) => `${side}.${index}`),
  }));
  const all = combinations(specs);
  return fc
    .array(fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }), { minLength: all.length, maxLength: all.length })
    .map((stocks) =>
      made(
        specs,
        all.flatMap((values, at) => (stocks[at] === null ? [] : [sku(stocks[at] ?? 0, ...values)])),
      ),
    );
});

const open = (goods: Goods, choice: Choice) =>
  goods.specs.flatMap(({ values }, side) =>
    values.filter((value) => getUnavailableReason(goods, choice, side, value) === null).map((value) => ({ side, value })),
  );

describe("the variants of any item", () => {
  it("an available value selects a variant in stock with that value", () => {
    fc.assert(
      fc.property(anyGood, fc.infiniteStream(fc.nat()), (goods, dice) => {
        let choice = firstChoice(goods);
        for (let step = 0; step < 6; step += 1) {
          const ways = open(goods, choice);
          const way = ways[(dice.next().value ?? 0) % Math.max(1, ways.length)];
          if (!way) return;
          choice = choose(goods, choice, way.side, way.value);
          expect(choice[way.side]).toBe(way.value);
          expect(findSku(goods, choice)?.stock).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("every variant in stock is reachable from every other one, spec by spec", () => {
    fc.assert(
      fc.property(anyGood, fc.nat(), fc.nat(), (goods, one, other) => {
        const had = goods.skus.filter(({ stock }) => stock > 0);
        if (had.length === 0) return;
        const from = had[one % had.length]?.values ?? [];
        const to = had[other % had.length]?.values ?? [];
        const reached = to.reduce<Choice>((choice, value, side) => {
          expect(getUnavailableReason(goods, choice, side, value)).toBeNull();
          return choose(goods, choice, side, value);
        }, from);
        expect(reached).toEqual(to);
      }),
    );
  });

  it("an unavailable value does not change the choice", () => {
    fc.assert(
      fc.property(anyGood, (goods) => {
        const choice = firstChoice(goods);
        for (const [side, { values }] of goods.specs.entries())
          for (const value of values)
            if (getUnavailableReason(goods, choice, side, value)) expect(choose(goods, choice, side, value)).toBe(choice);
      }),
    );
  });

  it("the initial choice is purchasable if any variant is", () => {
    fc.assert(
      fc.property(anyGood, (goods) => {
        const any = goods.skus.some(({ stock }) => stock > 0);
        expect(getSelectionProblem(goods, firstChoice(goods)) === null).toBe(any);
      }),
    );
  });
});

describe("a choice of variant", () => {
  const goods = made([sizes, inks], [sku(1, "S", "red"), sku(0, "S", "blue"), sku(2, "M", "blue")]);

  it("distinguishes values that are not made from values that are sold out", () => {
    expect(getUnavailableReason(goods, ["S", "red"], 1, "blue")).toBe("soldOut");
    expect(getUnavailableReason(goods, ["M", "blue"], 1, "red")).toBe("notMade");
    expect(getUnavailableReason(goods, ["S", "red"], 0, "M")).toBeNull();
  });

  it("reports which other value changed with it", () => {
    expect(selectValue(goods, ["S", "red"], 0, "M")).toEqual({
      choice: ["M", "blue"],
      changedValue: { value: "M", from: "red", to: "blue" },
    });
    expect(selectValue(made([sizes], [sku(1, "S"), sku(1, "M")]), ["S"], 0, "M").changedValue).toBeNull();
  });

  it.each([
    ["offSale", made([], [sku(3)], { on_sale: false }), []],
    ["allSoldOut", made([], [sku(0)]), []],
    ["notMade", goods, ["M", "red"]],
    ["soldOut", goods, ["S", "blue"]],
    ["limit", made([], [sku(3)], { limit_per_member: 0 }), []],
    [null, made([], [sku(3)]), []],
  ])("has the problem %s", (trouble, one, choice) => {
    expect(getSelectionProblem(one, choice)).toBe(trouble);
  });

  it("limits the quantity by stock, purchase limit and order maximum", () => {
    expect(getMaxQuantity(sku(3), 5)).toBe(3);
    expect(getMaxQuantity(sku(900), 5)).toBe(5);
    expect(getMaxQuantity(sku(900), 200)).toBe(99);
    expect(getMaxQuantity(undefined, 5)).toBe(0);
  });
});

describe("the selection in the URL", () => {
  const goods = made([sizes], [sku(4, "S"), sku(9, "M")]);
  it.each([
    ["?sku=M&quantity=3", { choice: ["M"], quantity: 3 }],
    ["?sku=none&quantity=2", { choice: null, quantity: 2 }],
    ["", { choice: null, quantity: 1 }],
    ["?quantity=-1", { choice: null, quantity: 1 }],
    ["?quantity=1e9", { choice: null, quantity: 1 }],
    ["?quantity=1.5", { choice: null, quantity: 1 }],
    ["?quantity=x", { choice: null, quantity: 1 }],
  ])("is parsed from %j", (search, expected) => {
    expect(parseSelection(search, goods)).toEqual(expected);
  });

  it("is limited to what is available", () => {
    expect(resolveSelection(goods, { choice: ["S"], quantity: 9 })).toMatchObject({
      quantity: 4,
      maxQuantity: 4,
      problem: null,
    });
    expect(resolveSelection(goods, { choice: null, quantity: 1 })).toMatchObject({ choice: ["S"] });
  });

  it("follows the stock until the visitor chooses and is kept afterwards", () => {
    const gone = made([sizes], [sku(0, "S"), sku(9, "M")]);
    expect(resolveSelection(gone, { choice: null, quantity: 1 })).toMatchObject({ choice: ["M"], problem: null });
    expect(resolveSelection(gone, { choice: ["S"], quantity: 1 })).toMatchObject({ choice: ["S"], problem: "soldOut" });
  });
});
