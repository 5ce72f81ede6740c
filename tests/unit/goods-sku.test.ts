import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Goods } from "#src/api/goods.ts";
import { toParagraphs } from "#src/content/plain-text.ts";
import {
  type Choice,
  choose,
  findSku,
  firstChoice,
  getMaxQuantity,
  getSelectionProblem,
  getUnavailableReason,
  parseSelection,
  resolveSelection,
  selectValue,
} from "#src/features/goods/item/selection.ts";
import { createItem } from "#tests/support/contract/samples.ts";

const createGoods = (specs: Goods["specs"], skus: Goods["skus"], rest: Partial<Goods> = {}) =>
  createItem({ specs, skus, ...rest });

const sizes = { name: "size", values: ["S", "M"] };
const inks = { name: "ink", values: ["red", "blue"] };
const sku = (stock: number, ...values: string[]) => ({ sku_uid: values.join("-") || "one", values, pay_fen: 100, stock });

/** Returns every combination of the specs' values. */
function combinations(specs: Goods["specs"]): string[][] {
  return specs.reduce<string[][]>((all, { values }) => all.flatMap((start) => values.map((value) => [...start, value])), [[]]);
}

/** An arbitrary item with up to three specs; any of their combinations exist, and any of these are in stock. */
const itemArbitrary = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }).chain((counts) => {
  const specs = counts.map((count, side) => ({
    name: `spec ${side}`,
    values: Array.from({ length: count }, (_, index) => `${side}.${index}`),
  }));
  const all = combinations(specs);
  return fc
    .array(fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }), { minLength: all.length, maxLength: all.length })
    .map((stocks) =>
      createGoods(
        specs,
        all.flatMap((values, at) => (stocks[at] === null ? [] : [sku(stocks[at] ?? 0, ...values)])),
      ),
    );
});

const listAvailable = (goods: Goods, choice: Choice) =>
  goods.specs.flatMap(({ values }, side) =>
    values.filter((value) => getUnavailableReason(goods, choice, side, value) === null).map((value) => ({ side, value })),
  );

