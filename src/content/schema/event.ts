import { z } from "astro/zod";
import {
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

const early = fields({ level, opens_at: time }, "{level: 2, opens_at: 2027-01-10T12:00+08:00}");

/** The bookable side of a show. */
const booking = fields(
  {
    places: whole(1, 1_000_000, 400),
    opens_at: time,
    closes_at: time,
    /** Earlier openings for holders of a pass; a higher level has the hours of the lower ones. */
    early: list(early, "[{level: 2, opens_at: 2027-01-10T12:00+08:00}]").optional(),
  },
  "booking: {places: 400, opens_at: 2027-01-12T12:00+08:00, closes_at: 2027-03-20T17:30+08:00}",
);

const words = {
  title: line("Entrance"),
  summary: text("White Noise Choir opens the tour."),
  venue: line("West Bund Depot 1"),
  city: line("Shanghai"),
  /** Directions. */
  way: text("Six minutes along the river from the metro.").optional(),
  line_up: list(line("White Noise Choir"), "[White Noise Choir]"),
  /** The evening, hour by hour. */
  programme: list(hour, "[18:30 Doors]").optional(),
  /** Terms to read before booking. */
  terms: text("One place for each member.").optional(),
};

export const eventWords = fields({ ...words, ...pictureWordFields, art: pictureWords.optional() });

export const eventSchema = fields({
  ...words,
  starts_at: time,
  doors_at: time,
  ends_at: time,
  status: choice(["scheduled", "cancelled", "moved"]).default("scheduled"),
  /** Its start before it was moved. */
  moved_from: time.optional(),
  booking: booking.optional(),
  ...pictureFields,
  /** Crop without type, for the banner of the concert plan. */
  art: picture.optional(),
  ...entryFacts,
  // Until pages read covers.
  poster: z.string().optional(),
}).superRefine((event, context) => {
  const { starts_at, doors_at, ends_at, status, moved_from, booking } = event;
  const report = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  if (doors_at > starts_at) report(["doors_at"], "must not be after starts_at, such as: an hour before it");
  if (ends_at <= starts_at) report(["ends_at"], "must be after starts_at, such as: two hours after it");
  if (status === "moved" && !moved_from)
    report(["moved_from"], "is missing: a show that moved says its old start, such as: 2027-03-06T19:30+08:00");
  if (status !== "moved" && moved_from) report(["moved_from"], "stands only beside status: moved");
  if (moved_from && moved_from.getTime() === starts_at.getTime())
    report(["moved_from"], "must be the old start, not starts_at");
  if (!booking) return;
  const { opens_at, closes_at, early = [] } = booking;
  if (closes_at <= opens_at) report(["booking", "closes_at"], "must be after opens_at: booking opens before it closes");
  if (closes_at > starts_at) report(["booking", "closes_at"], "must not be after starts_at, such as: two hours before it");
  const levels = new Set<number>();
  for (const [index, { level, opens_at: opens }] of early.entries()) {
    if (levels.has(level))
      report(["booking", "early", index, "level"], `is there twice: one opening for level ${level} is enough`);
    levels.add(level);
    if (opens >= opens_at) report(["booking", "early", index, "opens_at"], "must be before opens_at of the booking");
  }
});

export type EventFields = z.infer<typeof eventSchema>;
