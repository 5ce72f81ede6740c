import type { z } from "astro/zod";
import {
  choice,
  colour,
  entryFacts,
  fields,
  id,
  line,
  list,
  picture,
  pictureFields,
  pictureWordFields,
  pictureWords,
  text,
  time,
  whole,
} from "./field.ts";
import { findMoveFaults, withRule } from "./rule.ts";

const stopWords = {
  city: line("Kunming").describe("City of the stop."),
  venue: line("The old bathhouse").describe("Name of the venue."),
};
const stop = fields(
  {
    stop: id("the name of the stop", "kunming").describe("Name by which bookings know the stop. Never changes."),
    ...stopWords,
    starts_at: time.describe("When the show there starts."),
    status: choice(["scheduled", "cancelled", "moved"])
      .default("scheduled")
      .describe("A cancelled stop stays on the page of its tour and keeps its bookings, and nobody can book it."),
    moved_from: time.optional().describe("The old start of a stop with status: moved."),
    places: whole(1, 1_000_000, 160).describe("How many places there are. May grow; never below what is booked."),
  },
  "{stop: kunming, city: Kunming, venue: The old bathhouse, starts_at: 2027-03-05T19:00+08:00, places: 160}",
);

const words = {
  title: line("Spring Opens").describe("Name of the tour."),
  summary: text("One month, five cities, five doors.").describe("The lead of its page."),
  short: line("Five cities, five doors").optional().describe("A few words, for strips and cards."),
  steps: list(line("Pick a city."), "[Pick a city.]").optional().describe("How to take part, one sentence each."),
  headline: picture.optional().describe("Lettering in place of the heading, each language with its own."),
};

export const campaignWords = fields({
  ...words,
  stops: list(fields(stopWords, "{city: Kunming, venue: The old bathhouse}"), "[{city: Kunming, venue: The old bathhouse}]"),
  ...pictureWordFields,
  art: pictureWords.optional(),
});

const facts = fields({
  ...words,
  opens_at: time.describe("When registration opens."),
  closes_at: time.describe("When registration closes, at the latest when the last stop starts."),
  stops: list(
    stop,
    "[{stop: kunming, city: Kunming, venue: The old bathhouse, starts_at: 2027-03-05T19:00+08:00, places: 160}]",
  ).describe("The stops; pages show them in the order in which they start."),
  ...pictureFields,
  art: picture.optional().describe("Crop without type, for strip and heading; without, the cover."),
  colour: colour
    .optional()
    .describe(
      "Colour of its page and of the strip that leads there: the ground, and in the dark a light one is that of the letters; without, the strip takes the colour of the picture.",
    ),
  ...entryFacts,
});

export const campaignSchema = withRule(facts, ({ opens_at, closes_at, stops = [] }, report) => {
  if (opens_at && closes_at && closes_at <= opens_at)
    report(["closes_at"], "must be after opens_at: registration opens before it closes, such as: four weeks after it");
  const starts = stops.flatMap((stop) => stop?.starts_at ?? []);
  const last = Math.max(...starts.map((time) => time.getTime()));
  // A stop that cannot be read may be the last one.
  if (closes_at && stops.length > 0 && starts.length === stops.length && closes_at.getTime() > last)
    report(["closes_at"], "must not be after the last stop starts, such as: the evening before it");
  const names = new Set<string>();
  for (const [index, { stop, starts_at, status, moved_from } = {}] of stops.entries()) {
    for (const fault of findMoveFaults({ starts_at, status, moved_from }, "a stop"))
      report(["stops", index, "moved_from"], fault);
    if (starts_at && opens_at && starts_at <= opens_at)
      report(
        ["stops", index, "starts_at"],
        "is before opens_at: nobody could register for a stop in the past, such as: four weeks after it",
      );
    if (stop === undefined) continue;
    if (names.has(stop)) report(["stops", index, "stop"], `is there twice: ${stop} names another stop, such as: ${stop}-2`);
    names.add(stop);
  }
});

export type CampaignFields = z.infer<typeof campaignSchema>;
