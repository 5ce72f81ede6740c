import { z } from "astro/zod";
import { fee, fields, id, line, list, text } from "./field.ts";

const colour = z
  .string({ error: 'must be a colour, such as: "#00804F" (in quotation marks)' })
  .regex(/^#[0-9a-f]{6}$/i, { error: 'must be a colour of six digits, such as: "#00804F"' })
  .meta({ input: "color" });
const url = z
  .string({ error: "must be an address, such as: https://example.com/label" })
  .regex(/^(https:\/\/|mailto:)\S+$/, { error: "must begin with https:// or mailto:, such as: https://example.com/label" });

const planWords = {
  kicker: line("Concert plan No.1001").optional(),
  headline: text("Shanghai waits for a full house.").optional(),
};

const words = {
  /** In the title of every page. */
  title: line("A New Generation of Music World"),
  /** In the header, short; also the name on cashier and waiting page. */
  brand: line("New Generation"),
  /** For search engines and shared links. */
  description: text("Shows, news, passes and goods, all through one door."),
  /** Who can be reached how, on the about pages. */
  contact: text("hello@example.com").optional(),
  /** In the footer. */
  say: text("One light is always green.").optional(),
  passes_heading: text("One pass, a whole year.").optional(),
  passes_lead: text("Three passes, each good for a year.").optional(),
  strip_heading: text("Go up. Keep what is left.").optional(),
  strip_lead: text("Unused days carry over when you go up.").optional(),
  mall_lead: text("What stays with you after the show.").optional(),
  news_lead: text("The floor and the backstage.").optional(),
  events_lead: text("In order of date. Pick one.").optional(),
};

export const siteWords = fields({ ...words, plan: fields(planWords, "{kicker: Concert plan}").optional() });

export const siteSchema = fields({
  /** The name under which a database remembers whose catalogue it holds. */
  shop: id("a name of the shop for its database", "night-market"),
  ...words,
  /** Text and links on the light and the dark ground. */
  accent: fields({ light: colour, dark: colour }, 'accent: {light: "#00804F", dark: "#2BE38E"}'),
  mark: z
    .string({ error: "must be the name of an SVG file beside site.yaml, such as: mark.svg" })
    .regex(/^(?!.*\.\.)[\w][\w./-]*\.svg$/, { error: "must be the name of an SVG file beside site.yaml, such as: mark.svg" })
    .meta({ input: "picture" })
    .optional(),
  icp: line("京ICP备2026000000号-1").optional(),
  /** Number of the public-security record. */
  security_record: line("京公网安备11010502000000号").optional(),
  social: list(
    fields({ name: line("Weibo"), url }, "{name: Weibo, url: https://weibo.com/label}"),
    "[{name: Weibo, url: https://weibo.com/label}]",
  ).optional(),
  /** Yuan; free_from: the goods' price from which nothing is charged. */
  postage: fields({ fee, free_from: fee }, "postage: {fee: 12, free_from: 199}"),
  /** The show of the concert plan. Without: no banner. */
  plan: fields({ event: id("the folder of a show", "entrance"), ...planWords }, "plan: {event: entrance}").optional(),
});

export type SiteFields = z.infer<typeof siteSchema>;
