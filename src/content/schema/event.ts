import type { z } from "astro/zod";
import {
  audioFields,
  audioWordFields,
  choice,
  entryFacts,
  fields,
  hour,
  level,
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

const early = fields(
  { level, opens_at: time.describe("When booking opens for this level.") },
  "{level: 2, opens_at: 2027-01-10T12:00+08:00}",
);

/** The bookable side of a show. */
const booking = fields(
  {
    places: whole(1, 1_000_000, 400).describe("How many places there are. May grow; never below what is booked."),
    opens_at: time.describe("When booking opens."),
    closes_at: time.describe("When booking closes, at the latest when the show starts."),
    early: list(early, "[{level: 2, opens_at: 2027-01-10T12:00+08:00}]")
      .optional()
      .describe("Earlier openings for holders of a pass; a higher level has the hours of the lower ones."),
  },
  "booking: {places: 400, opens_at: 2027-01-12T12:00+08:00, closes_at: 2027-03-20T17:30+08:00}",
);

const words = {
  title: line("Entrance").describe("Name of the show, on pages, tickets and calendars."),
  summary: text("White Noise Choir opens the tour.").describe(
    "One or two sentences, for search engines and shared links; no page shows them.",
  ),
  venue: line("West Bund Depot 1").describe("Name of the venue."),
  city: line("Shanghai").describe("City of the venue."),
  way: text("Six minutes along the river from the metro.").optional().describe("Directions to the venue."),
  line_up: list(line("White Noise Choir"), "[White Noise Choir]").describe("Who plays, in order."),
  programme: list(hour, "[18:30 Doors]").optional().describe("The evening, hour by hour."),
  terms: text("One place for each member.").optional().describe("What to read before booking."),
};

export const eventWords = fields({ ...words, ...pictureWordFields, ...audioWordFields, art: pictureWords.optional() });

const facts = fields({
  ...words,
  starts_at: time.describe("When the show starts."),
  doors_at: time.describe("When the doors open."),
  ends_at: time.describe("When the show ends; from then on it stands among the past ones."),
  status: choice(["scheduled", "cancelled", "moved"])
    .default("scheduled")
    .describe("A cancelled show keeps its page and its bookings, and nobody can book it."),
  moved_from: time.optional().describe("The old start of a show with status: moved."),
  booking: booking.optional().describe("Places to book; without, the show has no booking."),
  ...pictureFields,
  ...audioFields,
  art: picture.optional().describe("Crop without type, for the banner of the concert plan."),
  ...entryFacts,
});

export const eventSchema = withRule(facts, (event, report) => {
  const { starts_at, doors_at, ends_at, status, moved_from, booking } = event;
  if (starts_at && doors_at && doors_at > starts_at)
    report(["doors_at"], "must not be after starts_at, such as: an hour before it");
  if (starts_at && ends_at && ends_at <= starts_at) report(["ends_at"], "must be after starts_at, such as: two hours after it");
  for (const fault of findMoveFaults({ starts_at, status, moved_from }, "a show")) report(["moved_from"], fault);
  const { opens_at, closes_at, early = [] } = booking ?? {};
  if (opens_at && closes_at && closes_at <= opens_at)
    report(
      ["booking", "closes_at"],
      "must be after opens_at: booking opens before it closes, such as: two hours before starts_at",
    );
  if (starts_at && closes_at && closes_at > starts_at)
    report(["booking", "closes_at"], "must not be after starts_at, such as: two hours before it");
  const levels = new Set<number>();
  for (const [index, { level, opens_at: opens } = {}] of early.entries()) {
    if (opens && opens_at && opens >= opens_at)
      report(["booking", "early", index, "opens_at"], "must be before opens_at of the booking, such as: a day before it");
    if (level === undefined) continue;
    if (levels.has(level))
      report(
        ["booking", "early", index, "level"],
        `is there twice: one opening for level ${level} is enough, such as: [{level: ${level}, opens_at: 2027-01-10T12:00+08:00}]`,
      );
    levels.add(level);
  }
});

export type EventFields = z.infer<typeof eventSchema>;