describe("the variants of any item", () => {
  it("choose selects a variant in stock for every available value", () => {
    fc.assert(
      fc.property(itemArbitrary, fc.infiniteStream(fc.nat()), (goods, indexes) => {
        let choice = firstChoice(goods);
        for (let step = 0; step < 6; step += 1) {
          const available = listAvailable(goods, choice);
          const option = available[(indexes.next().value ?? 0) % Math.max(1, available.length)];
          if (!option) return;
          choice = choose(goods, choice, option.side, option.value);
          expect(choice[option.side]).toBe(option.value);
          expect(findSku(goods, choice)?.stock).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("choose reaches every variant in stock from every other one, spec by spec", () => {
    fc.assert(
      fc.property(itemArbitrary, fc.nat(), fc.nat(), (goods, one, other) => {
        const inStock = goods.skus.filter(({ stock }) => stock > 0);
        if (inStock.length === 0) return;
        const from = inStock[one % inStock.length]?.values ?? [];
        const to = inStock[other % inStock.length]?.values ?? [];
        const reached = to.reduce<Choice>((choice, value, side) => {
          expect(getUnavailableReason(goods, choice, side, value)).toBeNull();
          return choose(goods, choice, side, value);
        }, from);
        expect(reached).toEqual(to);
      }),
    );
  });

  it("choose ignores an unavailable value", () => {
    fc.assert(
      fc.property(itemArbitrary, (goods) => {
        const choice = firstChoice(goods);
        for (const [side, { values }] of goods.specs.entries())
          for (const value of values)
            if (getUnavailableReason(goods, choice, side, value)) expect(choose(goods, choice, side, value)).toBe(choice);
      }),
    );
  });

  it("firstChoice returns a purchasable variant if there is one", () => {
    fc.assert(
      fc.property(itemArbitrary, (goods) => {
        const any = goods.skus.some(({ stock }) => stock > 0);
        expect(getSelectionProblem(goods, firstChoice(goods)) === null).toBe(any);
      }),
    );
  });
});

describe("a choice of variant", () => {
  const goods = createGoods([sizes, inks], [sku(1, "S", "red"), sku(0, "S", "blue"), sku(2, "M", "blue")]);

  it("distinguishes values without a variant from values that are sold out", () => {
    expect(getUnavailableReason(goods, ["S", "red"], 1, "blue")).toBe("soldOut");
    expect(getUnavailableReason(goods, ["M", "blue"], 1, "red")).toBe("notMade");
    expect(getUnavailableReason(goods, ["S", "red"], 0, "M")).toBeNull();
  });

  it("reports which other value changes with a selected value", () => {
    expect(selectValue(goods, ["S", "red"], 0, "M")).toEqual({
      choice: ["M", "blue"],
      changedValue: { value: "M", from: "red", to: "blue" },
    });
    expect(selectValue(createGoods([sizes], [sku(1, "S"), sku(1, "M")]), ["S"], 0, "M").changedValue).toBeNull();
  });

  it.each([
    ["offSale", createGoods([], [sku(3)], { on_sale: false }), []],
    ["allSoldOut", createGoods([], [sku(0)]), []],
    ["notMade", goods, ["M", "red"]],
    ["soldOut", goods, ["S", "blue"]],
    ["limit", createGoods([], [sku(3)], { limit_per_member: 0 }), []],
    [null, createGoods([], [sku(3)]), []],
  ])("has the selection problem %s", (problem, item, choice) => {
    expect(getSelectionProblem(item, choice)).toBe(problem);
  });

  it("limits the quantity by stock, purchase limit and order maximum", () => {
    expect(getMaxQuantity(sku(3), 5)).toBe(3);
    expect(getMaxQuantity(sku(900), 5)).toBe(5);
    expect(getMaxQuantity(sku(900), 200)).toBe(99);
    expect(getMaxQuantity(undefined, 5)).toBe(0);
  });
});

describe("the selection in the URL", () => {
  const goods = createGoods([sizes], [sku(4, "S"), sku(9, "M")]);
  it.each([
    ["?sku=M&quantity=3", { choice: ["M"], quantity: 3 }],
    ["?sku=none&quantity=2", { choice: null, quantity: 2 }],
    ["", { choice: null, quantity: 1 }],
    ["?quantity=-1", { choice: null, quantity: 1 }],
    ["?quantity=1e9", { choice: null, quantity: 1 }],
    ["?quantity=1.5", { choice: null, quantity: 1 }],
    ["?quantity=x", { choice: null, quantity: 1 }],
  ])("is parsed from the query %j", (search, expected) => {
    expect(parseSelection(search, goods)).toEqual(expected);
  });

  it("is limited to the available quantity", () => {
    expect(resolveSelection(goods, { choice: ["S"], quantity: 9 })).toMatchObject({
      quantity: 4,
      maxQuantity: 4,
      problem: null,
    });
    expect(resolveSelection(goods, { choice: null, quantity: 1 })).toMatchObject({ choice: ["S"] });
  });

  it("follows the stock until the visitor chooses and is kept afterwards", () => {
    const soldOutGoods = createGoods([sizes], [sku(0, "S"), sku(9, "M")]);
    expect(resolveSelection(soldOutGoods, { choice: null, quantity: 1 })).toMatchObject({ choice: ["M"], problem: null });
    expect(resolveSelection(soldOutGoods, { choice: ["S"], quantity: 1 })).toMatchObject({ choice: ["S"], problem: "soldOut" });
  });
});

describe("the text of an item", () => {
  it.each([
    ["## 规格\n\n十二寸，\n两面黑\n**胶**\n“唱片”\r\n三张……\n共\n24 首", ["规格", "十二寸，两面黑胶“唱片”三张……共 24 首"]],
    ["Twelve inches,\ntwo sides in\n上海", ["Twelve inches, two sides in 上海"]],
    ["- a\n- **b**\n  - c\n\n3. d\n4. e", ["· a\n· b\n– c", "3. d\n4. e"]],
    ["*x* ~~y~~ `z` [shop](/mall) <b>w</b> &amp; \\*", ["x y z shop w & *"]],
    ["one\\\ntwo<br>three", ["one\ntwo\nthree"]],
    ["| 码 | 宽 |\n| - | - |\n| S | 50 |", ["码 | 宽\nS | 50"]],
    ["> said\n\n---\n\n<!-- no -->\n\n```\na  b\n```", ["said", "a b"]],
    [" \n", []],
  ])("%j has the paragraphs %j", (markdown, paragraphs) => {
    expect(toParagraphs(markdown)).toEqual(paragraphs);
  });
});
