import { z } from "astro/zod";
import { formatTime } from "../format.ts";
import { findNearest } from "../nearest.ts";

// The messages are for the author of a file, who may be no programmer. Each says what is expected and gives an example.
// `meta({ input })` names the input of the browser editor where the type alone does not say it: text (several lines), time,
// date, price, picture, color, id, hour. `describe` says what a field is, for docs/content.md and the editor.

/** Longest title, name of a city or other text of one line, in characters. */
const maxLine = 200;
const maxText = 3000;
const idPattern = /^[a-z0-9][a-z0-9-]*$/;
/** The browser editor writes :00 seconds. */
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:00)?(Z|[+-]\d{2}:\d{2})$/;
/** Pages write China's hour (`src/lib/date.ts`): that of another zone would stand on them as another one. */
const zone = "+08:00";
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
/** YAML reads 2027 or true as no text. */
const quoted = " (a number, a date or yes/no as a text stands in quotation marks)";

function words(example: string, max: number) {
  return z
    .string({ error: (issue) => `must be words, such as: ${example}${issue.input === undefined ? "" : quoted}` })
    .refine((text) => text.trim() !== "", { error: `must not be empty, but words such as: ${example}` })
    .refine((text) => [...text].length <= max, {
      error: (issue) => `must have at most ${max} characters, but has ${[...String(issue.input)].length}; such as: ${example}`,
    })
    .refine((text) => !/[^\P{Cc}\n\t]|\p{Cs}/u.test(text), {
      error: `must not hold control characters, but words such as: ${example}`,
    });
}

/** Words on one line, of at most 200 characters. */
export const line = (example: string) =>
  words(example, maxLine).refine((text) => !text.trim().includes("\n"), { error: `must be one line, such as: ${example}` });

/** Words of one or more lines, of at most 3,000 characters. */
export const text = (example: string) => words(example, maxText).meta({ input: "text" });

/** Repeats a value that is refused, where there is one. */
const refuse = (expected: string, input: unknown) =>
  input === undefined ? expected : `${expected}, not: ${String(input).slice(0, 40)}`;

const timeError = ({ input }: { input?: unknown }) =>
  refuse(
    "must be a time with its zone and without seconds, such as: 2027-03-20T19:30+08:00 (19:30 in China; +08:00 is the zone)",
    input,
  );

/** A time, as a Date. */
export const time = z
  .string({ error: timeError })
  .regex(timePattern, { error: timeError })
  .refine((text) => !timePattern.test(text) || isOnCalendar(text), {
    error: ({ input }) => refuse("there is no such time; one is written such as: 2027-03-20T19:30+08:00", input),
  })
  .refine((text) => !timePattern.test(text) || !isOnCalendar(text) || text.endsWith(zone), {
    error: ({ input }) =>
      `must be China's hour, with the zone ${zone}, such as: ${formatTime(new Date(String(input)))}, which is ${input}`,
  })
  .transform((text) => new Date(text))
  .meta({ input: "time" });

/** JavaScript turns the 30th of February into the 2nd of March. */
function isOnCalendar(text: string): boolean {
  const local = new Date(`${text.slice(0, 16)}Z`);
  return !Number.isNaN(new Date(text).getTime()) && local.toISOString().slice(0, 16) === text.slice(0, 16);
}

/** A day, as a Date at midnight UTC. */
export const day = z
  .string({ error: "must be a day, such as: 2026-10-26" })
  .regex(dayPattern, { error: "must be a day, such as: 2026-10-26" })
  .refine((text) => !dayPattern.test(text) || isOnCalendar(`${text}T00:00+00:00`), {
    error: "there is no such day; one is written such as: 2026-10-26",
  })
  .transform((text) => new Date(text))
  .meta({ input: "date" });

/** What is wrong with a number such as 12,80 or 1,200. */
export const withComma = "has a comma: a point stands before decimals, and nothing in thousands, such as: 12.80 or 1200";

/** Yuan, as fen. 1.005 * 100 is 100.49999999999999. */
function yuan(min: number) {
  const expected = `must be a price in yuan with at most two decimals, ${min === 0 ? "0" : "0.01"} to 1000000, such as: 268 or 268.50`;
  const refuseYuan = (input: unknown) => refuse(expected, input);
  return z
    .number({
      error: ({ input }) =>
        typeof input === "string" && /^\d+(,\d+)+$/.test(input) ? `${input} ${withComma}` : refuseYuan(input),
    })
    .refine((yuan) => Math.abs(yuan * 100 - Math.round(yuan * 100)) < 1e-6, { error: ({ input }) => refuseYuan(input) })
    .transform((yuan) => Math.round(yuan * 100))
    .refine((fen) => fen >= min && fen <= 100_000_000, { error: ({ input }) => refuseYuan(Number(input) / 100) })
    .meta({ input: "price" });
}

/** A price in yuan, as fen. */
export const price = yuan(1);
/** A fee in yuan, which may be 0, as fen. */
export const fee = yuan(0);

/** A whole number. */
export function whole(min: number, max: number, example: number) {
  const error = `must be a whole number from ${min} to ${max}, such as: ${example}`;
  return (
    z
      .number({ error })
      // A fault of int() would keep the rules between fields from running.
      .refine((value) => Number.isInteger(value) && value >= min && value <= max, { error })
      .meta({ input: "whole" })
  );
}

