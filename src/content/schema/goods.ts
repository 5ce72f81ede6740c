import type { z } from "astro/zod";
import {
  audioFields,
  audioWordFields,
  entryFacts,
  fields,
  id,
  line,
  list,
  pictureFields,
  pictureWordFields,
  price,
  text,
  time,
  whole,
  yesNo,
} from "./field.ts";
import { type Report, type Sound, withRule } from "./rule.ts";

const spec = fields(
  {
    name: line("Size").describe("What variants differ in."),
    values: list(line("M"), "[S, M, L]").describe("Its values, in the order of the page."),
  },
  "{name: Size, values: [S, M, L]}",
);

const sku = fields(
  {
    sku: id("the name of the SKU", "m").describe(
      "Name of the variant; with the id of the item before it, its number on orders: tee-m.",
    ),
    values: list(line("M"), "[M]").default([]).describe("One value of each spec, as the Chinese words spell it."),
    price: price.describe("Price in yuan."),
    stock: whole(0, 1_000_000, 60).describe("Pieces at the beginning. Later changes: npm run stock."),
  },
  "{sku: m, values: [M], price: 188, stock: 60}",
);

const words = {
  title: line("12.9W tee").describe("Name of the item."),
  summary: text("129 dots. One is you.").describe("A few words, for its card."),
  category: line("Wear").describe("Kind of item; the mall filters by it."),
  specs: list(spec, "[{name: Size, values: [S, M, L]}]")
    .optional()
    .describe("What variants differ in: size, colour. skus has the variants."),
};

export const goodsWords = fields({ ...words, ...pictureWordFields, ...audioWordFields });

const facts = fields({
  ...words,
  price: price.optional().describe("Price in yuan, of an item without variants."),
  stock: whole(0, 1_000_000, 60).optional().describe("Pieces at the beginning, of an item without variants."),
  skus: list(sku, "[{sku: m, values: [M], price: 188, stock: 60}]").optional().describe("The variants that exist."),
  list_price: price.optional().describe("Price before a reduction, in yuan."),
  limit: whole(1, 99, 5).default(5).describe("Most that one member can buy."),
  on_sale: yesNo.default(true).describe("false: the page stays, and nobody can buy it."),
  ships_at: time.optional().describe("From when it is sent, of an item that is sold before it is there."),
  position: whole(0, 9999, 100).default(100).describe("Place in the mall: the smallest first, the same by id."),
  ...pictureFields,
  ...audioFields,
  ...entryFacts,
});

export const goodsSchema = withRule(facts, (item, report) => {
  const { specs, skus, price, stock, list_price } = item;
  if (!("skus" in item)) {
    if (specs) report(["skus"], "is missing beside specs, such as: [{sku: m, values: [M], price: 188, stock: 60}]");
    else if (price === undefined) report(["price"], "is missing, such as: 268 (or specs and skus for an item with variants)");
    if (!specs && stock === undefined)
      report(["stock"], "is missing, such as: 60 (or specs and skus for an item with variants)");
  } else {
    if (!specs && skus && (skus.length > 1 || skus.some((sku) => sku?.values?.length)))
      report(["specs"], "is missing beside skus, such as: [{name: Size, values: [S, M, L]}]");
    if (price !== undefined)
      report(["price"], "stands in each of skus, not beside them, such as: [{sku: m, values: [M], price: 188, stock: 60}]");
    if (stock !== undefined)
      report(["stock"], "stands in each of skus, not beside them, such as: [{sku: m, values: [M], price: 188, stock: 60}]");
  }
  const prices = skus ? skus.map((sku) => sku?.price) : [price];
  if (list_price !== undefined && prices.some((price) => price !== undefined && price > list_price))
    report(
      ["list_price"],
      "must not be below the price: it is the price before a reduction, such as: list_price: 298 beside price: 268",
    );
  if (skus && specs) checkSkus(skus, specs, report);
});

type Sku = Sound<z.infer<typeof sku>>;
type Spec = Sound<z.infer<typeof spec>>;

function checkSkus(skus: readonly (Sku | undefined)[], specs: readonly (Spec | undefined)[], report: Report): void {
  for (const [index, { values = [] } = {}] of specs.entries()) {
    const sound = values.filter((value) => value !== undefined);
    const twice = sound.find((value, at) => sound.indexOf(value) < at);
    if (twice !== undefined)
      report(
        ["specs", index, "values"],
        `has ${twice} twice, but each value once, such as: [${[...new Set(sound)].join(", ")}]`,
      );
  }
  const combinations = new Map<string, string>();
  const names = new Set<string>();
  for (const [index, { sku, values } = {}] of skus.entries()) {
    if (sku !== undefined && names.has(sku))
      report(["skus", index, "sku"], `is there twice: ${sku} names another SKU of this item, such as: ${sku}-2`);
    if (sku !== undefined) names.add(sku);
    if (values === undefined) continue;
    if (values.length !== specs.length) {
      const list = specs.map((spec) => spec?.name).join(", ");
      const first = specs.map((spec) => spec?.values?.[0]);
      report(["skus", index, "values"], `must have one value of each spec: ${list}, such as: [${first.join(", ")}]`);
      continue;
    }
    for (const [at, spec] of specs.entries()) {
      const value = values[at];
      if (value !== undefined && spec?.values && !spec.values.includes(value) && !spec.values.includes(undefined))
        report(
          ["skus", index, "values"],
          `has "${value}", which is no ${spec.name}, but its values are ${spec.values.join(", ")}`,
        );
    }
    if (values.includes(undefined)) continue;
    const combination = JSON.stringify(values);
    const other = combinations.get(combination);
    if (other !== undefined)
      report(
        ["skus", index, "values"],
        `are those of ${other} too: each combination is one SKU, such as: [S] here and [M] there`,
      );
    else combinations.set(combination, sku ?? "another SKU");
  }
}

export type GoodsFields = z.infer<typeof goodsSchema>;
