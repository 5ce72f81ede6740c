import { z } from "astro/zod";
import { type Accent, getContrast, grounds, toReadable } from "#src/lib/accent.ts";
import { colour, fee, fields, id, line, list, text } from "./field.ts";

const url = z
  .string({ error: "must be an address, such as: https://example.com/label" })
  .regex(/^(https:\/\/|mailto:)\S+$/, { error: "must begin with https:// or mailto:, such as: https://example.com/label" });

const minContrast = 4.5;
const readable: Accent = { light: "a darker one", dark: "a lighter one" };

/** A colour that is readable on the ground of a mode. */
const accentColour = (mode: keyof Accent) =>
  colour
    .refine((hex) => !colour.safeParse(hex).success || getContrast(hex, grounds[mode]) >= minContrast, {
      error: ({ input }) =>
        `${input} has a contrast of ${getContrast(String(input), grounds[mode]).toFixed(2)} on the ${mode} ground ${grounds[mode]}, but text needs ${minContrast}: take ${readable[mode]}, such as: "${toReadable(String(input), mode)}"`,
    })
    .meta({ input: "color" });

const socialName = line("Weibo").describe("Name of the place, as the link shows it.");

const planWords = {
  sign: line("入").optional().describe("One or two letters on a plate at the top of the banner."),
  kicker: line("Concert plan No.1001").optional().describe("Small line above the headline of the banner."),
  headline: text("Shanghai waits for a full house.")
    .optional()
    .describe("Headline of the banner; without, the title of the shop."),
  count: line("12.9W")
    .refine((text) => [...text.trim()].length <= 6, { error: "must have at most 6 signs, such as: 12.9W" })
    .optional()
    .describe("A fixed text of at most 6 signs in large type above a row of dots: how many have joined; without, neither."),
  note: line("129,000 by now, 1,000 a dot. The open one is yours").optional().describe("What a dot stands for, below them."),
  joined_note: line("129,000 by now, 1,000 a dot. You are in the yellow one")
    .optional()
    .describe("The same, for members who have joined."),
};

const words = {
  title: line("A New Generation of Music World").describe("Name of the shop, in the title of every page."),
  brand: line("New Generation").describe("Short name, in the header, on the cashier and on the waiting page."),
  description: text("Shows, news, passes and goods, all through one door.").describe(
    "One sentence for search engines and shared links.",
  ),
  contact: text("hello@example.com")
    .optional()
    .describe(
      "Mail address, phone number or address of a page, in the footer and on the privacy page; of several lines each stands by itself, with a link of its own.",
    ),
  say: text("One light is always green.").optional().describe("A line in the footer."),
  passes_heading: text("One pass, a whole year.").optional().describe("Heading of the passes at home."),
  passes_lead: text("Three passes, each good for a year.").optional().describe("Words below it."),
  strip_heading: text("Go up. Keep what is left.")
    .optional()
    .describe("Heading of the passes in the mall; without, the one at home."),
  strip_lead: text("Unused days carry over when you go up.").optional().describe("Words below it."),
  mall_lead: text("What stays with you after the show.").optional().describe("Words below the heading of the mall."),
  news_lead: text("The floor and the backstage.").optional().describe("Words below the heading of the news."),
  events_lead: text("In order of date. Pick one.").optional().describe("Words below the heading of the shows."),
};

export const siteWords = fields({
  ...words,
  social: list(fields({ name: socialName }, "{name: Weibo}"), "[{name: Weibo}]").optional(),
  plan: fields(planWords, "{kicker: Concert plan}").optional(),
});

export const siteSchema = fields({
  shop: id("a name of the shop for its database", "night-market").describe(
    "Name by which a database knows whose catalogue it holds, and calendars know the shows. Never changes.",
  ),
  ...words,
  accent: fields(
    {
      light: accentColour("light").describe(`By day, on ${grounds.light}.`),
      dark: accentColour("dark").describe(`By night, on ${grounds.dark}.`),
    },
    'accent: {light: "#00804F", dark: "#2BE38E"}',
  ).describe("Colour of links and buttons on the light and on the dark ground, each with a contrast of 4.5."),
  mark: z
    .string({ error: "must be the name of an SVG file beside site.yaml, such as: mark.svg" })
    .regex(/^(?!.*\.\.)[\w][\w./-]*\.svg$/, { error: "must be the name of an SVG file beside site.yaml, such as: mark.svg" })
    .meta({ input: "picture" })
    .optional()
    .describe("Sign beside the name: an SVG file beside site.yaml. currentColor takes the accent."),
  icp: line("京ICP备2026000000号-1").optional().describe("ICP number, in the footer with its link."),
  security_record: line("京公网安备11010502000000号")
    .refine((text) => /\d/.test(text), { error: "must have its number, such as: 京公网安备11010502000000号" })
    .optional()
    .describe("Number of the public-security record, in the footer with its link."),
  social: list(
    fields(
      {
        name: socialName,
        url: url.describe("Address, with https:// or mailto:."),
      },
      "{name: Weibo, url: https://weibo.com/label}",
    ),
    "[{name: Weibo, url: https://weibo.com/label}]",
  )
    .optional()
    .describe("Accounts elsewhere, in the footer."),
  postage: fields(
    {
      fee: fee.describe("Yuan for each order; 0 for nothing."),
      free_from: fee.describe("Price of the goods in yuan from which nothing is charged."),
    },
    "postage: {fee: 12, free_from: 199}",
  ).describe("What sending an order costs."),
  plan: fields(
    { event: id("the folder of a show", "entrance").describe("Folder of the show."), ...planWords },
    "plan: {event: entrance}",
  )
    .optional()
    .describe("The show of the concert plan, in the banner at home; without, no banner."),
});

export type SiteFields = z.infer<typeof siteSchema>;
