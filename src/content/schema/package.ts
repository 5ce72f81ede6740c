import type { z } from "astro/zod";
import { entryFacts, fields, level, line, list, pictureFields, pictureWordFields, price, text, whole, yesNo } from "./field.ts";
import { withRule } from "./rule.ts";

/** Kinds of rights that the software gives, and the icon of each. Any other kind is a text: given at the door. */
const softwareRights = {
  days: "calendar-days",
  upgrade: "arrow-up",
  free_postage: "truck",
  early_booking: "clock",
  limited: "award",
} as const;
export const givenRights: ReadonlySet<string> = new Set(Object.keys(softwareRights));
export const rightIcons: Readonly<Record<string, string>> = softwareRights;
export const doorIcon = "door-open";

const right = fields(
  {
    kind: line("free_postage")
      .default("at_the_door")
      .describe(
        "What the software keeps: days, upgrade, free_postage, early_booking, limited. Any other is marked as given at the door.",
      ),
    icon: line("truck")
      .optional()
      .describe("Name of its icon (lucide.dev) for apps that read the API; without, the one of its kind. The pages show none."),
    title: line("Free delivery").describe("The right in words, as pages show it."),
  },
  "{kind: free_postage, title: Free delivery}",
);
const rightWords = fields({ title: line("Free delivery") }, "{title: Free delivery}");

const words = {
  title: line("Regular").describe("Name of the pass."),
  summary: text("Free delivery on every order.").describe("A few words, for its card."),
  badge: line("Furthest in").optional().describe("A short praise on its card."),
};

export const packageWords = fields({
  ...words,
  rights: list(rightWords, "[{title: Free delivery}]"),
  ...pictureWordFields,
});

const facts = fields({
  ...words,
  level: level.describe("Level of the pass, 1 to 3; a member goes up, never down."),
  days: whole(1, 3660, 365).describe("How many days it runs."),
  price: price.describe("Price in yuan."),
  list_price: price.optional().describe("Price before a reduction, in yuan."),
  stock: whole(0, 1_000_000, 500).optional().describe("How many there are at the beginning; without, unlimited."),
  limit: whole(1, 99, 3)
    .optional()
    .describe(
      "Most that one member can have at a time: what still runs, or waits to be paid. With 1, nobody can renew it before it ends. Without, 3 where there is a stock, else unlimited.",
    ),
  on_sale: yesNo.default(true).describe("false: the page stays, and nobody can buy it."),
  position: whole(0, 9999, 100).default(100).describe("Place among the passes: the smallest first."),
  rights: list(right, "[{kind: free_postage, title: Free delivery}]").describe("What the pass promises."),
  ...pictureFields,
  ...entryFacts,
});

export const packageSchema = withRule(facts, ({ price, list_price, stock, rights = [] }, report) => {
  if (price !== undefined && list_price !== undefined && price > list_price)
    report(
      ["list_price"],
      "must not be below the price: it is the price before a reduction, such as: list_price: 298 beside price: 268",
    );
  const limited = rights.findIndex((right) => right?.kind === "limited");
  if (limited >= 0 && stock === undefined)
    report(["stock"], `must say how many passes there are, as rights ${limited + 1} is limited, such as: stock: 500`);
});

export type PackageFields = z.infer<typeof packageSchema>;
