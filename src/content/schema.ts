import { z } from "astro/zod";
import { sheets } from "../build/poster/sheets.ts";
import { newsKinds } from "./kind.ts";

// Whatever is wrong is said to the person who wrote the file, who may be no programmer.
const words = (example: string) =>
  z
    .string({ error: `must be words, such as: ${example}` })
    .refine((text) => text.trim() !== "", { error: "must not be empty" });

const time = z
  .string({ error: "must be a time with its zone and without seconds, such as: 2027-03-20T19:30+08:00" })
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}[+-]\d{2}:\d{2}$/, {
    error: "must be a time with its zone and without seconds, such as: 2027-03-20T19:30+08:00",
  })
  .transform((text) => new Date(text))
  .refine((date) => !Number.isNaN(date.getTime()), { error: "is no time that there is" });

const day = z.date({ error: "must be a day, such as: 2026-10-26" });

const poster = (...kinds: string[]) => {
  const names = Object.keys(sheets).filter((name) => kinds.includes(name.slice(0, 2)) && !name.endsWith("-art"));
  return z.enum(names, { error: `must be one of the sheets of src/build/poster/sheet: ${names.join(", ")}` });
};

const uid = z
  .string({ error: "must be the uid of an activity, such as: entrance" })
  .regex(/^[a-z0-9-]+$/, { error: "must be the uid of an activity: small letters, digits and dashes" });

const list = <Item extends z.ZodType>(item: Item, example: string) =>
  z.array(item, { error: `must be a list, such as: ${example}` }).min(1, { error: "must not be empty" });

const hour = z
  .string({ error: 'must be an hour and what happens, such as: 18:30 Doors (in quotation marks when there is a ": " in it)' })
  .regex(/^\d{2}:\d{2} +\S/, { error: "must be an hour and what happens, such as: 18:30 Doors" })
  .transform((text) => ({ at: text.slice(0, 5), what: text.slice(5).trim() }));

/** Any other field is an error, so that a slip of the pen does not pass. */
function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `there is no field ${issue.keys.join(", ")}; the fields are ${known}` : undefined,
  });
}

export const eventSchema = fields({
  title: words("Entrance"),
  summary: words("White Noise Choir opens the tour."),
  starts_at: time,
  doors_at: time,
  ends_at: time,
  venue: words("West Bund Depot 1"),
  city: words("Shanghai"),
  /** How to get there. */
  way: words("Six minutes along the river from the metro.").optional(),
  poster: poster("e-"),
  line_up: list(words("White Noise Choir"), "[White Noise Choir]"),
  /** The evening, hour by hour. */
  programme: list(hour, "18:30 Doors").optional(),
  /** What a visitor has to know before booking. */
  terms: words("One place for each member."),
  /** The `activity_uid` by which places are booked; without it, there is nothing to book. */
  activity: uid.optional(),
})
  .refine(({ doors_at, starts_at }) => doors_at <= starts_at, { path: ["doors_at"], error: "must not be after starts_at" })
  .refine(({ starts_at, ends_at }) => starts_at < ends_at, { path: ["ends_at"], error: "must be after starts_at" });

export const newsSchema = fields({
  title: words("Four minutes before the lights go down"),
  summary: words("What the lighting designer does when nobody looks."),
  date: day,
  kind: z.enum(newsKinds, { error: `must be one of: ${newsKinds.join(", ")}` }),
  poster: poster("n-", "e-"),
  /** The folder of the event that it is about. */
  event: z.string({ error: "must be the folder of an event, such as: entrance" }).optional(),
});

export const aboutSchema = fields({
  title: words("Terms"),
  summary: words("What holds between you and us."),
  updated: day,
});

export type EventData = z.infer<typeof eventSchema>;
export type NewsData = z.infer<typeof newsSchema>;
export type AboutData = z.infer<typeof aboutSchema>;

type Facts<Data> = Record<string, (data: Data) => unknown>;

/** What must not differ between the languages of an event; words may. */
export const eventFacts: Facts<EventData> = {
  starts_at: ({ starts_at }) => starts_at,
  doors_at: ({ doors_at }) => doors_at,
  ends_at: ({ ends_at }) => ends_at,
  poster: ({ poster }) => poster,
  activity: ({ activity }) => activity,
  "the number of bands in line_up": ({ line_up }) => line_up.length,
  "the hours of the programme": ({ programme }) => programme?.map(({ at }) => at),
};

export const newsFacts: Facts<NewsData> = {
  date: ({ date }) => date,
  kind: ({ kind }) => kind,
  poster: ({ poster }) => poster,
  event: ({ event }) => event,
};

export const aboutFacts: Facts<AboutData> = { updated: ({ updated }) => updated };
