import type { z } from "astro/zod";
import { entryFacts, fields, level, line, list, pictureFields, pictureWordFields, price, text, whole, yesNo } from "./field.ts";

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
  { kind: line("free_postage").default("at_the_door"), icon: line("truck").optional(), title: line("Free delivery") },
  "{kind: free_postage, title: Free delivery}",
);
const rightWords = fields({ title: line("Free delivery") }, "{title: Free delivery}");

const words = {
  title: line("Regular"),
  summary: text("Free delivery on every order."),
  /** A short praise on its card. */
  badge: line("Furthest in").optional(),
};

export const packageWords = fields({
  ...words,
  rights: list(rightWords, "[{title: Free delivery}]"),
  ...pictureWordFields,
});

export const packageSchema = fields({
  ...words,
  level,
  days: whole(1, 3660, 365),
  price,
  /** Price before a reduction. */
  list_price: price.optional(),
  /** Absent: unlimited. */
  stock: whole(0, 1_000_000, 500).optional(),
  limit: whole(1, 99, 3).default(3),
  on_sale: yesNo.default(true),
  position: whole(0, 9999, 100).default(100),
  rights: list(right, "[{kind: free_postage, title: Free delivery}]"),
  ...pictureFields,
  ...entryFacts,
}).superRefine(({ price, list_price, stock, rights }, context) => {
  const report = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  if (list_price !== undefined && price > list_price)
    report(["list_price"], "must not be below the price: it is the price before a reduction");
  for (const [index, { kind }] of rights.entries())
    if (kind === "limited" && stock === undefined)
      report(["rights", index, "kind"], "is limited, so that stock must say how many passes there are, such as: stock: 500");
});

export type PackageFields = z.infer<typeof packageSchema>;
