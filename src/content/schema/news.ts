import type { z } from "astro/zod";
import {
  audioFields,
  audioWordFields,
  choice,
  day,
  entryFacts,
  fields,
  id,
  line,
  pictureFields,
  pictureWordFields,
  text,
} from "./field.ts";
import { withRule } from "./rule.ts";

/** Kinds of news: 公告, 现场, 幕后, 商城, 巡演. */
const newsKinds = ["notice", "live", "backstage", "mall", "tour"] as const;

const words = {
  title: line("Four minutes before the lights go down").describe("Headline."),
  summary: text("What the lighting designer does when nobody looks.").describe(
    "One or two sentences, for lists and search engines, and above the text.",
  ),
  author: line("Zhou Du").describe("Who wrote it.").optional(),
};

export const newsWords = fields({ ...words, ...pictureWordFields, ...audioWordFields });

const facts = fields({
  ...words,
  date: day.describe("Day of the item; the latest stands first."),
  kind: choice(newsKinds).describe("Its kind, as a label beside the date."),
  event: id("the folder of a show", "entrance")
    .meta({ input: "reference:event" })
    .optional()
    .describe("Folder of the show that it is about."),
  campaign: id("the folder of a tour", "river-tour")
    .meta({ input: "reference:campaign" })
    .optional()
    .describe("Folder of the tour that it is about, in place of event."),
  ...pictureFields,
  ...audioFields,
  ...entryFacts,
});

export const newsSchema = withRule(facts, ({ date, updated, event, campaign }, report) => {
  if (event && campaign)
    report(
      ["campaign"],
      "stands in place of event, not beside it: an article leads to one of them, such as: campaign: river-tour",
    );
  if (date && updated && updated < date)
    report(["updated"], "must not be before date: a news item changes after it is out, such as: the day after it");
});

export type NewsFields = z.infer<typeof newsSchema>;
