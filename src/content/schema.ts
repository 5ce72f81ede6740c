import { z } from "astro/zod";

/** Kinds of news: 公告, 现场, 幕后, 商城, 巡演. */
const newsKinds = ["notice", "live", "backstage", "mall", "tour"] as const;

// The messages are for the author of a file, who may be no programmer.
const text = (example: string) =>
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

const poster = (posters: readonly string[], ...kinds: string[]) => {
  const names = posters.filter((name) => kinds.includes(name.slice(0, 2)) && !name.endsWith("-art"));
  return z.enum(names, { error: `must be one of the posters: ${names.join(", ")}` });
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

/** Rejects any other field, such as a misspelt one. */
function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `there is no field ${issue.keys.join(", ")}; the fields are ${names}` : undefined,
  });
}

/** `posters` are the names of all posters. */
export const createEventSchema = (posters: readonly string[]) =>
  fields({
    title: text("Entrance"),
    summary: text("White Noise Choir opens the tour."),
    starts_at: time,
    doors_at: time,
    ends_at: time,
    venue: text("West Bund Depot 1"),
    city: text("Shanghai"),
    /** Directions. */
    way: text("Six minutes along the river from the metro.").optional(),
    poster: poster(posters, "e-"),
    line_up: list(text("White Noise Choir"), "[White Noise Choir]"),
    /** The evening, hour by hour. */
    programme: list(hour, "18:30 Doors").optional(),
    /** Terms to read before booking. */
    terms: text("One place for each member."),
    /** The `activity_uid` of the bookable activity, if any. */
    activity: uid.optional(),
  })
    .refine(({ doors_at, starts_at }) => doors_at <= starts_at, { path: ["doors_at"], error: "must not be after starts_at" })
    .refine(({ starts_at, ends_at }) => starts_at < ends_at, { path: ["ends_at"], error: "must be after starts_at" });

/** `posters` are the names of all posters. */
export const createNewsSchema = (posters: readonly string[]) =>
  fields({
    title: text("Four minutes before the lights go down"),
    summary: text("What the lighting designer does when nobody looks."),
    date: day,
    kind: z.enum(newsKinds, { error: `must be one of: ${newsKinds.join(", ")}` }),
    poster: poster(posters, "n-", "e-"),
    /** Folder of an event. */
    event: z.string({ error: "must be the folder of an event, such as: entrance" }).optional(),
  });

export const aboutSchema = fields({
  title: text("Terms"),
  summary: text("What holds between you and us."),
  updated: day,
});

export type EventData = z.infer<ReturnType<typeof createEventSchema>>;
export type NewsData = z.infer<ReturnType<typeof createNewsSchema>>;
export type AboutData = z.infer<typeof aboutSchema>;

type Facts<Data> = Record<string, (data: Data) => unknown>;

/** Facts that must be equal in all languages of an event. */
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