/** Level of a pass. */
export const level = z
  .literal([1, 2, 3], { error: "must be the level of a pass: 1, 2 or 3, such as: 2" })
  .meta({ input: "whole" })
  .describe("Level of a pass: 1, 2 or 3.");

export const isId = (name: string) => idPattern.test(name) && name.length <= 48;

/** An id: the name of a folder, of a stop or of a SKU. */
export const id = (what: string, example: string) =>
  z
    .string({ error: `must be ${what}, such as: ${example}` })
    .refine(isId, { error: `must be ${what}: at most 48 small letters, digits and dashes, such as: ${example}` })
    .meta({ input: "id" });

/** A colour as hex. */
export const colour = z
  .string({ error: 'must be a colour, such as: "#00804F" (in quotation marks)' })
  .regex(/^#[0-9a-f]{6}$/i, { error: 'must be a colour of six digits, such as: "#00804F"' })
  .meta({ input: "color" });

export const yesNo = z.boolean({ error: "must be true or false, such as: true" });

/** A list with at least one entry. */
export const list = <Item extends z.ZodType>(item: Item, example: string) =>
  z
    .array(item, { error: `must be a list, such as: ${example}` })
    .min(1, { error: `must not be empty, but a list such as: ${example}` });

/** One of a few words. */
export const choice = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, {
    error: ({ input }) => {
      const nearest = typeof input === "string" && findNearest(input, names);
      return `must be one of: ${names.join(", ")}; ${nearest ? `did you mean ${nearest}?` : `such as: ${names[0]}`}`;
    },
  });

const hourError = 'must be an hour and what happens, such as: 18:30 Doors (in quotation marks when there is a ": " in it)';
/** An hour of the programme. */
export const hour = z
  .string({ error: hourError })
  .regex(/^([01]\d|2[0-3]):[0-5]\d +\S/, { error: hourError })
  .transform((text) => ({ at: text.slice(0, 5), what: text.slice(5).trim() }))
  .meta({ input: "hour" });

/** An object without any other field, such as a misspelt one. */
export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape, example?: string) {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `there is no such field; the fields are: ${names}`
        : `must be fields with their values, such as: ${example ?? `${names.split(",")[0]}: …`}`,
  });
}

const isBeside = (name: string) => name !== "" && !/^[/\\]|^\w+:|(^|[/\\])\.\.([/\\]|$)|\\/.test(name);

const alt = z
  .string({
    error:
      'must say what the picture shows, such as: alt: Six figures in front of a green door (alt: "" where it only decorates)',
  })
  .refine((text) => [...text].length <= 500, { error: "must have at most 500 characters, such as: alt: A green door" })
  // The editor drops empty texts, and writes a blank instead.
  .transform((text) => text.trim())
  .meta({ input: "alt" })
  .describe("What the picture shows, for those who cannot see it. Empty where it only decorates.");
const fileError = "must be the name of a picture beside the text, such as: file: cover.jpg";
const file = z
  .string({ error: fileError })
  .refine(isBeside, { error: fileError })
  .meta({ input: "picture" })
  .describe("A picture beside the text.");

/** A picture: its file, and what it shows. */
export const picture = fields({ file, alt }, "cover: {file: cover.jpg, alt: A green door}");
/** The same picture in the other language, which may have a file of its own. */
export const pictureWords = fields({ file: file.optional(), alt }, "cover: {alt: A green door}");

const audioError = "must be the name of an MP3 beside the text, such as: file: side-a.mp3";
const audioTitle = line("Side A").describe("What one hears.");
const audioExample = "[{title: Side A, file: side-a.mp3}]";
const audioPiece = fields(
  {
    title: audioTitle,
    file: z
      .string({ error: audioError })
      .refine(isBeside, { error: audioError })
      .meta({ input: "audio" })
      .describe("An MP3 beside the text, of at most 10 minutes and 10 MB."),
  },
  audioExample,
);
const audioList = <Item extends z.ZodType>(item: Item, example: string) =>
  list(item, example).refine((pieces) => pieces.length <= 12, { error: `must have at most 12 entries, such as: ${example}` });

/** Previews to listen to, as facts and as words of the other language. */
export const audioFields = { audio: audioList(audioPiece, audioExample).optional().describe("Previews to listen to.") };
export const audioWordFields = {
  audio: audioList(fields({ title: audioTitle }, "{title: Side A}"), "[{title: Side A}]").optional(),
};

/** Facts of everything that has a page of its own. */
export const entryFacts = {
  draft: yesNo.optional().describe("true: left out of site and catalogue."),
  publish_at: time.optional().describe("Left out of site and catalogue until then."),
  aliases: list(id("a former id", "old-name"), "[old-name]")
    .optional()
    .describe("Former ids, the first one first, whose addresses lead here."),
  updated: day.optional().describe("Day of the last change that matters to readers, for search engines."),
};

/** Cover and further pictures, as facts and as words of the other language. */
export const pictureFields = {
  cover: picture
    .optional()
    .describe("The picture of cards and of the page; without, a poster of the title (of news and tours: a pattern)."),
  pictures: list(picture, "[{file: 1.jpg, alt: The hall}]").optional().describe("Further pictures, below the text."),
};
export const pictureWordFields = {
  cover: pictureWords.optional(),
  pictures: list(pictureWords, "[{alt: The hall}]").optional(),
};
